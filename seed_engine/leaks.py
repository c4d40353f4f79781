"""Leaks: where a known value of a source stands in a text, and which of several finds of one place are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

How = Literal["exact", "normalised", "digits", "split", "near"]


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """Where a known value stands in a text; never which one.

    Attributes:
        turn: 0-based turn of the first code point.
        start: offset in that turn.
        end_turn: turn of the last code point, >= `turn`.
        end: one past the last code point, an offset in `end_turn`.
        entity_type: type of the value in the source.
        how: `exact` letter by letter; `normalised` but for case, accents, spacing or punctuation; `digits` alone;
            `split` over turns; `near` with one letter or digit changed, missing, too many or moved.
    """

    turn: int
    start: int
    end_turn: int
    end: int
    entity_type: str
    how: How

    def overlaps(self, other: Leak) -> bool:
        """Whether the two share a code point."""
        return (self.turn, self.start) < (other.end_turn, other.end) and (other.turn, other.start) < (
            self.end_turn,
            self.end,
        )


def largest(leaks: set[Leak]) -> tuple[Leak, ...]:
    """Leaks that no other contains: a telephone number is one leak, not one more for its last nine digits."""
    kept: list[Leak] = []
    for leak in sorted(leaks, key=lambda leak: (leak.turn, leak.start, -leak.end_turn, -leak.end, leak.how)):
        if not kept or (leak.end_turn, leak.end) > (kept[-1].end_turn, kept[-1].end):
            kept.append(leak)
    return tuple(kept)
