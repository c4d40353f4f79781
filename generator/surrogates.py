"""Surrogate values for markers: fictitious, right for the language, and from ranges that belong to nobody.

Phones come from the ranges kept for fiction (North America: 555-0100 to 555-0199; Spain keeps none, so its numbers
start with a digit that no Spanish number starts with), cards from the networks' published test numbers, US social
security numbers from the area 900-999 that is never assigned, addresses from TEST-NET (RFC 5737), mail and web names
from example domains (RFC 2606).
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from seed_engine.markers import Marker
from seed_engine.vocabulary import vocabulary

if TYPE_CHECKING:
    from faker import Faker

_LOCALES = {"en": "en_US", "es": "es_ES"}
_TEST_CARDS = ("4242 4242 4242 4242", "4000 0566 5566 5556", "5555 5555 5555 4444", "5105 1051 0510 5100")
_MONTHS_ES = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
    *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
)
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_OLDEST = 95
_PEOPLE = frozenset(role.upper() for role in vocabulary().roles) | {"PERSON"}


class SurrogateMaker:
    """Draws values for one conversation; the person who asks first owns the mail address and the user name."""

    def __init__(self, language: str, seed: int | str) -> None:
        from faker import Faker

        self._fake: Faker = Faker(_LOCALES.get(language, "en_US"))
        self._rng = random.Random(seed)
        self._fake.seed_instance(self._rng.getrandbits(64))
        self._language = language
        self._owner: str | None = None
        self._days: dict[Marker, date] = {}
        self._anchor = date(2021, 1, 1) + timedelta(days=self._rng.randrange(1200))
        self._special: dict[str, Callable[[], str]] = {
            "ORGANIZATION": lambda: self._fake.company(),
            "GROUP": lambda: self._rng.choice(("Quaker", "Buddhist") if language == "en" else ("budista", "cuáquero")),
            "OCCUPATION": lambda: self._rng.choice(
                ("baker", "electrician", "librarian")
                if language == "en"
                else ("electricista", "periodista", "dentista")
            ),
            "EMAIL": self._email,
            "PHONE": self._phone,
            "URL": lambda: f"https://www.example.com/{self._fake.word()}",
            "IP": lambda: f"203.0.113.{self._rng.randrange(1, 255)}",
            "CARD": lambda: self._rng.choice(_TEST_CARDS),
            "NATIONAL_ID": self._national_id,
            "USERNAME": lambda: f"{self._handle()}{self._rng.randrange(10, 99)}",
            "PASSWORD": lambda: self._fake.password(length=10, special_chars=False),
            "VEHICLE": lambda: f"{self._digits(4)} {''.join(self._rng.choices('BCDFGHJKL', k=3))}",
            "BANK_ACCOUNT": lambda: f"000{self._digits(9)}",
        }

    def draw(self, marker: Marker) -> str:
        """A fresh value for a marker; drawing again gives another."""
        if marker.kind in _PEOPLE:
            name = f"{self._fake.first_name()} {self._fake.last_name()}"
            self._owner = self._owner or name
            return name
        told = {"DATE": self._date, "AGE": self._age, "LOCATION": self._place}.get(marker.kind)
        if told is not None:
            return told(marker)
        special = self._special.get(marker.kind)
        return special() if special else f"{marker.kind[0]}-{self._digits(8)}"

    def name_owner(self, name: str) -> None:
        """Say whose mail address and user name the others are to fit."""
        self._owner = name

    def _date(self, marker: Marker) -> str:
        """A day that keeps the distance which the marker's note tells, as exactly as the note does."""
        origin = self._days.get(marker.reference) if marker.reference is not None else None
        if origin is None:
            day = self._anchor + timedelta(days=self._rng.randrange(0, 40))
        else:
            sign, count, unit = marker.distance.split()
            length = _UNIT_DAYS[unit.rstrip("s")]
            # Drawing again must give another day, since the first may be one of the source's.
            about = int(count) * length + self._rng.randrange(-(length // 3), length // 3 + 1)
            day = origin + timedelta(days=about if sign == "+" else -about)
        self._days[marker] = day
        if self._language == "es":
            return f"{day.day} de {_MONTHS_ES[day.month - 1]} de {day.year}"
        return f"{day:%B} {day.day}, {day.year}"

    def _age(self, marker: Marker) -> str:
        low, _, high = marker.note.rstrip("+").partition("-")
        if not low.isdigit():
            return str(self._rng.randrange(19, 88))
        return str(self._rng.randrange(int(low), int(high or _OLDEST) + 1))

    def _place(self, marker: Marker) -> str:
        if marker.note == "address":
            return str(self._fake.street_address()).replace("\n", ", ")
        if marker.note == "country":
            return str(self._fake.country())
        return str(self._fake.city())

    def _email(self) -> str:
        return f"{self._handle()}{self._rng.choice(('', str(self._rng.randrange(2, 99))))}@example.com"

    def _handle(self) -> str:
        name = self._owner or f"{self._fake.first_name()} {self._fake.last_name()}"
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        return ".".join(part for part in plain.lower().replace("-", " ").split() if part.isalpha())

    def _phone(self) -> str:
        if self._language == "es":
            return f"0{self._digits(2)} {self._digits(3)} {self._digits(3)}"
        return f"({self._rng.choice(('202', '312', '415', '617'))}) 555-01{self._rng.randrange(100):02d}"

    def _national_id(self) -> str:
        if self._language == "es":
            number = self._rng.randrange(10_000_000)
            letter = "TRWAGMYFPDXBNJZSQVHLCKE"[(number + 7) % 23]  # the wrong check letter, on purpose
            return f"{number:08d}{letter}"
        return f"9{self._digits(2)}-{self._rng.randrange(10, 50)}-{self._digits(4)}"

    def _digits(self, count: int) -> str:
        return "".join(str(self._rng.randrange(10)) for _ in range(count))
