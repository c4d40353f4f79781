"""Entity spans: where personal data stands in a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class EntitySpan:
    """One stretch of personal data, named as Presidio names it.

    Attributes:
        start: first code point, >= 0.
        end: one past the last code point, > start (half-open).
        entity_type: Presidio's spelling where it has one (`PERSON`, `EMAIL_ADDRESS`, `DATE_TIME`).
        score: confidence in [0, 1].
        recognizer: the recognizer that found it.
    """

    start: int
    end: int
    entity_type: str
    score: float
    recognizer: str

    def overlaps(self, other: EntitySpan) -> bool:
        """Whether the two share at least one code point."""
        return self.start < other.end and other.start < self.end
