"""Values of the paper's documents: people of many countries and what is kept about them, in formats that people use.

Nothing here looks at what a detector can read: locales and formats are drawn, also those that no cue announces.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faker import Faker

# Where people come from; English names are the most frequent, not the only ones.
_LOCALES = ("en_US", "en_US", "en_US", "en_GB", "en_GB", "en_IN", "es_MX", "de_DE", "fr_FR", "pl_PL", "it_IT", "tr_TR")
_DATES = ("%d %B %Y", "%B %d, %Y", "%m/%d/%Y", "%d/%m/%y", "%Y-%m-%d", "%d.%m.%Y", "%d-%b-%y", "%b %d %Y", "%A, %B %d")
_SHORT_DATES = ("%m/%d", "%d %b", "%b %d", "%d.%m.", "%d/%m/%y", "%B %d")
_MONTHS = ("%B %Y", "%m/%Y", "%b '%y", "%b %Y")
_PHONES = ("(###) ###-####", "###-###-####", "###.###.####", "+1 ##########", "##########", "1-###-###-#### x###")
# What has no format of its own: `#` is a digit, `?` a letter, as Faker has it.
_SHAPES = {
    "ssn": ("###-##-####", "###-##-####", "### ## ####", "#########"),
    "mrn": ("########", "######", "??######", "##-##-##", "?####-##"),
    "account": ("########", "##########", "##-##-## ########", "###-#####-#", "#### ######"),
    "passport": ("?########", "#########", "??#######"),
    "licence": ("?#######", "?????######?#??", "??-######", "###-###-###"),
    "plate": ("??## ???", "???-####", "?-?? ###", "#???###"),
    "insurance": ("???#########", "#?##-???-##??", "########-##", "?########"),
    "employee": ("E-#####", "######", "??####"),
    "caseno": ("2:21-cv-0####", "##/####", "HQ##X#####", "20##-CF-######"),
    "natid": ("########?", "??######?", "##.###.###-#", "###########", "### ### ####"),
    "age": ("3#", "4#", "6#", "8#"),
    "vin": ("#?###??#??#######",),
}
TYPES = {
    **dict.fromkeys(("full", "first", "last", "sortable", "short"), "PERSON"),
    **dict.fromkeys(("email", "email2"), "EMAIL_ADDRESS"),
    **dict.fromkeys(("date", "date_short", "date_my", "date_long", "birth"), "DATE_TIME"),
    **dict.fromkeys(("address", "address2", "street", "city"), "LOCATION"),
    **dict.fromkeys(("company", "hospital"), "ORGANIZATION"),
    **dict.fromkeys(("mrn", "mrn2"), "MEDICAL_RECORD"),
    **dict.fromkeys(("plate", "vin"), "VEHICLE_ID"),
    **dict.fromkeys(("employee", "caseno"), "ID_OTHER"),
    "phone": "PHONE_NUMBER",
    "user": "USERNAME",
    "password": "PASSWORD",
    "ip": "IP_ADDRESS",
    "url": "URL",
    "ssn": "US_SSN",
    "natid": "NATIONAL_ID",
    "iban": "IBAN_CODE",
    "card": "CREDIT_CARD",
    "account": "BANK_ACCOUNT",
    "passport": "PASSPORT",
    "licence": "DRIVER_LICENSE",
    "insurance": "INSURANCE_ID",
    "age": "AGE",
}


@dataclass(frozen=True, slots=True)
class Person:
    """One of a document's people; each is called by several forms of the name."""

    first: str
    last: str
    title: str
    birth: date
    email: str
    email2: str
    phone: str
    user: str

    def form(self, name: str, rng: random.Random) -> str:
        """The person's `full`, `sortable`, `short`, `initials`, `birth` ... as written at one place."""
        forms = {
            "full": f"{self.first} {self.last}",
            "sortable": f"{self.last}, {self.first}",
            "short": f"{self.first[0]}. {self.last}",
            "initials": self.first[0] + self.last[0],
            "birth": self.birth.strftime(rng.choice(_DATES[:-1])),
        }
        return forms[name] if name in forms else str(getattr(self, name))


class Values:
    """Draws values.

    Args:
        rng: decides formats and locales.
        seed: of the values themselves.
    """

    def __init__(self, rng: random.Random, seed: int) -> None:
        from faker import Faker

        self._rng = rng
        self._fakers = {locale: Faker(locale) for locale in sorted(set(_LOCALES))}
        for number, faker in enumerate(self._fakers.values()):
            faker.seed_instance(seed * 100 + number)

    def person(self) -> Person:
        """Somebody new, of one country."""
        rng, faker = self._rng, self._faker()
        woman = rng.random() < 0.5
        first = faker.first_name_female() if woman else faker.first_name_male()
        last = faker.last_name()
        plain, user = _ascii(first + "." + last), f"{_ascii(first)[:3]}{_ascii(last)}{rng.randrange(100)}"
        local = rng.choice((plain, _ascii(first)[:1] + _ascii(last), user, faker.word() + str(rng.randrange(1000))))
        return Person(
            first=first,
            last=last,
            title=rng.choice(("Dr", "Ms" if woman else "Mr", "Mrs" if woman else "Mr.")),
            birth=faker.date_of_birth(minimum_age=19, maximum_age=95),
            email=f"{_ascii(local)}@{faker.free_email_domain()}",
            email2=f"{plain}@{faker.domain_name()}",
            phone=self.phone(),
            user=user,
        )

    def phone(self) -> str:
        """A telephone number as its country writes it, or in one of the American ways."""
        faker = self._faker()
        return faker.phone_number() if self._rng.random() < 0.5 else faker.numerify(self._rng.choice(_PHONES))

    def draw(self, slot: str) -> str:
        """A value that belongs to nobody in particular."""
        rng, faker = self._rng, self._faker()
        slot = slot.rstrip("2")
        if slot in _SHAPES:
            return faker.bothify(rng.choice(_SHAPES[slot])).upper()
        if slot.startswith("date"):
            return self._date(slot, faker.date_between(date(2009, 1, 1), date(2024, 12, 31)))
        if slot == "phone":
            return self.phone()
        if slot == "address":
            return str(faker.address().replace("\n", rng.choice((", ", ", ", "\n"))))
        return _spoken(slot, faker, rng)

    def _faker(self) -> Faker:
        return self._fakers[self._rng.choice(_LOCALES)]

    def _date(self, slot: str, day: date) -> str:
        if slot == "date_long":
            return f"{day.day}{_ordinal(day.day)} day of {day:%B %Y}"
        formats = {"date": _DATES, "date_short": _SHORT_DATES, "date_my": _MONTHS}[slot]
        return day.strftime(self._rng.choice(formats))


def _spoken(slot: str, faker: Faker, rng: random.Random) -> str:
    if slot == "card":
        number = faker.credit_card_number(rng.choice(("visa", "mastercard", "amex")))
        return " ".join(re.findall(".{1,4}", number)) if rng.random() < 0.5 else number
    if slot == "iban":
        return " ".join(re.findall(".{1,4}", faker.iban())) if rng.random() < 0.5 else faker.iban()
    if slot == "url":
        page = f"{_ascii(faker.first_name())}-{_ascii(faker.last_name())}-{rng.randrange(100)}"
        return rng.choice(("https://www.linkedin.com/in/", "facebook.com/", "http://")) + page + rng.choice(("", ".me"))
    makers: dict[str, Callable[[], str]] = {
        "street": faker.street_name,
        "city": faker.city,
        "company": faker.company,
        "hospital": lambda: f"St {faker.first_name()}'s Hospital",
        "ip": lambda: faker.ipv4() if rng.random() < 0.8 else faker.ipv6(),
        "password": lambda: faker.password(length=rng.randrange(8, 14), special_chars=rng.random() < 0.5),
    }
    return makers[slot]()


def _ascii(name: str) -> str:
    """A name as it stands in an address: without marks, in lower case."""
    letters = unicodedata.normalize("NFKD", name.replace("ł", "l").replace("ı", "i").replace("ß", "ss"))
    return re.sub(r"[^a-z0-9.]", "", letters.lower())


def _ordinal(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
