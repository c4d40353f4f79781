"""Who is who: every name and every "my wife" of a conversation is given the person it means."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from seed_engine.cues import ASKED, HINT, KIN, SELF, VOCATIVE, Cues
from seed_engine.kin import Kin
from seed_engine.names import ALIKE, DIFFERENT, GUESSED, name_tokens
from seed_engine.person import Name, Person
from seed_engine.relations import Relation

# Linking looks at this many people, latest first, so that 10,000 turns stay linear. Nobody is meant by a bare first
# name after 64 others came up.
_WINDOW = 64
# "My husband ... Arun quit": a name so many turns after an unnamed relative can be the relative's; a name that is
# surely of the relative's gender, so many.
_SALIENT_TURNS, _LONG_SALIENT = 2, 6
# Who is likely to be called Mr. or Mrs. and the family's name.
_HOUSEHOLD = frozenset({"spouse", "partner", "mother", "father"})
_ALIKE_RELATIONS = (
    {"spouse", "partner"},
    {"son", "child"},
    {"daughter", "child"},
    {"sibling", "brother"},
    {"sibling", "sister"},
)


@dataclass(frozen=True, slots=True)
class Moment:
    """When and by whom something is said; roles as the domain spells them."""

    turn: int
    speaker: str
    addressee: str


class People:
    """The people of one conversation, linked as they come up.

    Args:
        domain: the domain profile's name.
        asker: its first role.
        roles: the roles that speak.
    """

    def __init__(self, domain: str, asker: str, roles: frozenset[str]) -> None:
        self._domain, self._asker, self._roles = domain, asker, roles
        self._recent: list[Person] = []
        self._sides: dict[str, Person] = {}
        self._count = 0

    def side(self, role: str) -> Person | None:
        """Who speaks in a role, or is known to fill it."""
        return self._sides.get(role)

    def named(self, role: str) -> bool:
        """Whether the name of who speaks in a role is known."""
        return role in self._sides and bool(self._sides[role].forms)

    def see(self, name: Name, cues: Cues, moment: Moment) -> Person:
        """The person that a name means; a new one when nobody fits."""
        votes = Counter(cues.votes)
        if cues.kin is not None:
            person = self._named_relative(name, cues.kin, votes, moment)
            votes[self._kin_kind(cues.kin, moment, person)] += KIN if cues.kin.relation.kin else HINT
        else:
            person = self._linked(name, cues, votes, moment)
        if person is None:
            person = self._new()
        if cues.kin is not None and person.relation is None and person not in self._sides.values():
            person.relation, person.anchor = cues.kin.relation, self._anchor(cues.kin, moment)
            person.gender = person.gender or cues.kin.relation.gender
        if name.gender and person.gender and name.gender != person.gender:
            # Lists of names are no proof: what was said of the person stands, and neither decides from now on.
            person.gender = ""
        person.take(name)
        person.votes += votes
        if cues.side and votes[cues.side.upper()] > HINT:
            if votes[cues.side.upper()] >= SELF:
                self._sides[cues.side] = person
            if person.relation is None:
                self._sides.setdefault(cues.side, person)
        if len(name.tokens) > 1:
            self._bridge(person, name)
        return self._mentioned(person, moment)

    def relative(self, kin: Kin, moment: Moment, *, pointed: bool = False) -> Person:
        """The person that "my wife" means, named or not.

        Args:
            kin: relation and owner.
            moment: who says it.
            pointed: it is said of somebody just named ("that's my wife").
        """
        anchor = self._anchor(kin, moment)
        person = self._pointed(kin) if pointed else None
        person = person or self._related(kin, anchor) or self._cared_for(kin, anchor) or self._just_named(kin, moment)
        if person is None:
            person = self._new()
        if person.relation is None and person not in (
            self._sides.get(moment.speaker),
            self._sides.get(moment.addressee),
        ):
            person.relation, person.anchor = kin.relation, anchor
            person.votes[self._kin_kind(kin, moment, person)] += KIN if kin.relation.kin else HINT
        person.gender = person.gender or kin.relation.gender
        return self._mentioned(person, moment)

    def owner(self, login: str, speaker: str) -> Person | None:
        """The person whose name an e-mail address or user name is made of, the speaker before others."""
        local = name_tokens(login)
        if not local:
            return None
        own = self._sides.get(speaker)
        people = [person for person in (own, *self._recent) if person is not None]
        found = (person for partly in (False, True) for person in people if person.owns_login(local, partly=partly))
        person = next(found, None)
        if person is None and own is not None and own.starts_login(local[-1]):
            own.forms[(*next(iter(own.forms)), local[-1][1:])] = None
            return own
        if person is not None and len(local) == 2 and all(len(form) == 1 for form in person.forms):
            # The address says the other half of the name.
            person.forms[local] = None
        return person

    def settle(self) -> None:
        """Give the role of who is taught or treated to the one most spoken of, where a relative speaks for them."""
        role = {"medical": "PATIENT", "tutoring": "STUDENT"}.get(self._domain, "")
        known = [*self._recent, *self._sides.values()]
        if not role or role.lower() in self._roles or any(person.kind == role for person in known):
            return
        if self._roles & {"relative", "parent"}:
            others = [p for p in self._recent if not p.votes and p.forms and p.relation is None]
            best = max(others, key=lambda person: person.mentions, default=None)
            if best is not None and best.mentions > 1:
                best.votes[role] += KIN

    def _linked(self, name: Name, cues: Cues, votes: Counter[str], moment: Moment) -> Person | None:
        if cues.alias:
            known = self._sides.get(cues.side) if cues.side else self._spoken_of(name)
            if known is not None:
                return known
        side = self._sides.get(cues.side)
        if side is not None and cues.met and (met := self._just_met(name, moment)) is not None:
            del votes[cues.side.upper()]
            return met
        if side is not None:
            called = votes[cues.side.upper()] == VOCATIVE
            others = [p for p in self._recent if p is not side and p.likeness(name) >= ALIKE]
            if (
                side.likeness(name) > DIFFERENT
                or not side.forms
                or (
                    (votes[cues.side.upper()] > HINT or moment.speaker != self._asker)
                    and not others
                    and side.completes(name, called=called)
                )
            ):
                return side
            if votes[cues.side.upper()] >= SELF and side.shares_part(name):
                return side
            if votes[cues.side.upper()] in (HINT, VOCATIVE, ASKED):
                # Known by another name, so somebody else is called.
                del votes[cues.side.upper()]
        return (
            (None if cues.side else self._family(name))
            or self._match(name, cues, votes, moment)
            or self._family(name)
            or self._unnamed_relative(name, votes, moment)
        )

    def _just_met(self, name: Name, moment: Moment) -> Person | None:
        """Who is greeted after the other side presented somebody: "my mother, Philippa" "A pleasure, Mrs. Paz"."""
        sides = self._sides.values()
        for person in self._recent:
            if person.turn == moment.turn - 1 and person.by == moment.addressee and person not in sides:
                return person if person.likeness(name) >= ALIKE else None
        return None

    def _match(self, name: Name, cues: Cues, votes: Counter[str], moment: Moment) -> Person | None:
        best: tuple[int, int, int] | None = None
        chosen = None
        speaker, sides = self._sides.get(moment.speaker), self._sides.values()
        top = max(votes, key=lambda kind: votes[kind], default="")
        for age, person in enumerate(self._recent):
            like = person.likeness(name)
            if (
                like == DIFFERENT
                or person.conflicts(votes, name)
                or (cues.stranger and name.tokens not in person.forms and (person.votes or person in sides))
            ):
                continue
            if like == GUESSED and top and person.votes and person.kind != top:
                continue
            if person is speaker and cues.side != moment.speaker:
                # Nobody calls himself by name, nor speaks of himself as his son.
                if cues.side or self._unnamed_relative(name, votes, moment) is not None:
                    continue
                like -= 1
            agrees = 2 if top and person.votes and person.kind == top else 0
            exact = int(name.tokens in person.forms)
            rank = (like + agrees + exact, exact, -age)
            if best is None or rank > best:
                best, chosen = rank, person
        return chosen

    def _unnamed_relative(self, name: Name, votes: Counter[str], moment: Moment) -> Person | None:
        """The relative just spoken of whose name this may be."""
        if votes and max(votes.values()) >= VOCATIVE:
            return None
        fitting = []
        for person in self._recent:
            past = moment.turn - person.turn
            if person.relation is None or past > _LONG_SALIENT or not (not person.forms or person.completes(name)):
                continue
            if name.gender and person.gender and name.gender != person.gender:
                continue
            agreed = name.gender != "" and name.gender == person.gender
            longest = _LONG_SALIENT if person.forms or (agreed and not name.surname) else _SALIENT_TURNS
            if name.surname and person.relation.name not in _HOUSEHOLD:
                longest = 1
            if past <= longest:
                fitting.append(person)
        # Somebody's own wife before her father.
        return min(fitting, key=lambda person: not person.anchor, default=None)

    def _family(self, name: Name) -> Person | None:
        """The relative of whom no surname is known, called by the family's: "Mr. McRae", Isla McRae's brother."""
        if not (name.surname and name.titled):
            return None
        for person in self._recent:
            anchor = self._sides.get(person.anchor)
            if person.relation is None or anchor is None or person.gender != name.gender:
                continue
            if all(len(form) == 1 for form in person.forms) and anchor.likeness(replace(name, gender="")) > DIFFERENT:
                return person
        return None

    def _named_relative(self, name: Name, kin: Kin, votes: Counter[str], moment: Moment) -> Person | None:
        anchor = self._anchor(kin, moment)
        speaking = (self._sides.get(moment.speaker), self._sides.get(moment.addressee))
        for person in self._recent:
            if person in speaking and person.relation is None:
                continue
            same = person.relation is None or _same_relation(person.relation, kin.relation)
            same = same or (name.tokens in person.forms and not (person.anchor and person.anchor == anchor))
            if same and person.likeness(name) > DIFFERENT and not person.conflicts(votes, name):
                return person
        for person in self._recent:
            if person.relation is not None and not person.forms and _fits(person, kin, anchor):
                return person
        return None

    def _related(self, kin: Kin, anchor: str) -> Person | None:
        return next((p for p in self._recent if p.relation is not None and _fits(p, kin, anchor)), None)

    def _cared_for(self, kin: Kin, anchor: str) -> Person | None:
        """The patient or student whom a relative speaks about, whom nobody called a relative so far."""
        role = {"medical": "PATIENT", "tutoring": "STUDENT"}.get(self._domain)
        if anchor not in ("relative", "parent") or role is None or role.lower() in self._roles:
            return None
        for person in self._recent:
            fits = not (person.gender and kin.relation.gender and person.gender != kin.relation.gender)
            if person.kind == role and person.relation is None and fits:
                return person
        return None

    def _just_named(self, kin: Kin, moment: Moment) -> Person | None:
        """ "How is Leila?" "My wife is fine.": whom the other side just asked after, if the gender is right."""
        if kin.owner != "speaker" or not kin.relation.gender:
            return None
        asked = (p for p in self._recent if p.turn == moment.turn - 1 and p.by == p.first_by == moment.addressee)
        for person in asked:
            if not person.votes and person.relation is None and person.gender in ("", kin.relation.gender):
                return person
        return None

    def _bridge(self, person: Person, name: Name) -> None:
        """A full name shows that a first name and a surname, so far two people, are one."""
        for other in self._recent:
            if other is person or other.relation is not None or other.votes or not other.forms:
                continue
            if all(len(form) == 1 and form[0] in name.tokens for form in other.forms):
                person.absorb(other)
                self._recent.remove(other)
                return

    def _pointed(self, kin: Kin) -> Person | None:
        for person in self._recent[:3]:
            if person.forms and person.relation is None and person not in self._sides.values():
                clash = person.gender and kin.relation.gender and person.gender != kin.relation.gender
                return None if clash else person
        return None

    def _spoken_of(self, name: Name) -> Person | None:
        sides = self._sides.values()
        others = (person for person in self._recent if person not in sides)
        return next((p for p in others if not (name.gender and p.gender and name.gender != p.gender)), None)

    def _anchor(self, kin: Kin, moment: Moment) -> str:
        if kin.owner == "speaker":
            return moment.speaker
        if kin.owner == "addressee" or (kin.owner == "either" and moment.speaker != self._asker):
            return moment.addressee
        return ""

    def _kin_kind(self, kin: Kin, moment: Moment, person: Person | None) -> str:
        """A relative's marker kind: who is treated or taught keeps that role when a relative speaks."""
        if not kin.relation.kin:
            return "PERSON"
        if self._domain == "tutoring":
            if kin.relation.side == "child" and "parent" in self._roles:
                return "STUDENT"
            if kin.relation.side == "parent" and "student" in self._roles:
                return "PARENT"
        if self._domain == "medical" and "relative" in self._roles and "patient" not in self._roles:
            patients = (p for p in self._recent if p is not person and p.kind == "PATIENT")
            others = (p for p in self._recent if p is not person and p not in self._sides.values())
            if person is not None and person.kind == "PATIENT":
                return "PATIENT"
            if next(patients, None) is None and next(others, None) is None:
                return "PATIENT"
        return "RELATIVE"

    def _new(self) -> Person:
        person = Person(self._count)
        self._count += 1
        return person

    def _mentioned(self, person: Person, moment: Moment) -> Person:
        person.turn, person.by = moment.turn, moment.speaker
        person.first_by = person.first_by or moment.speaker
        person.mentions += 1
        if person in self._recent:
            self._recent.remove(person)
        self._recent.insert(0, person)
        del self._recent[_WINDOW:]
        return person


def _fits(person: Person, kin: Kin, anchor: str) -> bool:
    assert person.relation is not None
    if person.anchor and anchor and person.anchor != anchor:
        return False
    return _same_relation(person.relation, kin.relation)


def _same_relation(one: Relation, other: Relation) -> bool:
    if one.gender and other.gender and one.gender != other.gender:
        return False
    if "child" in (one.name, other.name) and one.side == other.side:
        return True
    return one.name == other.name or any({one.name, other.name} <= pair for pair in _ALIKE_RELATIONS)
