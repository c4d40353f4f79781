"""What a language model replied about a window of messages, read as spans; what it made up is counted and dropped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from seed_engine.span_alignment import align
from seed_engine.spans import EntitySpan
from seed_engine.tutoring_prompts import TYPES

RECOGNIZER = "prompted"
# A model states no confidence that means anything.
_SCORE = 0.9
# Other names of the types, as models write them that no schema holds back.
_OTHER_NAMES = {
    **dict.fromkeys(("NAME", "STUDENT_NAME", "TEACHER_NAME", "FULL_NAME", "FIRST_NAME", "LAST_NAME"), "PERSON"),
    **dict.fromkeys(("EMAIL", "MAIL", "E_MAIL"), "EMAIL_ADDRESS"),
    **dict.fromkeys(("PHONE", "TELEPHONE", "TELEPHONE_NUMBER"), "PHONE_NUMBER"),
    **dict.fromkeys(("ADDRESS", "CITY", "PLACE", "STREET_ADDRESS", "GPE"), "LOCATION"),
    **dict.fromkeys(("SCHOOL", "SCHOOL_NAME", "ORG", "ORGANISATION"), "ORGANIZATION"),
    **dict.fromkeys(("DATE", "DOB", "BIRTHDAY", "DATE_OF_BIRTH"), "DATE_TIME"),
    **dict.fromkeys(("LINK", "MEETING_LINK", "WEBSITE"), "URL"),
    **dict.fromkeys(("USER_NAME", "HANDLE", "DISPLAY_NAME"), "USERNAME"),
    **dict.fromkeys(("PASSCODE", "PIN", "MEETING_CODE"), "PASSWORD"),
}
_UNKNOWN = "ID_OTHER"


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as spans.

    Attributes:
        spans: of each message, sorted and apart.
        reported: values in the reply, >= 0.
        made_up: of them those that stand nowhere in the window.
        readable: whether the reply was the JSON asked for, in whatever wrapping.
    """

    spans: tuple[tuple[EntitySpan, ...], ...]
    reported: int
    made_up: int
    readable: bool


def read_reply(reply: str, texts: Sequence[str]) -> Reading:
    """Read a reply.

    Args:
        reply: the model's; anything.
        texts: the messages of the window, the first of which has number 1.
    """
    items = _items(reply)
    found: list[list[EntitySpan]] = [[] for _ in texts]
    made_up = 0
    for number, value, kind in items or ():
        places = _places(number, value, texts)
        made_up += not places
        for i, start, end in places:
            found[i].append(EntitySpan(start, end, kind, _SCORE, RECOGNIZER))
    return Reading(tuple(map(_apart, found)), len(items or ()), made_up, items is not None)


def _items(reply: str) -> list[tuple[int, str, str]] | None:
    """Number, value and type of each find; None where the reply holds no list of finds."""
    value = _json(reply)
    listed = value.get("found") if isinstance(value, dict) else value
    if not isinstance(listed, list):
        return None
    return [
        (item["message"] if type(item.get("message")) is int else 0, item["text"], _kind(item.get("entity_type")))
        for item in listed
        if isinstance(item, dict) and isinstance(item.get("text"), str) and item["text"].strip()
    ]


def _json(reply: str) -> Any:
    """The first JSON value in a reply that begins with a bracket: models put words and fences around it."""
    decoder = json.JSONDecoder()
    for at, char in enumerate(reply):
        if char in "{[":
            try:
                return decoder.raw_decode(reply, at)[0]
            except (ValueError, RecursionError):
                continue
    return None


def _kind(said: object) -> str:
    # The label is printed and counted: of what a model says only the names of types pass.
    name = said.strip().upper().replace(" ", "_").replace("-", "_") if isinstance(said, str) else ""
    return name if name in TYPES else _OTHER_NAMES.get(name, _UNKNOWN)


def _places(number: int, value: str, texts: Sequence[str]) -> list[tuple[int, int, int]]:
    """Where a value stands: in the message that was named, else in whichever one has it."""
    own = [number - 1] if 1 <= number <= len(texts) else []
    for numbers in (own, [i for i in range(len(texts)) if i not in own]):
        places = [(i, *place) for i in numbers for place in align(texts[i], value)]
        if places:
            return places
    return []


def _apart(spans: Iterable[EntitySpan]) -> tuple[EntitySpan, ...]:
    kept: list[EntitySpan] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return tuple(sorted(kept))
