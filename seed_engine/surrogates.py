"""Surrogates: another plausible value for each thing of a conversation, the same one wherever it is mentioned."""

from __future__ import annotations

import re
import string
from calendar import month_name
from secrets import randbits
from typing import TYPE_CHECKING

from seed_engine.abstract import Abstraction
from seed_engine.dates import date_key
from seed_engine.fold import fold
from seed_engine.markers import Marker
from seed_engine.names import name_tokens
from seed_engine.vocabulary import vocabulary

if TYPE_CHECKING:
    from random import Random

    from faker import Faker

_LOCALES = {"en": "en_US", "es": "es_ES"}
# Everything that is not a kind of thing is a person's role.
_PEOPLE = frozenset(role.upper() for role in vocabulary().roles) | {"PERSON"}
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_TRIES = 50
_MONTHS = {
    "en": tuple(month_name[1:]),
    "es": (
        *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
        *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
    ),
}
# No illness and no crime: an invented one would be read as somebody's.
_MATTERS = {
    "en": ("a private matter", "a family matter", "an old matter"),
    "es": ("un asunto privado", "un asunto de familia", "un asunto antiguo"),
    "ja": ("私事", "家庭の事情", "以前の事情"),
}


class Surrogates:
    """The replacements of one conversation."""

    def __init__(self, abstraction: Abstraction, seed: int | None) -> None:
        from faker import Faker

        self._fake: Faker = Faker(_LOCALES.get(abstraction.language, "en_US"))
        self._fake.seed_instance(randbits(64) if seed is None else seed)
        self._random: Random = self._fake.random
        self._language = abstraction.language
        self._names: dict[Marker, dict[str, str]] = {}
        self._dates: dict[Marker, tuple[int, int, int]] = {}
        self._made: dict[tuple[Marker, str], str] = {}
        # A surrogate that happens to be somebody of this conversation would be no surrogate.
        said = (surface for surfaces in abstraction.surfaces.values() for surface in surfaces)
        self._taken = {token for surface in said for token in name_tokens(surface)}
        self._firsts = {marker: _parts(surfaces) for marker, surfaces in abstraction.surfaces.items()}

    def of(self, marker: Marker, surface: str) -> str:
        """The replacement of one mention; its case and its shape (first name, full name, digits) are kept."""
        if marker.kind in _PEOPLE:
            return self._person(marker, surface)
        key = (marker, fold(surface))
        if key not in self._made:
            self._made[key] = self._thing(marker, surface)
        return self._made[key]

    def _person(self, marker: Marker, surface: str) -> str:
        names = self._names.setdefault(marker, {})
        order = self._firsts.get(marker, ())

        def swap(match: re.Match[str]) -> str:
            word = match[0]
            tokens = name_tokens(word)
            if not tokens:
                return word if len(word) > 1 else self._initial(word)
            token = tokens[0]
            if token not in names:
                is_first = order.index(token) == 0 if token in order else True
                names[token] = self._fresh(first=is_first)
            name = names[token] if len(word) > 1 else names[token][0]
            tail = word[len(word.split("'")[0].split("’")[0]) :]
            return _cased(name, word) + (tail if fold(tail) in ("'s", "’s") else "")

        return _WORDS.sub(swap, surface) if _WORDS.search(surface) else self._fresh(first=True)

    def _initial(self, word: str) -> str:
        return _cased(self._fresh(first=True)[0], word)

    def _fresh(self, *, first: bool) -> str:
        for _ in range(_TRIES):
            name = str(self._fake.first_name() if first else self._fake.last_name()).split()[0]
            if fold(name) not in self._taken:
                self._taken.add(fold(name))
                return name
        return "Alex" if first else "Reyes"

    def _thing(self, marker: Marker, surface: str) -> str:
        fake = self._fake
        makers = {
            "EMAIL": lambda: fake.safe_email(),
            "LOCATION": lambda: self._place(surface),
            "ORGANIZATION": lambda: fake.company(),
            "OCCUPATION": lambda: fake.job(),
            "GROUP": lambda: fake.country(),
            "CONDITION": lambda: self._random.choice(_MATTERS.get(self._language, _MATTERS["en"])),
            "URL": lambda: fake.url(),
            "USERNAME": lambda: fake.user_name(),
            "AGE": lambda: self._scrambled(surface),
            "DATE": lambda: self._date(marker, surface),
        }
        for _ in range(_TRIES):
            made = str(makers.get(marker.kind, lambda: self._scrambled(surface))())
            if fold(made) != fold(surface):
                return " ".join(made.split())
        return str(marker)

    def _place(self, surface: str) -> str:
        return str(self._fake.street_address() if any(char.isdigit() for char in surface) else self._fake.city())

    def _date(self, marker: Marker, surface: str) -> str:
        """Another date in the same wording; every wording of one date gets the same one. The year moves by one."""
        key = date_key(surface, self._language)
        if not re.fullmatch(r"\d+-\d+-\d+", key):
            return self._scrambled(surface)
        if marker not in self._dates:
            random = self._random
            self._dates[marker] = (random.randint(1, 28), random.randint(1, 12), random.choice((-1, 1)))
        day, month, shift = self._dates[marker]
        year = int(key.split("-")[0]) and int(key.split("-")[0]) + shift
        if any(char.isalpha() for char in surface):
            english = f"{_MONTHS['en'][month - 1]} {day}" + (f", {year}" if year else "")
            spanish = f"{day} de {_MONTHS['es'][month - 1]}" + (f" de {year}" if year else "")
            return spanish if self._language == "es" else english
        first, second = (month, day) if self._language == "en" else (day, month)
        return f"{first:02}/{second:02}" + (f"/{year}" if year else "")

    def _scrambled(self, surface: str) -> str:
        """The same shape in other characters: digits for digits, letters for letters, signs kept."""

        def other(char: str) -> str:
            if char.isdecimal():
                return self._random.choice([digit for digit in string.digits if digit != char])
            if char.isalpha():
                pool = string.ascii_uppercase if char.isupper() else string.ascii_lowercase
                return self._random.choice([letter for letter in pool if letter != char])
            return char

        return "".join(other(char) for char in surface)


def _parts(surfaces: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens of the fullest name, first names first."""
    return max((name_tokens(surface) for surface in surfaces), key=len, default=())


def _cased(name: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return name.upper()
    return name.lower() if like.islower() else name
