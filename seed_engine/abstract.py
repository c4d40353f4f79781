"""Abstraction: every personal span of a conversation becomes a numbered role marker, one marker per thing.

A marker-like string that already stands in the source (`[PATIENT_1]`) is left as it is, and its number is skipped:
ours are never equal to it, and no marker is ever read back out of a source's text.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from seed_engine.conversation import Conversation
from seed_engine.domain import conversation_language, find_domain
from seed_engine.markers import Marker, iter_markers
from seed_engine.mentions import Read, read_mentions
from seed_engine.numbers import Numbers
from seed_engine.spans import EntitySpan
from seed_engine.speakers import turn_roles


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A span of the source and the marker that stands for it; half-open, in code points of the original text."""

    start: int
    end: int
    entity_type: str
    marker: Marker


@dataclass(frozen=True, slots=True)
class Abstraction:
    """A conversation with its personal spans replaced.

    Attributes:
        texts: one text a turn, markers in place. What the spans missed is still in there: for eyes that may see the
            source, never for a seed.
        marked: one tuple of spans a turn, left to right, not overlapping.
        kin: likewise the relatives that words mention ("my wife"). The words name nobody, so they stay in `texts`.
        surfaces: by marker, the different ways in which the thing was named; personal data, so `repr` hides it.
        owners: by e-mail or user-name marker, the person whose name it is made of.
        roles: one domain role a turn.
        domain: the domain profile's name.
        language: ISO 639-1, as found or given.
    """

    texts: tuple[str, ...] = field(repr=False)
    marked: tuple[tuple[MarkedSpan, ...], ...]
    kin: tuple[tuple[MarkedSpan, ...], ...]
    surfaces: dict[Marker, tuple[str, ...]] = field(repr=False)
    owners: dict[Marker, Marker]
    roles: tuple[str, ...]
    domain: str
    language: str

    @property
    def mentioned(self) -> tuple[tuple[MarkedSpan, ...], ...]:
        """What stands in `marked` and in `kin`, one tuple a turn, in reading order."""
        pairs = zip(self.marked, self.kin, strict=True)
        return tuple(tuple(sorted((*marked, *kin), key=lambda span: span.start)) for marked, kin in pairs)


def abstract(conversation: Conversation, spans: tuple[tuple[EntitySpan, ...], ...]) -> Abstraction:
    """Replace spans by markers, the same person, date, place or number by the same one.

    Args:
        conversation: the source.
        spans: one tuple a turn; overlapping ones are joined, what lies outside the text is cut off.

    Raises:
        ValueError: not one tuple of spans a turn.
    """
    if len(spans) != len(conversation.turns):
        raise ValueError("one tuple of spans a turn is expected")
    language = conversation_language(conversation)
    profile = find_domain(conversation)
    roles = turn_roles(conversation, profile)
    clean = tuple(_disjoint(turn.text, found) for turn, found in zip(conversation.turns, spans, strict=True))
    read = read_mentions(conversation, clean, roles, profile, language)
    markers = Numbers(read.people, _foreign(conversation)).markers(conversation, read.mentions)
    marked: dict[bool, list[list[MarkedSpan]]] = {kin: [[] for _ in conversation.turns] for kin in (False, True)}
    surfaces: dict[Marker, dict[str, None]] = defaultdict(dict)
    for mention, marker in zip(read.mentions, markers, strict=True):
        span = mention.span
        kin = span.entity_type == "KIN"
        marked[kin][mention.turn].append(MarkedSpan(span.start, span.end, span.entity_type, marker))
        if not kin:
            surfaces[marker][conversation.turns[mention.turn].text[span.start : span.end]] = None
    return Abstraction(
        texts=tuple(_replaced(turn.text, found) for turn, found in zip(conversation.turns, marked[False], strict=True)),
        marked=tuple(map(tuple, marked[False])),
        kin=tuple(map(tuple, marked[True])),
        surfaces={marker: tuple(said) for marker, said in surfaces.items()},
        owners=_owners(read, markers),
        roles=roles,
        domain=profile.name,
        language=language,
    )


def _disjoint(text: str, spans: tuple[EntitySpan, ...]) -> tuple[EntitySpan, ...]:
    """Spans inside the text, in order, overlapping ones joined under the longer one's type."""
    foreign = list(iter_markers(text)) if "[" in text else []
    kept: list[EntitySpan] = []
    for span in sorted(spans):
        start, end = max(0, span.start), min(len(text), span.end)
        if start >= end or any(a <= start and end <= b for a, b, _ in foreign):
            continue
        if kept and start < kept[-1].end:
            last = kept.pop()
            longer = span if end - start > last.end - last.start else last
            start, end, span = last.start, max(end, last.end), longer
        kept.append(EntitySpan(start, end, span.entity_type, span.score, span.recognizer))
    return tuple(kept)


def _owners(read: Read, markers: list[Marker]) -> dict[Marker, Marker]:
    whose = {id(mention.thing): marker for mention, marker in zip(read.mentions, markers, strict=True)}
    return {markers[place]: whose[id(person)] for place, person in read.owners.items() if id(person) in whose}


def _foreign(conversation: Conversation) -> frozenset[Marker]:
    return frozenset(
        marker for turn in conversation.turns if "[" in turn.text for _, _, marker in iter_markers(turn.text)
    )


def _replaced(text: str, spans: list[MarkedSpan]) -> str:
    pieces, at = [], 0
    for span in spans:
        pieces += [text[at : span.start], str(span.marker)]
        at = span.end
    return "".join([*pieces, text[at:]])
