"""A redacted transcript as a benchmark: surrogates where people were or are, mathematics back, and gold spans.

Guarantees:
    Every mark of personal data that is carried out stands in the text as a surrogate with a span over it, and the value
    that the transcript had there does not. What the transcript still has and nobody marked stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seed_engine.abstract import MarkedSpan, abstract
from seed_engine.conversation import Conversation, Turn
from seed_engine.redaction_context import NAMES
from seed_engine.redaction_review import NOT_PERSONAL, Decision
from seed_engine.redactions import Redaction, redactions
from seed_engine.room_people import is_in_room, mention_at
from seed_engine.spans import EntitySpan
from seed_engine.surrogates import Surrogates

Spans = tuple[EntitySpan, ...]
_RECOGNIZER = "review"
# Stand-ins for what was redacted, by type and number; surrogates take their place, so that they only need the shape.
_STAND_INS = {
    "PHONE_NUMBER": "(312) 555-01{:02}",
    "EMAIL_ADDRESS": "mail{:02}@example.org",
    "DATE_TIME": "May {}, 2011",
    "AGE": "1{}",
    "LOCATION": "Place{:02}",
    "ORGANIZATION": "School{:02}",
    "URL": "https://example.org/{:02}",
    "USERNAME": "user{:02}",
    "PASSWORD": "secret{:02}",
}
_NUMBERED = "9041{:05}"
# Rare enough that no lesson has them for somebody else.
_PEOPLE = ("Marlow", "Tamsin", "Oriel", "Quillan", "Fenella", "Corwin", "Isolde", "Bexley", "Ottilie", "Thaddeus")
_OWN = re.compile(
    r"\b(?:my name is|my name's|i am|i'm|im|this is|call me|me llamo|mi nombre es|soy)\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Restored:
    """A conversation of the benchmark and its gold spans, one tuple a turn."""

    conversation: Conversation
    spans: tuple[Spans, ...]


def unredact(conversation: Conversation, decisions: Sequence[Decision], *, seed: int | None = None) -> Restored:
    """Carry decisions out.

    Args:
        conversation: as the other tool left it.
        decisions: of `redaction_review.settled`; of two over each other the first one stands.
        seed: makes surrogates repeatable, for tests; None draws them afresh.
    """
    stands: dict[tuple[str, str], int] = {}
    pieces = [
        _filled(conversation, i, [item for item in decisions if item.turn == i], stands)
        for i in range(len(conversation.turns))
    ]
    turns = tuple(Turn(role=turn.role, text=text) for turn, (text, _) in zip(conversation.turns, pieces, strict=True))
    filled = conversation.model_copy(update={"turns": turns, "subject": None})
    abstraction = abstract(filled, tuple(spans for _, spans in pieces))
    swap = Surrogates(abstraction, seed)
    done = [_swapped(turn.text, marked, swap) for turn, marked in zip(filled.turns, abstraction.marked, strict=True)]
    turns = tuple(Turn(role=turn.role, text=text) for turn, (text, _) in zip(turns, done, strict=True))
    return Restored(filled.model_copy(update={"turns": turns}), tuple(spans for _, spans in done))


def _filled(
    conversation: Conversation, at: int, decisions: Sequence[Decision], stands: dict[tuple[str, str], int]
) -> tuple[str, Spans]:
    """A turn with originals and stand-ins, and the spans of what is personal in it."""
    text = conversation.turns[at].text
    marks = {(mark.start, mark.end): mark for mark in redactions(text)}
    made, spans, done, size = [], [], 0, 0
    for item in sorted(decisions):
        if item.start < done:
            continue
        mark = marks.get((item.start, item.end))
        new = text[item.start : item.end]
        if item.label == NOT_PERSONAL:
            new = item.original
        elif mark is not None:
            new = _stand_in(conversation, at, mark, item.label, stands)
        made += [text[done : item.start], new]
        size += item.start - done
        if item.label != NOT_PERSONAL:
            spans.append(EntitySpan(size, size + len(new), item.label, 1.0, _RECOGNIZER))
        size, done = size + len(new), item.end
    return "".join([*made, text[done:]]), tuple(spans)


def _stand_in(
    conversation: Conversation, at: int, mark: Redaction, kind: str, stands: dict[tuple[str, str], int]
) -> str:
    """A value for what was redacted: one for each number that the tool gave, for each side where it gave none."""
    who = mark.number or (_who(conversation, at, mark) if kind == "PERSON" else f"{at}:{mark.start}")
    number = stands.setdefault((kind, who), sum(known == kind for known, _ in stands))
    if kind == "PERSON":
        return _PEOPLE[number % len(_PEOPLE)]
    shape = _STAND_INS.get(kind, _NUMBERED)
    return shape.format(number % 10 if kind == "AGE" else number % 28 + 1)


def _who(conversation: Conversation, at: int, mark: Redaction) -> str:
    """Whom a redaction without a number names: the speaker who says who they are, the other side, or somebody else."""
    turn = conversation.turns[at]
    if _OWN.search(turn.text[: mark.start]):
        return f"is {turn.role}"
    probe = turn.text[: mark.start] + NAMES[0] + turn.text[mark.end :]
    others = {other.role for other in conversation.turns} - {turn.role}
    if len(others) == 1 and is_in_room(mention_at(probe, mark.start, mark.start + len(NAMES[0]))):
        return f"is {others.pop()}"
    return f"{at}:{mark.start}"


def _swapped(text: str, marked: Sequence[MarkedSpan], swap: Surrogates) -> tuple[str, Spans]:
    made, spans, done, size = [], [], 0, 0
    for span in marked:
        new = swap.of(span.marker, text[span.start : span.end])
        made += [text[done : span.start], new]
        size += span.start - done
        spans.append(EntitySpan(size, size + len(new), span.entity_type, 1.0, _RECOGNIZER))
        size, done = size + len(new), span.end
    return "".join([*made, text[done:]]), tuple(spans)
