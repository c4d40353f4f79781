"""Who is who: every name and every "my wife" of a conversation is given the person it means."""

from __future__ import annotations

from collections import Counter

from seed_engine.circle import Circle, Moment
from seed_engine.cues import ASKED, HINT, KIN, SELF, VOCATIVE, Cues
from seed_engine.kin import Kin
from seed_engine.kinfolk import (
    kin_kind,
    relative_by_family_name,
    relative_just_spoken_of,
    relative_meant,
    relative_named,
)
from seed_engine.names import ALIKE, DIFFERENT, GUESSED, name_tokens
from seed_engine.person import Name, Person


class People:
    """The people of one conversation, linked as they come up.

    Args:
        domain: the domain profile's name.
        asker: its first role.
        roles: the roles that speak.
    """

    def __init__(self, domain: str, asker: str, roles: frozenset[str]) -> None:
        self._circle = Circle(domain, asker, roles)

    def side(self, role: str) -> Person | None:
        """Who speaks in a role, or is known to fill it."""
        return self._circle.sides.get(role)

    def named(self, role: str) -> bool:
        """Whether the name of who speaks in a role is known."""
        person = self.side(role)
        return person is not None and bool(person.forms)

    def see(self, name: Name, cues: Cues, moment: Moment) -> Person:
        """The person that a name means; a new one when nobody fits."""
        votes = Counter(cues.votes)
        if cues.kin is not None:
            person = relative_named(self._circle, name, cues.kin, votes, moment)
            person = self._told(person or self._circle.new(), cues.kin, moment)
        else:
            person = self._linked(name, cues, votes, moment) or self._circle.new()
        if name.gender and person.gender and name.gender != person.gender:
            # Lists of names are no proof: what was said of the person stands, and neither decides from now on.
            person.gender = ""
        person.take(name)
        person.votes += votes
        if cues.side:
            self._seat(person, cues.side, votes[cues.side.upper()])
        if len(name.tokens) > 1:
            self._bridge(person, name)
        return self._circle.mention(person, moment)

    def relative(self, kin: Kin, moment: Moment, *, pointed: bool = False) -> Person:
        """The person that "my wife" means, named or not.

        Args:
            kin: relation and owner.
            moment: who says it.
            pointed: it is said of somebody just named ("that's my wife").
        """
        person = relative_meant(self._circle, kin, moment, pointed=pointed) or self._circle.new()
        if person.relation is None and person not in (self.side(moment.speaker), self.side(moment.addressee)):
            self._told(person, kin, moment)
        person.gender = person.gender or kin.relation.gender
        return self._circle.mention(person, moment)

    def owner(self, login: str, speaker: str) -> Person | None:
        """The person whose name an e-mail address or user name is made of, the speaker before others.

        What the address says of the name is remembered: the surname of somebody known as Lachlan alone.
        """
        local = name_tokens(login)
        if not local:
            return None
        own = self.side(speaker)
        people = [person for person in (own, *self._circle.recent) if person is not None]
        found = (person for partly in (False, True) for person in people if person.owns_login(local, partly=partly))
        person = next(found, None)
        if person is None and own is not None and own.starts_login(local[-1]):
            own.forms[(*next(iter(own.forms)), local[-1][1:])] = None
            return own
        if person is not None and len(local) == 2 and all(len(form) == 1 for form in person.forms):
            person.forms[local] = None
        return person

    def settle(self) -> None:
        """Give the role of who is taught or treated to the one most spoken of, where a relative speaks for them."""
        kind = self._circle.cared_for
        known = [*self._circle.recent, *self._circle.sides.values()]
        if not kind or any(person.kind == kind for person in known):
            return
        others = [p for p in self._circle.recent if not p.votes and p.forms and p.relation is None]
        best = max(others, key=lambda person: person.mentions, default=None)
        if best is not None and best.mentions > 1:
            best.votes[kind] += KIN

    def _told(self, person: Person, kin: Kin, moment: Moment) -> Person:
        """Remember whose relative somebody is."""
        person.votes[kin_kind(self._circle, kin, person)] += KIN if kin.relation.kin else HINT
        if person.relation is None and person not in self._circle.sides.values():
            person.relation, person.anchor = kin.relation, self._circle.anchor(kin, moment)
            person.gender = person.gender or kin.relation.gender
        return person

    def _seat(self, person: Person, side: str, votes: int) -> None:
        """Let somebody speak in a role: whoever says so, else the first who is called so and nobody's relative."""
        if votes >= SELF:
            self._circle.sides[side] = person
        elif votes > HINT and person.relation is None:
            self._circle.sides.setdefault(side, person)

    def _linked(self, name: Name, cues: Cues, votes: Counter[str], moment: Moment) -> Person | None:
        known = None
        if cues.alias:
            known = self.side(cues.side) if cues.side else self._spoken_of(name)
        if known is None and cues.met:
            known = self._just_met(name, moment)
            if known is not None:
                del votes[cues.side.upper()]
        if known is None and cues.unclear and not self.named(cues.side):
            known = relative_just_spoken_of(self._circle, name, Counter(), moment)
            if known is not None:
                del votes[cues.side.upper()]
        if known is None and (side := self.side(cues.side)) is not None:
            known = self._as_side(side, name, cues, votes, moment)
        if known is None and not cues.side:
            known = relative_by_family_name(self._circle, name)
        return (
            known
            or self._match(name, cues, votes, moment)
            or relative_by_family_name(self._circle, name)
            or relative_just_spoken_of(self._circle, name, votes, moment)
        )

    def _as_side(self, side: Person, name: Name, cues: Cues, votes: Counter[str], moment: Moment) -> Person | None:
        """The one who speaks or is spoken to, if the name can be theirs; else the name's votes are void."""
        said = votes[cues.side.upper()]
        if side.likeness(name) > DIFFERENT or not side.forms or (said >= SELF and side.shares_part(name)):
            return side
        known_else = any(p is not side and p.likeness(name) >= ALIKE for p in self._circle.recent)
        # Who asks calls his doctor by title: a first name at the start of his sentence is somebody else's.
        called = said > HINT or moment.speaker != self._circle.asker
        if called and not known_else and side.completes(name, called=said == VOCATIVE):
            return side
        if said in (HINT, VOCATIVE, ASKED):
            del votes[cues.side.upper()]
        return None

    def _match(self, name: Name, cues: Cues, votes: Counter[str], moment: Moment) -> Person | None:
        best: tuple[int, int, int] | None = None
        chosen = None
        top = max(votes, key=lambda kind: votes[kind], default="")
        for age, person in enumerate(self._circle.recent):
            like = person.likeness(name)
            if like == DIFFERENT or person.conflicts(votes, name) or self._is_stranger(person, name, cues):
                continue
            if like == GUESSED and top and person.votes and person.kind != top:
                continue
            if person is self.side(moment.speaker) and cues.side != moment.speaker:
                # Nobody calls himself by name, nor speaks of himself as his son.
                to_nobody = cues.side != "" and not self.named(cues.side)
                if to_nobody or relative_just_spoken_of(self._circle, name, votes, moment) is not None:
                    continue
                like -= 1
            agrees = 2 if top and person.votes and person.kind == top else 0
            exact = int(name.tokens in person.forms)
            rank = (like + agrees + exact, exact, -age)
            if best is None or rank > best:
                best, chosen = rank, person
        return chosen

    def _is_stranger(self, person: Person, name: Name, cues: Cues) -> bool:
        """Whether "a Mr. Paz" rules somebody out, whom both speakers know by another name."""
        known = bool(person.votes) or person in self._circle.sides.values()
        return cues.stranger and known and name.tokens not in person.forms

    def _just_met(self, name: Name, moment: Moment) -> Person | None:
        """Who is greeted after the other side presented somebody: "my mother, Philippa" "A pleasure, Mrs. Paz"."""
        for person in self._circle.third():
            if person.turn == moment.turn - 1 and person.by == moment.addressee:
                return person if person.likeness(name) >= ALIKE else None
        return None

    def _bridge(self, person: Person, name: Name) -> None:
        """A full name shows that a first name and a surname, so far two people, are one."""
        for other in self._circle.recent:
            if other is person or other.relation is not None or other.votes or not other.forms:
                continue
            if all(len(form) == 1 and form[0] in name.tokens for form in other.forms):
                person.absorb(other)
                self._circle.recent.remove(other)
                return

    def _spoken_of(self, name: Name) -> Person | None:
        others = self._circle.third()
        return next((p for p in others if not (name.gender and p.gender and name.gender != p.gender)), None)
