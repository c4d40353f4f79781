"""Numbers: from who and what is mentioned to the markers that stand for it, numbered per kind by first mention."""

from __future__ import annotations

from collections.abc import Iterator

from seed_engine.conversation import Conversation
from seed_engine.identity import People
from seed_engine.markers import Marker
from seed_engine.mentions import Mention
from seed_engine.notes import age_note, date_notes, place_note
from seed_engine.person import Person
from seed_engine.vocabulary import vocabulary

_MOST = 1_000_000


class Numbers:
    """The markers of one conversation.

    Args:
        people: its people; whose relatives are told by kinship alone.
        foreign: markers that stand in the source itself, which are never given out.
    """

    def __init__(self, people: People, foreign: frozenset[Marker]) -> None:
        self._people, self._foreign = people, foreign
        self._counts: dict[str, Iterator[Marker]] = {}
        self._given: dict[tuple[str, int], Marker] = {}
        self._nameless: dict[str, Marker] = {}

    def markers(self, conversation: Conversation, mentions: list[Mention]) -> list[Marker]:
        """One marker a mention; the same thing has the same one, its note included, wherever it is mentioned."""
        bare = []
        for mention in mentions:
            if isinstance(mention.thing, Person):
                bare.append(self._person(mention.thing))
            else:
                bare.append(self._thing(mention.kind, mention.thing))
        notes = _notes(conversation, mentions, bare)
        return [notes.get(marker, marker) for marker in bare]

    def _person(self, person: Person) -> Marker:
        key = ("PERSON", person.number)
        if key not in self._given:
            relative = person.relation is not None and person.kind in ("RELATIVE", "PERSON")
            name = person.relation.name if relative and person.relation is not None else ""
            unnamed = self._relative_of(person.anchor, name) if name and person.anchor and not person.forms else None
            if unnamed is None:
                marker = self._free(person.kind)
                unnamed = Marker(marker.kind, marker.number, note=name)
            self._given[key] = unnamed
        return self._given[key]

    def _relative_of(self, role: str, relation: str) -> Marker | None:
        """`[PATIENT_1.spouse]`, unless somebody else, here or in the source, is called so."""
        anchor = self._anchor(role)
        marker = Marker(anchor.kind, anchor.number, relation)
        taken = marker in self._foreign or marker in self._given.values()
        return None if taken or anchor.relation else marker

    def _anchor(self, role: str) -> Marker:
        """Whoever fills a role, or a number kept for him who is never named."""
        known = self._people.side(role)
        if known is not None and known.final.forms:
            return self._person(known.final)
        if role not in self._nameless:
            self._nameless[role] = self._free(role.upper())
        return self._nameless[role]

    def _thing(self, kind: str, number: int) -> Marker:
        kind = kind if kind in _kinds() else "ID"
        if (kind, number) not in self._given:
            self._given[kind, number] = self._free(kind)
        return self._given[kind, number]

    def _free(self, kind: str) -> Marker:
        kind = kind if kind in _kinds() else "ID"
        if kind not in self._counts:
            self._counts[kind] = (
                marker for number in range(1, _MOST) if (marker := Marker(kind, number)) not in self._foreign
            )
        return next(self._counts[kind])


def _notes(conversation: Conversation, mentions: list[Mention], markers: list[Marker]) -> dict[Marker, Marker]:
    noted: dict[Marker, Marker] = {}
    dates: dict[Marker, str] = {}
    for mention, marker in zip(mentions, markers, strict=True):
        if marker in noted or marker.kind not in ("DATE", "AGE", "LOCATION"):
            continue
        surface = conversation.turns[mention.turn].text[mention.span.start : mention.span.end]
        if marker.kind == "DATE":
            dates.setdefault(marker, mention.key)
            continue
        note = age_note(surface) if marker.kind == "AGE" else place_note(surface, mention.span.entity_type)
        if note:
            noted[marker] = Marker(marker.kind, marker.number, note=note)
    return noted | date_notes(list(dates.items()))


def _kinds() -> frozenset[str]:
    return frozenset(vocabulary().marker_kinds)
