"""Role markers: what stands in a text where a person, place or number stood.

Grammar (published; `parse_marker` and `str` round-trip, `semilla validate` accepts nothing else)::

    marker   = "[" thing [ "." relation ] [ ": " note ] "]"
    thing    = kind "_" number                                          [PATIENT_1]
    kind     = upper-case ASCII letters, joined by single underscores
    number   = positive decimal without leading zero, at most 4 digits
    relation = a name of data/relations.json                            [PATIENT_1.spouse]: the first patient's spouse
    note     = relation                                                 [RELATIVE_1: daughter]
             | thing " + " distance | thing " - " distance              [DATE_2: DATE_1 + 3 weeks]
             | age band of the vocabulary                               [AGE_1: 30-44]
             | place kind                                               [LOCATION_1: city]
    distance = 1..13 day(s) | 2..8 weeks | 2..23 months | 2..9 or 10, 20 .. 90 years

A note tells about a thing and is no part of its identity: `[DATE_2]` and `[DATE_2: DATE_1 + 3 weeks]` are equal.
Every word in a marker comes from a closed list and every number is small or a band, so no text of a source fits in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from seed_engine.relations import relation_names
from seed_engine.vocabulary import vocabulary

PLACE_KINDS = ("address", "postcode", "city", "region", "country", "facility")
_THING = r"[A-Z]+(?:_[A-Z]+)*_[1-9][0-9]{0,3}"
_DISTANCE = r"(?:1 day|(?:[2-9]|1[0-3]) days|[2-8] weeks|(?:[2-9]|1[0-9]|2[0-3]) months|[1-9]0 years|[2-9] years)"
_RELATION = "|".join(sorted(relation_names(), key=len, reverse=True))
_WORDS = "|".join(re.escape(word) for word in (*vocabulary().age_bands, *PLACE_KINDS))
NOTE = rf"(?:{_THING} [+-] {_DISTANCE}|{_RELATION}|{_WORDS})"
# As a pattern of JSON Schema too, so nothing that only Python knows stands in it.
MARKER_TAIL = rf"(?:\.({_RELATION}))?(?:: ({NOTE}))?"
MARKER_PATTERN = re.compile(rf"\[([A-Z]+(?:_[A-Z]+)*)_([1-9][0-9]{{0,3}}){MARKER_TAIL}\]")
_REFERENCE = re.compile(rf"({_THING}) ([+-] .+)")


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """One thing of a conversation, e.g. the first patient.

    Attributes:
        kind: role or kind of thing, one of the vocabulary's `marker_kinds`.
        number: >= 1, counted per kind in order of first mention.
        relation: set for somebody who is known only as a relative of `kind_number`, e.g. `spouse`.
        note: what else may be told about the thing, see the grammar; two markers that differ in it alone are equal.
    """

    kind: str
    number: int
    relation: str = ""
    note: str = field(default="", compare=False)

    def __str__(self) -> str:
        relation = f".{self.relation}" if self.relation else ""
        note = f": {self.note}" if self.note else ""
        return f"[{self.kind}_{self.number}{relation}{note}]"

    @property
    def role(self) -> str:
        """The kind of whom or what the marker stands for: `[PATIENT_1.spouse]` is a `RELATIVE`."""
        return "RELATIVE" if self.relation else self.kind

    @property
    def is_person(self) -> bool:
        """Whether the marker stands for a person."""
        return self.kind == "PERSON" or self.kind.lower() in vocabulary().roles

    @property
    def fits(self) -> bool:
        """Whether relation and note are ones that a thing of this kind can have: no age band on a city."""
        if self.relation and not self.is_person:
            return False
        if not self.note:
            return True
        if self.kind == "DATE":
            return self.reference is not None and self.reference.kind == "DATE" and self.reference != self
        if self.kind == "AGE":
            return self.note in vocabulary().age_bands
        if self.kind == "LOCATION":
            return self.note in PLACE_KINDS
        return self.is_person and not self.relation and self.note in relation_names()

    @property
    def reference(self) -> Marker | None:
        """The marker that the note counts from: `DATE_1` in `[DATE_2: DATE_1 + 3 weeks]`."""
        match = _REFERENCE.fullmatch(self.note)
        return parse_marker(f"[{match[1]}]") if match is not None else None

    @property
    def distance(self) -> str:
        """What the note adds to `reference`, e.g. `+ 3 weeks`; empty without one."""
        match = _REFERENCE.fullmatch(self.note)
        return match[2] if match is not None else ""


def parse_marker(text: str) -> Marker:
    """Read one whole marker.

    Raises:
        ValueError: if `text` is not exactly one marker; the message does not quote it.
    """
    match = MARKER_PATTERN.fullmatch(text)
    if match is None:
        raise ValueError("not a role marker")
    return _marker(match)


def iter_markers(text: str) -> Iterator[tuple[int, int, Marker]]:
    """Yield `(start, end, marker)` for every marker in a text, half-open, left to right."""
    for match in MARKER_PATTERN.finditer(text):
        yield match.start(), match.end(), _marker(match)


def without_notes(text: str) -> str:
    """The same text with bare markers, for rules that would take a note's "3 weeks" for the speaker's words."""
    return MARKER_PATTERN.sub(lambda match: f"[{match[1]}_{match[2]}]", text) if "[" in text else text


def _marker(match: re.Match[str]) -> Marker:
    return Marker(match[1], int(match[2]), match[3] or "", match[4] or "")
