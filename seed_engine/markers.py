"""Role markers: what stands in a text where a person, place or number stood.

Grammar (published; `parse_marker` and `str` round-trip)::

    marker = "[" kind "_" number "]"
    kind   = upper-case ASCII letters, joined by single underscores     e.g. PATIENT, NATIONAL_ID
    number = positive decimal without leading zero                      e.g. 1, 12
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MARKER_PATTERN = re.compile(r"\[([A-Z]+(?:_[A-Z]+)*)_([1-9][0-9]{0,5})\]")


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """One thing of a conversation, e.g. the first patient.

    Attributes:
        kind: role or kind of thing, one of the vocabulary's `marker_kinds`.
        number: >= 1, counted per kind in order of first mention.
    """

    kind: str
    number: int

    def __str__(self) -> str:
        return f"[{self.kind}_{self.number}]"


def parse_marker(text: str) -> Marker:
    """Read one whole marker.

    Raises:
        ValueError: if `text` is not exactly one marker; the message does not quote it.
    """
    match = MARKER_PATTERN.fullmatch(text)
    if match is None:
        raise ValueError("not a role marker")
    return Marker(match[1], int(match[2]))


def iter_markers(text: str) -> Iterator[tuple[int, int, Marker]]:
    """Yield `(start, end, marker)` for every marker in a text, half-open, left to right."""
    for match in MARKER_PATTERN.finditer(text):
        yield match.start(), match.end(), Marker(match[1], int(match[2]))
