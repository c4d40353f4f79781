"""Everybody who has come up in a conversation so far, and who speaks in which role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from seed_engine.kin import Kin
from seed_engine.person import Person

# Linking looks at this many people, latest first, so that 10,000 turns stay linear. Nobody is meant by a bare first
# name after 64 others came up.
_WINDOW = 64


@dataclass(frozen=True, slots=True)
class Moment:
    """When and by whom something is said; roles as the domain spells them."""

    turn: int
    speaker: str
    addressee: str


@dataclass(slots=True)
class Circle:
    """The people of one conversation while it is read.

    Attributes:
        domain: the domain profile's name.
        asker: its first role.
        roles: the roles that speak.
        recent: people, the one mentioned last first.
        sides: who speaks in a role, or is known to fill it.
    """

    domain: str
    asker: str
    roles: frozenset[str]
    recent: list[Person] = field(default_factory=list)
    sides: dict[str, Person] = field(default_factory=dict)
    _count: int = 0

    @property
    def cared_for(self) -> str:
        """The marker kind of who is treated or taught, where a relative speaks for them; else empty."""
        kind, by = {"medical": ("PATIENT", "relative"), "tutoring": ("STUDENT", "parent")}.get(self.domain, ("", ""))
        return kind if by in self.roles and kind.lower() not in self.roles else ""

    def third(self) -> Iterator[Person]:
        """Those who neither speak nor are spoken to, the one mentioned last first."""
        sides = self.sides.values()
        return (person for person in self.recent if person not in sides)

    def new(self) -> Person:
        """Somebody nobody has met."""
        person = Person(self._count)
        self._count += 1
        return person

    def mention(self, person: Person, moment: Moment) -> Person:
        """Note that a person was just mentioned."""
        person.turn, person.by = moment.turn, moment.speaker
        person.first_by = person.first_by or moment.speaker
        person.mentions += 1
        if person in self.recent:
            self.recent.remove(person)
        self.recent.insert(0, person)
        del self.recent[_WINDOW:]
        return person

    def anchor(self, kin: Kin, moment: Moment) -> str:
        """The role whose relative is meant; empty when it is somebody else's."""
        if kin.owner == "speaker":
            return moment.speaker
        if kin.owner == "addressee" or (kin.owner == "either" and moment.speaker != self.asker):
            return moment.addressee
        return ""
