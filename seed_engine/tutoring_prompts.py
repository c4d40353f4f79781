"""Prompts that ask a language model for personal data in lessons: basic, maths-aware and segment-aware.

The strategies are those of MathEd-PII. All three ask about the same windows of messages, which never cross the border
of a segment; the segment-aware prompt is the maths-aware one with the window's label before it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

STRATEGIES = ("basic", "maths", "segment")
# What a model may call a find, and what it is told that it means.
TYPES = {
    "PERSON": "name of somebody taking part or known to those who do, in full or in part",
    "USERNAME": "account or display name",
    "EMAIL_ADDRESS": "mail address",
    "PHONE_NUMBER": "telephone number",
    "URL": "link to a meeting, a profile or a document",
    "LOCATION": "home address, town or other place that somebody is at or from",
    "ORGANIZATION": "school, club or employer",
    "AGE": "somebody's age",
    "DATE_TIME": "birthday or date in somebody's life",
    "PASSWORD": "password, passcode or meeting code",
    "ID_OTHER": "student number or any other number that identifies somebody",
}
# Most messages and most letters of a window: few enough that small models keep their numbers apart.
_MESSAGES, _LETTERS = 12, 3_000
_TASK = (
    "You read numbered messages of a tutoring chat and list the personal data in them. Types: {types}. "
    'Reply with JSON alone: {{"found": [{{"message": 1, "text": "...", "entity_type": "PERSON"}}]}}. '
    "Copy each text exactly as it stands in its message, as short as it is complete. "
    'Without personal data reply {{"found": []}}.'
)
_MATHS = (
    " The chat teaches mathematics. Numbers of a task are no personal data: operands, results, fractions such as 3/4, "
    "ratios, times, dates, prices, measures and coordinates. People of a word problem (Alex has 5 apples) are invented "
    "and no personal data; people who are greeted, thanked, called or introduced are real."
)
_LABELS = {True: "[segment: mathematics]\n", False: "[segment: conversation]\n"}

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "found": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "message": {"type": "integer"},
                    "text": {"type": "string"},
                    "entity_type": {"type": "string", "enum": list(TYPES)},
                },
                "required": ["message", "text", "entity_type"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["found"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Window:
    """Messages that are asked about together, half-open, all inside mathematics or all outside."""

    start: int
    end: int
    inside: bool


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: instructions, the same for every window, and the messages."""

    system: str
    question: str


def windows(texts: Sequence[str], flags: Sequence[bool]) -> Iterator[Window]:
    """The windows of a session, in order and without gap; the same ones whatever the strategy.

    Args:
        texts: its messages.
        flags: for each whether it stands inside mathematics.
    """
    start, letters = 0, 0
    for i, text in enumerate(texts):
        if i > start and (flags[i] != flags[start] or i - start == _MESSAGES or letters + len(text) > _LETTERS):
            yield Window(start, i, flags[start])
            start, letters = i, 0
        letters += len(text)
    if texts:
        yield Window(start, len(texts), flags[start])


def prompt(strategy: str, roles: Sequence[str], texts: Sequence[str], window: Window) -> Prompt:
    """The prompt about one window.

    Args:
        strategy: one of `STRATEGIES`.
        roles: who wrote each message of the session.
        texts: the messages of the session.
        window: of `windows`.

    Raises:
        ValueError: there is no such strategy.
    """
    if strategy not in STRATEGIES:
        raise ValueError(f"unknown strategy; known: {', '.join(STRATEGIES)}")
    types = ", ".join(f"{name} ({meaning})" for name, meaning in TYPES.items())
    system = _TASK.format(types=types) + ("" if strategy == "basic" else _MATHS)
    # One message, one line: a line end in it would look like the next message.
    lines = (f"{i - window.start + 1}. {roles[i]}: {_one_line(texts[i])}" for i in range(window.start, window.end))
    label = _LABELS[window.inside] if strategy == "segment" else ""
    return Prompt(system, label + "\n".join(lines))


def _one_line(text: str) -> str:
    return " ".join(text.split())
