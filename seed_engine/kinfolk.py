"""Which relative is meant: by "my wife", by a name with a relation, or by a name after a relative was spoken of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from seed_engine.circle import Circle, Moment
from seed_engine.cues import VOCATIVE
from seed_engine.kin import Kin
from seed_engine.names import DIFFERENT
from seed_engine.person import Name, Person
from seed_engine.relations import Relation

# "My husband ... Arun quit": a name so many turns after an unnamed relative can be the relative's; a name that is
# surely of the relative's gender, so many.
_SALIENT_TURNS, _LONG_SALIENT = 2, 6
# Who is likely to be called Mr. or Mrs. and the family's name.
_HOUSEHOLD = frozenset({"spouse", "partner", "mother", "father"})
_ALIKE = ({"spouse", "partner"}, {"sibling", "brother"}, {"sibling", "sister"})


def relative_meant(circle: Circle, kin: Kin, moment: Moment, *, pointed: bool) -> Person | None:
    """Whom "my wife" means among those who came up; None when it is somebody new.

    Args:
        circle: who came up.
        kin: relation and owner.
        moment: who says it.
        pointed: it is said of somebody just named ("that's my wife").
    """
    anchor = circle.anchor(kin, moment)
    person = _pointed_at(circle, kin) if pointed else None
    if person is None:
        person = next((p for p in circle.recent if p.relation is not None and _fits(p, kin, anchor)), None)
    return person or _cared_for(circle, kin, anchor) or _asked_after(circle, kin, moment)


def relative_named(circle: Circle, name: Name, kin: Kin, votes: Counter[str], moment: Moment) -> Person | None:
    """Whom "my daughter Ana" means: an Ana who can be it, or a daughter without a name."""
    anchor = circle.anchor(kin, moment)
    speaking = (circle.sides.get(moment.speaker), circle.sides.get(moment.addressee))
    for person in circle.recent:
        if person in speaking and person.relation is None:
            continue
        same = person.relation is None or _same_relation(person.relation, kin.relation)
        # "Grandma Olga" to the child is "my mother-in-law Olga" to its mother.
        same = same or (name.tokens in person.forms and not (person.anchor and person.anchor == anchor))
        if same and person.likeness(name) > DIFFERENT and not person.conflicts(votes, name):
            return person
    unnamed = (p for p in circle.recent if p.relation is not None and not p.forms)
    return next((person for person in unnamed if _fits(person, kin, anchor)), None)


def relative_just_spoken_of(circle: Circle, name: Name, votes: Counter[str], moment: Moment) -> Person | None:
    """The relative of whom a name is still to come, if it may be this one."""
    if votes and max(votes.values()) >= VOCATIVE:
        return None
    fitting = []
    for person in circle.recent:
        past = moment.turn - person.turn
        if person.relation is None or past > _LONG_SALIENT or (person.forms and not person.completes(name)):
            continue
        if _clash(name.gender, person.gender):
            continue
        agreed = name.gender != "" and name.gender == person.gender
        longest = _LONG_SALIENT if person.forms or (agreed and not name.surname) else _SALIENT_TURNS
        if name.surname and person.relation.name not in _HOUSEHOLD:
            longest = 1
        if past <= longest:
            fitting.append(person)
    # Somebody's own wife before her father.
    return min(fitting, key=lambda person: not person.anchor, default=None)


def relative_by_family_name(circle: Circle, name: Name) -> Person | None:
    """The relative of whom no surname is known, called by the family's: "Mr. McRae", Isla McRae's brother."""
    if not (name.surname and name.titled):
        return None
    for person in circle.recent:
        anchor = circle.sides.get(person.anchor)
        if person.relation is None or anchor is None or person.gender != name.gender:
            continue
        if anchor.gender == name.gender:
            # "Ms. Paz" is Ana Paz herself rather than her mother.
            continue
        if all(len(form) == 1 for form in person.forms) and anchor.likeness(replace(name, gender="")) > DIFFERENT:
            return person
    return None


def kin_kind(circle: Circle, kin: Kin, person: Person | None) -> str:
    """A relative's marker kind: who is treated or taught keeps that role when a relative speaks.

    Args:
        circle: who came up.
        kin: relation and owner.
        person: whom it was found to be, if anybody known.
    """
    if not kin.relation.kin:
        return "PERSON"
    if circle.domain == "tutoring":
        if kin.relation.side == "child" and "parent" in circle.roles:
            return "STUDENT"
        if kin.relation.side == "parent" and "student" in circle.roles:
            return "PARENT"
    if circle.domain == "medical" and circle.cared_for:
        first = not any(p is not person for p in circle.third())
        taken = any(p is not person and p.kind == "PATIENT" for p in circle.recent)
        if (first and not taken) or (person is not None and person.kind == "PATIENT"):
            return "PATIENT"
    return "RELATIVE"


def _pointed_at(circle: Circle, kin: Kin) -> Person | None:
    sides = circle.sides.values()
    for person in circle.recent[:3]:
        if person.forms and person.relation is None and person not in sides:
            return None if _clash(person.gender, kin.relation.gender) else person
    return None


def _cared_for(circle: Circle, kin: Kin, anchor: str) -> Person | None:
    """The patient or student whom a relative speaks about, whom nobody called a relative so far."""
    if anchor not in ("relative", "parent") or not circle.cared_for:
        return None
    for person in circle.recent:
        meant = person.kind == circle.cared_for and person.relation is None
        if meant and not _clash(person.gender, kin.relation.gender):
            return person
    return None


def _asked_after(circle: Circle, kin: Kin, moment: Moment) -> Person | None:
    """Whom the other side brought up just before: "How is Leila?" "My wife is fine."."""
    if kin.owner != "speaker" or not kin.relation.gender:
        return None
    for person in circle.recent:
        asked = person.turn == moment.turn - 1 and person.by == person.first_by == moment.addressee
        asked = asked and not person.votes and person.relation is None
        if asked and not _clash(person.gender, kin.relation.gender):
            return person
    return None


def _fits(person: Person, kin: Kin, anchor: str) -> bool:
    assert person.relation is not None
    if person.anchor and anchor and person.anchor != anchor:
        return False
    return _same_relation(person.relation, kin.relation)


def _same_relation(one: Relation, other: Relation) -> bool:
    if _clash(one.gender, other.gender):
        return False
    if "child" in (one.name, other.name) and one.side == other.side:
        return True
    return one.name == other.name or any({one.name, other.name} <= pair for pair in _ALIKE)


def _clash(one: str, other: str) -> bool:
    """Whether two genders are told and differ."""
    return one != "" and other != "" and one != other
