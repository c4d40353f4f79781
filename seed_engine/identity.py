"""Which mentions are one thing: people by name and role, everything else by a normalised key."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from seed_engine.dates import date_key
from seed_engine.fold import fold
from seed_engine.names import name_tokens, same_person

# Linking looks at this many people, latest first, so that 10,000 turns stay linear. Nobody is meant by a bare first
# name after 64 others came up.
_WINDOW = 64
_NUMERIC = frozenset(
    {
        "PHONE",
        "CARD",
        "BANK_ACCOUNT",
        "NATIONAL_ID",
        "PASSPORT",
        "DRIVER_LICENSE",
        "RECORD",
        "INSURANCE",
        "ORDER",
        "ID",
        "VEHICLE",
    }
)
_STRONG = 3
_TAIL_DIGITS = 4


@dataclass(slots=True)
class Person:
    """One person of a conversation while it is read.

    Attributes:
        number: running number, >= 0.
        forms: the token tuples by which the person was named.
        votes: evidence for the person's role, by marker kind.
        addressed: whether somebody called the person by name.
    """

    number: int
    forms: set[tuple[str, ...]] = field(default_factory=set)
    votes: Counter[str] = field(default_factory=Counter)
    addressed: bool = False

    @property
    def kind(self) -> str:
        """The marker kind with most votes; `PERSON` when nothing speaks for a role."""
        return max(self.votes, key=lambda kind: self.votes[kind], default="PERSON")


class People:
    """The people of one conversation, linked as their names come."""

    def __init__(self) -> None:
        self._known: list[Person] = []
        self._recent: list[Person] = []

    def see(self, surface: str, votes: Counter[str], *, addressed: bool = False) -> Person:
        """The person that a name means; a new one when nobody fits.

        Args:
            surface: the name as it was said.
            votes: evidence for the role.
            addressed: whether the name calls the one who is spoken to. Two speakers know whom they mean: "Thanks, Ana"
                to the only doctor, whom the talk called "Dr. Ruiz" so far, is Dr. Ruiz.
        """
        tokens = name_tokens(surface) or (fold(surface),)
        person = self._match(tokens, votes) or (self._addressed(tokens, votes) if addressed else None)
        if person is None:
            person = Person(len(self._known))
            self._known.append(person)
        else:
            self._recent.remove(person)
        person.forms.add(tokens)
        person.votes += votes
        person.addressed |= addressed
        self._recent.insert(0, person)
        del self._recent[_WINDOW:]
        return person

    def owner(self, surface: str) -> Person | None:
        """The person whose name stands in an e-mail address or user name, if one of the known does."""
        tokens = name_tokens(surface)
        if not tokens or max(map(len, tokens)) < 3:
            return None
        return next((person for person in self._recent if _named(tokens, person)), None)

    def _addressed(self, tokens: tuple[str, ...], votes: Counter[str]) -> Person | None:
        kind = max(votes, key=lambda kind: votes[kind], default="")
        speakers = [person for person in self._recent if person.kind == kind and person.addressed]
        if len(speakers) != 1 or len(tokens) > 1 or any(len(form) > 1 for form in speakers[0].forms):
            return None
        return speakers[0]

    def _match(self, tokens: tuple[str, ...], votes: Counter[str]) -> Person | None:
        best: tuple[bool, bool, int] | None = None
        chosen = None
        for age, person in enumerate(self._recent):
            if not _named(tokens, person) or _conflict(tokens, votes, person):
                continue
            agrees = bool(votes) and max(votes, key=lambda kind: votes[kind]) in person.votes
            rank = (tokens in person.forms, agrees, -age)
            if best is None or rank > best:
                best, chosen = rank, person
        return chosen


def thing_key(kind: str, surface: str, language: str) -> str:
    """A key that two mentions of one date, place or number share."""
    if kind == "DATE":
        return date_key(surface, language)
    if kind in _NUMERIC:
        bare = "".join(char for char in fold(surface) if char.isalnum())
        digits = "".join(char for char in bare if char.isdigit())
        # A country code in front does not make another phone.
        return digits[-9:] if kind == "PHONE" and len(digits) >= 9 else bare
    if kind == "URL":
        return fold(surface).removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    if kind == "AGE":
        digits = "".join(char for char in surface if char.isdecimal())
        return digits or fold(surface)
    if kind in ("LOCATION", "ORGANIZATION"):
        return " ".join("".join(char if char.isalnum() else " " for char in fold(surface)).split())
    return surface.strip() if kind == "PASSWORD" else fold(surface).strip()


def tail_of(kind: str, key: str, known: dict[str, int]) -> str | None:
    """The known number of which `key` is the tail ("the card ending 4821"), or that is a tail of `key`."""
    if kind not in _NUMERIC or len(key) < _TAIL_DIGITS:
        return None
    if len(key) > _TAIL_DIGITS + 2:
        return key[-_TAIL_DIGITS:] if key[-_TAIL_DIGITS:] in known else None
    latest = list(known)[-_WINDOW:]
    return next((whole for whole in latest if len(whole) > len(key) and whole.endswith(key)), None)


def _named(tokens: tuple[str, ...], person: Person) -> bool:
    # The fullest forms decide: "Ana Ruiz" once known, "Ana Soto" is somebody else even if "Ana" was said alone.
    most = max(len(form) for form in person.forms)
    fullest = [form for form in person.forms if len(form) == most]
    return any(same_person(tokens, form) for form in fullest[:8])


def _conflict(tokens: tuple[str, ...], votes: Counter[str], person: Person) -> bool:
    """Two strong and different roles are two people of one name, unless the full name is the same."""
    if not votes or not person.votes or (len(tokens) > 1 and tokens in person.forms):
        return False
    said = max(votes, key=lambda kind: votes[kind])
    return votes[said] >= _STRONG and person.votes[person.kind] >= _STRONG and said != person.kind
