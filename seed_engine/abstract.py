"""Abstraction: every personal span of a conversation becomes a numbered role marker, one marker per thing.

A marker-like string that already stands in the source (`[PATIENT_1]`) is left as it is, and its number is skipped:
ours are never equal to it, and no marker is ever read back out of a source's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from seed_engine.conversation import Conversation
from seed_engine.cues import SELF, TITLE, VOCATIVE, Scene, role_votes
from seed_engine.domain import conversation_language, find_domain
from seed_engine.fold import fold
from seed_engine.identity import People, Person, tail_of, thing_key
from seed_engine.kinds import marker_kind
from seed_engine.markers import Marker, iter_markers
from seed_engine.spans import EntitySpan
from seed_engine.speakers import turn_roles
from seed_engine.vocabulary import DomainProfile, vocabulary

_WORD = re.compile(r"[^\W\d_]+")


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
        surfaces: by marker, the different ways in which the thing was named; personal data, so `repr` hides it.
        owners: by e-mail or user-name marker, the person whose name it is made of.
        roles: one domain role a turn.
        domain: the domain profile's name.
        language: ISO 639-1, as found or given.
    """

    texts: tuple[str, ...] = field(repr=False)
    marked: tuple[tuple[MarkedSpan, ...], ...]
    surfaces: dict[Marker, tuple[str, ...]] = field(repr=False)
    owners: dict[Marker, Marker]
    roles: tuple[str, ...]
    domain: str
    language: str


@dataclass(frozen=True, slots=True)
class _Mention:
    turn: int
    span: EntitySpan
    kind: str
    thing: int | Person


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
    mentions, owners = _mentions(conversation, clean, roles, profile, language)
    markers = _number(mentions, _foreign(conversation))
    marked: list[list[MarkedSpan]] = [[] for _ in conversation.turns]
    surfaces: dict[Marker, dict[str, None]] = {}
    owned: dict[Marker, Marker] = {}
    for mention, marker in zip(mentions, markers, strict=True):
        span = mention.span
        marked[mention.turn].append(MarkedSpan(span.start, span.end, span.entity_type, marker))
        surface = conversation.turns[mention.turn].text[span.start : span.end]
        surfaces.setdefault(marker, {})[surface] = None
    whose = {id(mention.thing): marker for mention, marker in zip(mentions, markers, strict=True)}
    for place, person in owners.items():
        if id(person) in whose:
            owned[markers[place]] = whose[id(person)]
    return Abstraction(
        texts=tuple(_replaced(turn.text, found) for turn, found in zip(conversation.turns, marked, strict=True)),
        marked=tuple(tuple(found) for found in marked),
        surfaces={marker: tuple(said) for marker, said in surfaces.items()},
        owners=owned,
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


def _mentions(
    conversation: Conversation,
    spans: tuple[tuple[EntitySpan, ...], ...],
    roles: tuple[str, ...],
    profile: DomainProfile,
    language: str,
) -> tuple[list[_Mention], dict[int, Person]]:
    """Every span with the thing it names, and the person behind e-mail addresses by place in the list."""
    people = People()
    _meet_speakers(conversation, roles, people)
    things: dict[str, dict[str, int]] = {}
    mentions: list[_Mention] = []
    logins: dict[int, str] = {}
    for i, (turn, found) in enumerate(zip(conversation.turns, spans, strict=True)):
        for span in found:
            surface = turn.text[span.start : span.end]
            if span.entity_type == "PERSON":
                scene = _scene(conversation, roles, profile, i)
                start = span.start + _before_name(surface)
                votes = role_votes(turn.text, start, span.end, scene)
                addressed = votes[scene.addressee.upper()] in (VOCATIVE, VOCATIVE + TITLE)
                person = people.see(turn.text[start : span.end], votes, addressed=addressed)
                mentions.append(_Mention(i, span, "", person))
                continue
            kind = marker_kind(span.entity_type)
            if kind in ("EMAIL", "USERNAME"):
                logins[len(mentions)] = surface
            known = things.setdefault(kind, {})
            key = thing_key(kind, surface, language)
            key = tail_of(kind, key, known) or key
            mentions.append(_Mention(i, span, kind, known.setdefault(key, len(known))))
    owners = {place: owner for place, surface in logins.items() if (owner := people.owner(surface)) is not None}
    return mentions, owners


def _before_name(surface: str) -> int:
    """Length of the lower-case words that a detector took along before a capitalised name ("soy Marcia")."""
    words = list(_WORD.finditer(surface))
    name = next((word.start() for word in words if not word[0].islower()), 0)
    return name if name and words[-1].start() >= name else 0


def _meet_speakers(conversation: Conversation, roles: tuple[str, ...], people: People) -> None:
    """Display names (WhatsApp, subtitles) name their speaker before anybody says a word."""
    labels = {
        fold(name) for item in vocabulary().domains.values() for names in item.speakers.values() for name in names
    }
    names = {(turn.name, role): None for turn, role in zip(conversation.turns, roles, strict=True) if turn.name}
    for name, role in names:
        if name is not None and fold(name) not in labels and any(char.isalpha() for char in name):
            people.see(name, _self_vote(role))


def _self_vote(role: str) -> Counter[str]:
    return Counter({role.upper(): SELF})


def _scene(conversation: Conversation, roles: tuple[str, ...], profile: DomainProfile, turn: int) -> Scene:
    speaker = roles[turn]
    near = [*reversed(roles[max(0, turn - 4) : turn]), *roles[turn + 1 : turn + 5]]
    other = next((role for role in near if role != speaker), None)
    if other is None:
        other = next((role for role in profile.roles if role != speaker), speaker)
    before = conversation.turns[turn - 1].text if turn and roles[turn - 1] != speaker else ""
    return Scene(profile.name, speaker, other, profile.roles[0], before)


def _foreign(conversation: Conversation) -> frozenset[Marker]:
    return frozenset(
        marker for turn in conversation.turns if "[" in turn.text for _, _, marker in iter_markers(turn.text)
    )


def _number(mentions: list[_Mention], foreign: frozenset[Marker]) -> list[Marker]:
    """Markers in order of first mention, per kind, past the numbers that the source uses itself."""
    given: dict[tuple[str, int], Marker] = {}
    counts: dict[str, Iterator[Marker]] = {}
    markers = []
    known = set(vocabulary().marker_kinds)
    for mention in mentions:
        person = mention.thing if isinstance(mention.thing, Person) else None
        kind = person.kind if person is not None else mention.kind
        kind = kind if kind in known else "ID"
        number = person.number if person is not None else int(mention.thing)  # type: ignore[arg-type]
        key = ("PERSON" if person is not None else kind, number)
        if key not in given:
            given[key] = next(counts.setdefault(kind, _free(kind, foreign)))
        markers.append(given[key])
    return markers


def _free(kind: str, foreign: frozenset[Marker]) -> Iterator[Marker]:
    numbers = (Marker(kind, number) for number in range(1, 1_000_000))
    return (marker for marker in numbers if marker not in foreign)


def _replaced(text: str, spans: list[MarkedSpan]) -> str:
    pieces, at = [], 0
    for span in spans:
        pieces += [text[at : span.start], str(span.marker)]
        at = span.end
    return "".join([*pieces, text[at:]])
