"""One person of a conversation while it is read: names, role, whose relative; and whether a name can be theirs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from seed_engine.name_lexicon import gender_of, is_first_name
from seed_engine.names import DIFFERENT, is_login_of, is_surname, likeness, name_tokens, title_gender
from seed_engine.relations import Relation

# Two roles with so many votes each are two people.
STRONG = 3
_MANY_FORMS = 8
_DOCTORS = ("dr", "doctor", "doctora", "dra", "prof", "professor", "nurse")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it was said once.

    Attributes:
        tokens: the parts that identify, folded.
        gender: `m`, `f` or empty, by title or first name.
        surname: whether it is a surname alone ("Mr. Paz").
        titled: whether a title told the gender; a list of first names may be wrong about it.
    """

    tokens: tuple[str, ...]
    gender: str
    surname: bool
    titled: bool


@dataclass(slots=True, eq=False)
class Person:
    """One person of a conversation while it is read.

    Attributes:
        number: running number, >= 0.
        forms: the token tuples by which the person was named.
        votes: evidence for the person's role, by marker kind.
        relation: what the person is to the anchor, if a relative.
        anchor: the role whose relative the person is; empty when it is somebody else's.
        gender: `m`, `f` or empty.
        surname: whether only a surname is known.
        turn: where the person was last mentioned.
        by: the role that last spoke of the person.
        first_by: the role that brought the person up.
        mentions: how often the person was mentioned.
        same_as: somebody who turned out to be the same.
    """

    number: int
    forms: dict[tuple[str, ...], None] = field(default_factory=dict)
    votes: Counter[str] = field(default_factory=Counter)
    relation: Relation | None = None
    anchor: str = ""
    gender: str = ""
    surname: bool = False
    turn: int = 0
    by: str = ""
    first_by: str = ""
    mentions: int = 0
    same_as: Person | None = None

    @property
    def kind(self) -> str:
        """The marker kind with most votes; `PERSON` when nothing speaks for a role."""
        return max(self.votes, key=lambda kind: self.votes[kind], default="PERSON")

    @property
    def final(self) -> Person:
        """The person this one turned out to be."""
        return self if self.same_as is None else self.same_as.final

    def absorb(self, other: Person) -> None:
        """Take over all that is known of somebody who turned out to be this person."""
        self.forms |= other.forms
        self.votes += other.votes
        self.gender = self.gender or other.gender
        self.mentions += other.mentions
        other.same_as = self

    def likeness(self, name: Name) -> int:
        """How well a name can be this person's, `DIFFERENT` to `SAME` of `seed_engine.names`."""
        unlike = name.gender and self.gender and name.gender != self.gender
        if unlike and (name.titled or name.tokens not in self.forms):
            return DIFFERENT
        most = max(map(len, self.forms), default=0)
        # The fullest forms decide: "Ana Ruiz" once known, "Ana Soto" is somebody else even if "Ana" was said alone.
        single = len(name.tokens) == 1
        forms = [form for form in self.forms if len(form) == most or (single and form == name.tokens)]
        return max((likeness(name.tokens, form) for form in forms[-_MANY_FORMS:]), default=DIFFERENT)

    def completes(self, name: Name, *, called: bool = False) -> bool:
        """Whether a name is the other half: "Mateo" of whom only "Mr. Escobar-Lynch" is known.

        Args:
            name: the name that comes second.
            called: it is said to the face of this person, so that a first name in the lists tells which half it is.
        """
        if not self.forms:
            return False
        if called and not (self.surname or name.surname) and len(name.tokens) == 1 and len(self.forms) == 1:
            ((known, *more),) = self.forms
            return not more and is_first_name(known) and not is_first_name(name.tokens[0])
        if self.surname == name.surname:
            return False
        first = self if not self.surname else name
        forms = first.forms if isinstance(first, Person) else [first.tokens]
        if any(len(form) > 1 for form in forms):
            return False
        if name.gender and self.gender and name.gender != self.gender:
            return False
        known = next(iter(self.forms))[0]
        return not (is_first_name(known) and is_first_name(name.tokens[0]))

    def shares_part(self, name: Name) -> bool:
        """Whether a full name has a part of this person's ("Perdomo Lugo" of Maikel Perdomo)."""
        return len(name.tokens) > 1 and any(set(form) & set(name.tokens) for form in self.forms)

    def conflicts(self, votes: Counter[str], name: Name) -> bool:
        """Two strong and different roles are two people of one name, unless the full name is the same."""
        if not votes or not self.votes or (len(name.tokens) > 1 and name.tokens in self.forms):
            return False
        said = max(votes, key=lambda kind: votes[kind])
        return votes[said] >= STRONG and self.votes[self.kind] >= STRONG and said != self.kind

    def owns_login(self, local: tuple[str, ...], *, partly: bool) -> bool:
        """Whether an e-mail address or user name is made of this person's names.

        Args:
            local: its parts, as `name_tokens` gives them.
            partly: whether one part is enough, since the other may be a name not yet said.
        """
        tokens = tuple(dict.fromkeys(token for form in self.forms for token in form))[:_MANY_FORMS]
        if partly:
            return (
                len(local) > 1
                and all(len(form) == 1 for form in self.forms)
                and any(len(token) > 3 and token in local for token in tokens)
            )
        misspelt = len(local) > 1 and any(len(form) > 1 and likeness(local, form) > DIFFERENT for form in self.forms)
        return misspelt or is_login_of(local, tokens)

    def starts_login(self, login: str) -> bool:
        """Whether a login can be the first name's initial and a surname not yet said: `cokoro` of Cyprian."""
        if len(self.forms) != 1 or self.surname:
            return False
        ((first, *more),) = self.forms
        return not more and len(login) > 4 and login[0] == first[0] and not login.startswith(first)

    def take(self, name: Name) -> None:
        """Remember a name."""
        if name.tokens not in self.forms and len(self.forms) == 1 and self.completes(name):
            (known,) = self.forms
            self.forms[(*name.tokens, *known) if self.surname else (*known, *name.tokens)] = None
        self.surname = name.surname if not self.forms else self.surname and name.surname
        self.forms[name.tokens] = None
        self.gender = self.gender or name.gender


def read_name(surface: str) -> Name:
    """A name as it stands in a text, its title included."""
    tokens = name_tokens(surface) or (surface.casefold(),)
    first = surface.split()[0].casefold().rstrip(".") if " " in surface.strip() else ""
    surname = is_surname(surface) or (len(tokens) == 1 and first in _DOCTORS and not is_first_name(tokens[0]))
    told = title_gender(surface)
    return Name(tokens, told or ("" if surname else gender_of(tokens[0])), surname, told != "")
