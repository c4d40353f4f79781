"""Mentions: every personal span and every relative that words mention, with the thing or person it means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from seed_engine.circle import Moment
from seed_engine.conversation import Conversation
from seed_engine.cue_patterns import SURNAME_ASKED, SURNAME_SAID, TITLE
from seed_engine.cues import SELF, Cues, Scene, read_cues
from seed_engine.fold import fold
from seed_engine.identity import People
from seed_engine.kin import KinMention, kin_mentions, leading_kin
from seed_engine.kinds import marker_kind
from seed_engine.person import Person, read_name
from seed_engine.spans import EntitySpan
from seed_engine.things import tail_of, thing_key
from seed_engine.vocabulary import DomainProfile, speaker_labels

_WORD = re.compile(r"[^\W\d_]+")
_TITLE_END = re.compile(rf"(?<!\w){TITLE}$")
_LONGEST_TITLE, _ANSWER_STARTS, _QUESTION = 20, 24, 60
_LOGINS = ("EMAIL", "USERNAME")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place of a text and what it means.

    Attributes:
        turn: index of the turn.
        span: half-open place; `KIN` is the type of kinship words, which no detector finds.
        kind: marker kind of a thing; empty for people.
        thing: a person, or the thing's running number within its kind.
        key: what spellings of the thing share; personal data, so `repr` hides it.
    """

    turn: int
    span: EntitySpan
    kind: str
    thing: int | Person
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Read:
    """A conversation's mentions in reading order, its people, and by place in the list whose login stands there."""

    mentions: list[Mention]
    people: People
    owners: dict[int, Person]


def read_mentions(
    conversation: Conversation,
    spans: tuple[tuple[EntitySpan, ...], ...],
    roles: tuple[str, ...],
    profile: DomainProfile,
    language: str,
) -> Read:
    """Every span and every unnamed relative with what it means.

    Args:
        conversation: the source.
        spans: of each turn, in order and apart.
        roles: one role a turn.
        profile: the conversation's domain.
        language: ISO 639-1.
    """
    people = People(profile.name, profile.roles[0], frozenset(roles))
    _meet_speakers(conversation, roles, people)
    things: dict[str, dict[str, int]] = {}
    mentions: list[Mention] = []
    logins: dict[int, tuple[str, str, Person | None]] = {}
    opened: set[str] = set()
    for i, (turn, found) in enumerate(zip(conversation.turns, spans, strict=True)):
        scene = _scene(conversation, roles, profile, language, i)
        moment = Moment(i, scene.speaker, scene.addressee)
        names = [(span.start, span.end) for span in found if span.entity_type == "PERSON"]
        for item in _in_order(found, kin_mentions(turn.text, names)):
            if isinstance(item, KinMention):
                place = EntitySpan(item.start, item.end, "KIN", 1.0, "kin")
                mentions.append(Mention(i, place, "", people.relative(item.kin, moment, pointed=item.pointed)))
                continue
            surface = turn.text[item.start : item.end]
            if item.entity_type == "PERSON":
                person = _meet(turn.text, item, scene, moment, people, opens=roles[i] not in opened)
                mentions.append(Mention(i, item, "", person))
                continue
            kind = marker_kind(item.entity_type)
            if kind in _LOGINS:
                logins[len(mentions)] = (surface, roles[i], people.owner(surface, roles[i]))
            known = things.setdefault(kind, {})
            key = thing_key(kind, surface, language)
            key = tail_of(kind, key, known) or key
            mentions.append(Mention(i, item, kind, known.setdefault(key, len(known)), key))
        opened.add(roles[i])
    return _settled(mentions, people, logins)


def _settled(mentions: list[Mention], people: People, logins: dict[int, tuple[str, str, Person | None]]) -> Read:
    """What only the end of the conversation tells: who turned out to be whom, and whose the logins are."""
    people.settle()
    mentions = [
        replace(mention, thing=mention.thing.final) if isinstance(mention.thing, Person) else mention
        for mention in mentions
    ]
    # Whose login it is may be known only when more has been said.
    found_owners = {place: owner or people.owner(login, role) for place, (login, role, owner) in logins.items()}
    owners = {place: owner.final for place, owner in found_owners.items() if owner is not None}
    return Read(mentions, people, owners)


def _meet(text: str, span: EntitySpan, scene: Scene, moment: Moment, people: People, *, opens: bool) -> Person:
    surface = text[span.start : span.end]
    lead = leading_kin(surface)
    if lead is not None and lead[0] == len(surface):
        return people.relative(lead[1], moment)
    start = span.start + (lead[0] if lead is not None else _before_name(surface))
    title = _TITLE_END.search(fold(text[max(0, start - _LONGEST_TITLE) : start]))
    name = read_name((title[0] if title else "") + text[start : span.end])
    asked = start < _ANSWER_STARTS and SURNAME_ASKED.search(fold(scene.before[-_QUESTION:]))
    if len(name.tokens) <= 2 and asked:
        name = replace(name, surname=True)
    if len(name.tokens) == 1 and SURNAME_SAID.search(fold(text[max(0, start - _LONGEST_TITLE) : start])):
        name = replace(name, surname=True)
    told = Scene(
        **{
            key: getattr(scene, key)
            for key in ("domain", "language", "speaker", "addressee", "asker", "staff", "before")
        },
        opens=opens,
        speaker_named=people.named(scene.speaker),
        addressee_named=people.named(scene.addressee),
    )
    return people.see(name, read_cues(text, start, span.end, told), moment)


def _in_order(spans: tuple[EntitySpan, ...], relatives: Iterator[KinMention]) -> list[EntitySpan | KinMention]:
    return sorted((*spans, *relatives), key=lambda item: item.start)


def _before_name(surface: str) -> int:
    """Length of the lower-case words that a detector took along before a capitalised name ("soy Marcia")."""
    words = list(_WORD.finditer(surface))
    name = next((word.start() for word in words if not word[0].islower()), 0)
    return name if name and words[-1].start() >= name else 0


def _meet_speakers(conversation: Conversation, roles: tuple[str, ...], people: People) -> None:
    """Display names (WhatsApp, subtitles) name their speaker before anybody says a word."""
    names = {(turn.name, role): None for turn, role in zip(conversation.turns, roles, strict=True) if turn.name}
    for name, role in names:
        if name is not None and fold(name) not in speaker_labels() and any(char.isalpha() for char in name):
            votes = Cues().votes
            votes[role.upper()] = SELF
            people.see(read_name(name), Cues(votes, role), Moment(0, role, role))


def _scene(
    conversation: Conversation, roles: tuple[str, ...], profile: DomainProfile, language: str, turn: int
) -> Scene:
    speaker = roles[turn]
    near = [*reversed(roles[max(0, turn - 4) : turn]), *roles[turn + 1 : turn + 5]]
    other = next((role for role in near if role != speaker), None)
    if other is None:
        other = next((role for role in profile.roles if role != speaker), speaker)
    before = conversation.turns[turn - 1].text if turn and roles[turn - 1] != speaker else ""
    staff = profile.roles[min(1, len(profile.roles) - 1)]
    return Scene(profile.name, language, speaker, other, profile.roles[0], staff, before)
