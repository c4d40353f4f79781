"""People and values for the sample conversations, drawn with Faker from a seeded generator."""

from __future__ import annotations

import random
from calendar import month_name

from faker import Faker

PERSON_KINDS = {
    **{name: name.upper() for name in ("customer", "agent", "patient", "doctor", "nurse", "relative")},
    **{name: name.upper() for name in ("student", "tutor", "parent")},
    "rel": "RELATIVE",
    "rel2": "RELATIVE",
    "doctor2": "DOCTOR",
    "other": "PERSON",
    "other2": "PERSON",
}
HOSTS = {"en": ["gmail.com", "outlook.com", "yahoo.com"], "es": ["gmail.com", "hotmail.es"]}
PHONES = {"en": ["(###) ###-####", "###-###-####", "### ### ####"], "es": ["6## ### ###", "6## ## ## ##"]}
NICKNAMES = {
    "en": [("Robert", "Bob"), ("Elizabeth", "Liz"), ("William", "Bill"), ("Katherine", "Kate")],
    "es": [("Francisco", "Paco")],
}


class Values:
    """The people and values of one conversation, made when first asked for."""

    def __init__(self, language: str, rng: random.Random) -> None:
        self.rng, self.language = rng, language
        self.fake = Faker("en_US" if language == "en" else rng.choice(["es_ES", "es_MX"]))
        self.fake.seed_instance(rng.randrange(2**32))
        self.people: dict[str, dict[str, str]] = {}
        self.values: dict[str, tuple[str, str]] = {}
        self.kinds: dict[str, str] = {}

    def person(self, name: str, woman: bool | None = None) -> dict[str, str]:
        """First and last name, nickname and title of a person, who is a woman or not from the first call on."""
        if name not in self.people:
            woman = self.rng.random() < 0.5 if woman is None else woman
            first, nick = self.fake.first_name_female() if woman else self.fake.first_name_male(), ""
            if name == "patient" and self.rng.random() < 0.5:
                first, nick = self.rng.choice(NICKNAMES[self.language])
                woman = first in ("Elizabeth", "Katherine")
            last = self.fake.last_name()
            title = ("Mrs." if woman else "Mr.") if self.language == "en" else ("señora" if woman else "señor")
            if name.startswith("doctor"):
                title = "Dr." if self.language == "en" else "doctora"
            self.people[name] = {"first": first, "last": last, "nick": nick or first, "title": title}
            self.people[name]["woman"] = "yes" if woman else ""
        return self.people[name]

    def named(self, name: str, form: str) -> tuple[str, str]:
        """What stands before the span (a title), and the span's text."""
        who = self.person(name)
        full = f"{who['first']} {who['last']}"
        forms = {
            "full": full,
            "first": who["first"],
            "last": who["last"],
            "nick": who["nick"],
            "lower": who["first"].lower(),
            "llast": who["last"].lower(),
            "lfull": full.lower(),
            "title": who["last"],
        }
        return (f"{who['title']} " if form == "title" else ""), forms[form]

    def value(self, kind: str, whose: str, form: str) -> tuple[str, str]:
        """Text and entity type of a value; the same one whenever it is asked for again."""
        key = f"{kind}:{whose}"
        if key not in self.values:
            self.values[key] = self._make(kind, whose)
        text, entity_type = self.values[key]
        return (text[-4:], entity_type) if form == "last4" else (text, entity_type)

    def _make(self, kind: str, whose: str) -> tuple[str, str]:
        fake, rng, english = self.fake, self.rng, self.language == "en"
        digits = fake.numerify
        if kind in ("email", "email2", "user", "url"):
            return self._login(kind, whose)
        phone = rng.choice(PHONES[self.language])
        young = whose in ("child", "student")
        born = rng.randint(2010, 2018) if young else rng.randint(1950, 2004)
        made = {
            "phone": (digits(phone.replace("#", "%", 1)), "PHONE_NUMBER"),
            "address": (" ".join(fake.street_address().split()), "LOCATION"),
            "address2": (" ".join(fake.street_address().split()), "LOCATION"),
            "city": (fake.city(), "LOCATION"),
            "city2": (fake.city(), "LOCATION"),
            "order": (digits("#%%%%-%%%%%%") if rng.random() < 0.5 else digits("A%#######"), "ID_OTHER"),
            "custno": (digits("%#######"), "ID_OTHER"),
            "serial": (fake.bothify("??#?####??").upper(), "ID_OTHER"),
            "studentid": (digits("%########"), "ID_OTHER"),
            "insurance": (fake.bothify("???#########").upper(), "ID_OTHER"),
            "mrn": (digits("%######"), "MEDICAL_RECORD"),
            "ssn": (digits("%##-%#-####"), "NATIONAL_ID"),
            "dni": (_dni(rng), "NATIONAL_ID"),
            "card": (fake.credit_card_number("visa16"), "CREDIT_CARD"),
            "iban": (fake.iban(), "BANK_ACCOUNT"),
            "ip": (fake.ipv4_public(), "IP_ADDRESS"),
            "plate": (fake.bothify("???-####").upper(), "VEHICLE_ID"),
            "password": (fake.password(length=11), "PASSWORD"),
            "age": (str(rng.randint(30, 85) if whose == "adult" else rng.randint(8, 16)), "AGE"),
            "org": (fake.company(), "ORGANIZATION"),
            "school": (_school(fake, rng, english), "ORGANIZATION"),
            "date1": (_date(rng, english, 2026), "DATE_TIME"),
            "date2": (_date(rng, english, 2026), "DATE_TIME"),
            "dob": (_date(rng, english, born, with_year=True), "DATE_TIME"),
        }
        return made[kind]

    def _login(self, kind: str, whose: str) -> tuple[str, str]:
        rng, digits = self.rng, self.fake.numerify
        who = self.person(whose if whose in PERSON_KINDS else "rel")
        first, last = (_ascii(who[key]) for key in ("first", "last"))
        local = rng.choice([f"{first}.{last}", f"{first[:1]}{last}", f"{first}{digits('##')}", f"{last}.{first}"])
        if kind == "user":
            return f"{first}{last[:1]}{digits('##')}", "USERNAME"
        if kind == "url":
            return f"https://{last}-{digits('%##')}.example.org/sheet", "URL"
        host = rng.choice(["icloud.com", "proton.me"] if kind == "email2" else HOSTS[self.language])
        return f"{local}@{host}", "EMAIL_ADDRESS"


def _ascii(text: str) -> str:
    return "".join(char for char in text.lower().translate(str.maketrans("áéíóúñü", "aeiounu")) if char.isalpha())


def _dni(rng: random.Random) -> str:
    number = rng.randrange(10_000_000, 99_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def _school(fake: Faker, rng: random.Random, english: bool) -> str:
    last = fake.last_name()
    return (
        f"{last} {rng.choice(['Middle School', 'High School'])}"
        if english
        else f"{rng.choice(['IES', 'Colegio'])} {last}"
    )


def _date(rng: random.Random, english: bool, year: int, *, with_year: bool = False) -> str:
    day, month = rng.randint(1, 28), rng.randint(1, 12)
    english_names = list(month_name)[1:]
    spanish_names = [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ]
    if english:
        long = f"{english_names[month - 1]} {day}"
        return (
            rng.choice([f"{long}, {year}", f"{month:02}/{day:02}/{year}"])
            if with_year
            else rng.choice([long, f"{month}/{day}"])
        )
    long = f"{day} de {spanish_names[month - 1]}"
    return rng.choice([f"{long} de {year}", f"{day:02}/{month:02}/{year}"]) if with_year else long
