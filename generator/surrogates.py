"""Surrogate values for markers: fictitious, right for the language, and from ranges that belong to nobody.

Phones reach nobody (`generator.places`) and have the area code of the conversation's city. Cards are the networks'
published test numbers, US social security numbers of the area 900-999 that is never assigned, addresses of TEST-NET
(RFC 5737), mail and web names of example domains (RFC 2606).
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from generator.places import AREAS
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
_LARGE_AREAS = {"en": ("212", "415", "617", "312"), "es": ("91", "93", "95", "96")}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_OLDEST = 95
_PEOPLE = frozenset(role.upper() for role in vocabulary().roles) | {"PERSON"}


class SurrogateMaker:
    """Draws values for one conversation; the person who asks first owns the mail address and the user name."""

    def __init__(
        self,
        language: str,
        seed: int | str,
        *,
        genders: Mapping[Marker, str] | None = None,
        births: frozenset[Marker] = frozenset(),
        later: int = 0,
    ) -> None:
        """Prepare to draw.

        Args:
            language: ISO 639-1.
            seed: random seed; the same one gives the same values in the same order.
            genders: `f` or `m` by person, where the text tells it.
            births: dates that the text calls somebody's date of birth; they fit the age that was drawn before them.
            later: years by which the calendar is moved on.
        """
        from faker import Faker

        self._fake: Faker = Faker(_LOCALES.get(language, "en_US"))
        self._rng = random.Random(seed)
        self._fake.seed_instance(self._rng.getrandbits(64))
        self._language = language
        self._owner: str | None = None
        self._genders, self._births = genders or {}, births
        self._years: int | None = None
        self._area: str | None = None
        self._days: dict[Marker, date] = {}
        self._anchor = date(2021, 1, 1) + timedelta(days=self._rng.randrange(1200) + 365 * later)
        self._special: dict[str, Callable[[], str]] = {
            "ORGANIZATION": lambda: self._fake.company(),
            "GROUP": lambda: self._rng.choice(("Quaker", "Buddhist") if language == "en" else ("budista", "cuáquero")),
            "CONDITION": lambda: self._rng.choice(
                ("a private matter", "a family matter", "an old matter")
                if language == "en"
                else ("un asunto privado", "un asunto de familia", "un asunto antiguo")
            ),
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
            name = f"{self._first_name(marker)} {self._fake.last_name()}"
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

    def _first_name(self, marker: Marker) -> str:
        makers = {"f": self._fake.first_name_female, "m": self._fake.first_name_male}
        return str(makers.get(self._genders.get(marker, ""), self._fake.first_name)())

    def _date(self, marker: Marker) -> str:
        """A day that keeps the distance which the marker's note tells, as exactly as the note does."""
        origin = self._days.get(marker.reference) if marker.reference is not None else None
        if marker in self._births:
            day = self._birthday()
        elif origin is None:
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

    def _birthday(self) -> date:
        """A day on which somebody was born who is as old today, by the conversation's calendar, as its age says."""
        years = self._years if self._years is not None else self._rng.randrange(19, 88)
        # Who was born up to 364 days before that birthday has not had the next one yet; 40 days are the calendar's.
        anniversary = date(self._anchor.year - years, self._anchor.month, min(self._anchor.day, 28))
        return anniversary - timedelta(days=self._rng.randrange(1, 320))

    def _age(self, marker: Marker) -> str:
        low, _, high = marker.note.rstrip("+").partition("-")
        years = (
            self._rng.randrange(int(low), int(high or _OLDEST) + 1) if low.isdigit() else self._rng.randrange(19, 88)
        )
        if marker.number == 1:
            self._years = years
        return str(years)

    def _place(self, marker: Marker) -> str:
        if marker.note in ("", "city"):
            return self._city()
        if marker.note == "postcode":
            return f"00{self._digits(3)}"  # neither country has given one out that begins so
        if marker.note == "facility":
            return str(self._fake.company())
        if marker.note == "region":
            return str(self._fake.state())
        if marker.note == "address":
            return str(self._fake.street_address()).replace("\n", ", ")
        if marker.note == "country":
            return str(self._fake.country())
        return self._city()

    def _city(self) -> str:
        areas = AREAS.get(self._language, AREAS["en"])
        # Now and then a city from the longer list, so that a source with every known city does not stop it all.
        city = self._rng.choice(sorted(areas)) if self._rng.random() < 0.8 else str(self._fake.city())
        self._area = areas.get(city)
        return city

    def _email(self) -> str:
        return f"{self._handle()}{self._rng.choice(('', str(self._rng.randrange(2, 99))))}@example.com"

    def _handle(self) -> str:
        name = self._owner or f"{self._fake.first_name()} {self._fake.last_name()}"
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        return ".".join(part for part in plain.lower().replace("-", " ").split() if part.isalpha())

    def _phone(self) -> str:
        area = self._area or self._rng.choice(_LARGE_AREAS.get(self._language, _LARGE_AREAS["en"]))
        if self._language == "es":
            digits = self._digits(8 - len(area))
            return f"{area} {digits[:3]} {digits[3:]}"
        return f"({area}) 555-01{self._rng.randrange(100):02d}"

    def _national_id(self) -> str:
        if self._language == "es":
            number = self._rng.randrange(10_000_000)
            letter = "TRWAGMYFPDXBNJZSQVHLCKE"[(number + 7) % 23]  # the wrong check letter, on purpose
            return f"{number:08d}{letter}"
        return f"9{self._digits(2)}-{self._rng.randrange(10, 50)}-{self._digits(4)}"

    def _digits(self, count: int) -> str:
        return "".join(str(self._rng.randrange(10)) for _ in range(count))
