"""Write `samples/`: 60 conversations from the scripts in `scenarios/`, and beside them every span with its marker.

Run `python scripts/make_samples.py`; the seed is fixed, so the files come out the same every time. In a script,
`(a|b)` is a choice of wording, `{patient.first}` a way of naming a person and `{phone}` a value; values keep through a
conversation. All names and numbers are Faker's.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

from faker import Faker

from seed_engine.kinds import marker_kind

ROOT = Path(__file__).resolve().parent.parent
SPEAKERS = {
    "c": "customer",
    "a": "agent",
    "p": "patient",
    "d": "doctor",
    "n": "nurse",
    "r": "relative",
    "s": "student",
    "t": "tutor",
    "g": "parent",
}
PERSON_KINDS = {
    **{name: name.upper() for name in SPEAKERS.values()},
    "rel": "RELATIVE",
    "rel2": "RELATIVE",
    "doctor2": "DOCTOR",
    "other": "PERSON",
    "other2": "PERSON",
}
# Conversations by language: each script once, then again from the top in other words.
WANTED = {"en": 45, "es": 15}
FILLERS = {
    "en": [("one moment please", "sure"), ("Bear with me a second.", "no rush"), ("Let me check that for you.", "ok")],
    "es": [("Un momento, por favor.", "vale"), ("Déjeme comprobarlo.", "claro")],
}
PROFESSIONALS = ("a", "d", "n", "t")
KIN = {"en": ["sister", "brother", "grandson", "daughter"], "es": ["hermana", "primo"]}
NICKNAMES = {
    "en": [("Robert", "Bob"), ("Elizabeth", "Liz"), ("William", "Bill"), ("Katherine", "Kate")],
    "es": [("Francisco", "Paco")],
}
TOKEN = re.compile(r"\{([a-z]+[12]?)(?::([A-Za-z]+2?))?(?:\.([a-z0-9]+))?\}")
WOMEN = frozenset(
    [
        "she",
        "her",
        "wife",
        "daughter",
        "sister",
        "mother",
        "mom",
        "mrs",
        "ms",
        "granddaughter",
        "neighbour",
        "doctora",
        "señora",
        "madre",
        "hija",
        "hermana",
        "vecina",
    ]
)
MEN = frozenset(
    [
        "he",
        "his",
        "husband",
        "son",
        "brother",
        "father",
        "dad",
        "mr",
        "grandson",
        "grandpa",
        "boss",
        "marido",
        "padre",
        "hijo",
        "hermano",
        "primo",
        "boyfriend",
    ]
)
CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


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
        who = self.person(whose if whose in PERSON_KINDS else "rel") if kind in ("email", "email2", "user") else {}
        first, last = (_ascii(who[key]) for key in ("first", "last")) if who else ("", "")
        local = rng.choice([f"{first}.{last}", f"{first[:1]}{last}", f"{first}{digits('##')}", f"{last}.{first}"])
        host = (
            rng.choice(["gmail.com", "outlook.com", "yahoo.com"])
            if english
            else rng.choice(["gmail.com", "hotmail.es"])
        )
        phone = (
            rng.choice(["(###) ###-####", "###-###-####", "### ### ####"])
            if english
            else rng.choice(["6## ### ###", "6## ## ## ##"])
        )
        made = {
            "email": (f"{local}@{host}", "EMAIL_ADDRESS"),
            "email2": (f"{first}_{last}@{rng.choice(['icloud.com', 'proton.me'])}", "EMAIL_ADDRESS"),
            "user": (f"{first}{last[:1]}{digits('##')}", "USERNAME"),
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
            "url": (f"https://{last or 'class'}-{digits('%##')}.example.org/sheet", "URL"),
            "age": (str(rng.randint(8, 16)), "AGE"),
            "org": (fake.company(), "ORGANIZATION"),
            "school": (_school(fake, rng, english), "ORGANIZATION"),
            "date1": (_date(rng, english, 2026), "DATE_TIME"),
            "date2": (_date(rng, english, 2026), "DATE_TIME"),
            "dob": (_date(rng, english, rng.randint(1950, 2004), with_year=True), "DATE_TIME"),
        }
        return made[kind]


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
    english_names = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
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


def render(script: str, language: str, rng: random.Random) -> list[dict[str, Any]]:
    """Turns with `role`, `text` and `spans`, each span with its gold marker."""
    lines = [line.split(": ", 1) for line in script.strip().splitlines()]
    if rng.random() < 0.4 and len(lines) <= 14:
        at = rng.randrange(4, len(lines) - 2)
        at += lines[at][0] in PROFESSIONALS and at + 1 < len(lines)
        said, answered = rng.choice(FILLERS[language])
        # A filler goes in before a professional's turn, so that the two sides keep alternating.
        at = next((i for i in range(at, len(lines)) if lines[i][0] in PROFESSIONALS), None) or 0
        if at:
            lines[at:at] = [[lines[at][0], said], [lines[at - 1][0], answered]]
    values, numbers, turns = Values(language, rng), {}, []
    for code, line in lines:
        text, spans = "", []
        line = _chosen(line, values, rng)
        at = 0
        for token in TOKEN.finditer(line):
            text += line[at : token.start()]
            at = token.end()
            before, surface, entity_type, key = _surface(token, values)
            text += before
            if key is not None:
                marker = _marker(key, numbers)
                spans.append(_span(len(text), surface, entity_type, marker))
            text += surface
        turns.append({"role": SPEAKERS[code], "text": text + line[at:], "spans": spans})
    return turns


def _chosen(line: str, values: Values, rng: random.Random) -> str:
    """A line with its wording chosen; pronouns agree with the person named last, kin words with the one they name."""

    def choose(match: re.Match[str]) -> str:
        options = match[1].split("|")
        folded = {option.lower() for option in options}
        if not (folded & WOMEN and folded & MEN):
            return rng.choice(options)
        names = [name for name, _, _ in TOKEN.findall(line[match.end() : match.end() + 14]) if name in PERSON_KINDS]
        last = names[0] if names else next(reversed([name for name in values.people if name in PERSON_KINDS]), "rel")
        woman = bool(values.person(last)["woman"])
        return next(option for option in options if (option.lower() in WOMEN) == woman)

    for token in TOKEN.finditer(line):
        before = re.findall(r"\w+", line[max(0, token.start() - 22) : token.start()].lower())
        hints = [token[2] or "", *reversed(before[-3:])]
        woman = next((hint in WOMEN for hint in hints if hint in WOMEN or hint in MEN), None)
        if token[1] in PERSON_KINDS and woman is not None and not CHOICE.search(line[: token.start()]):
            values.person(token[1], woman)
    return CHOICE.sub(choose, line)


def _surface(token: re.Match[str], values: Values) -> tuple[str, str, str, tuple[str, str] | None]:
    name, extra, form = token.groups()
    if name not in PERSON_KINDS:
        surface, entity_type = values.value(name, extra or "", form or "")
        return "", surface, entity_type, (marker_kind(entity_type), f"{name}:{extra}")
    if form is None:
        return "", extra, "", None
    if form == "kin":
        return "", values.rng.choice(KIN[values.language]), "", None
    kind = values.kinds.setdefault(name, extra or PERSON_KINDS[name])
    before, surface = values.named(name, form)
    return before, surface, "PERSON", (kind, name)


def _marker(key: tuple[str, str], numbers: dict[tuple[str, str], int]) -> str:
    if key not in numbers:
        numbers[key] = 1 + sum(1 for kind, _ in numbers if kind == key[0])
    return f"[{key[0]}_{numbers[key]}]"


def _span(start: int, surface: str, entity_type: str, marker: str) -> dict[str, Any]:
    return {
        "start": start,
        "end": start + len(surface),
        "entity_type": entity_type,
        "score": 1.0,
        "recognizer": "gold",
        "marker": marker,
    }


def main() -> None:
    """Write the three sample files and their gold spans."""
    rng = random.Random(20261202)
    scripts: dict[str, list[tuple[str, str, str]]] = {"en": [], "es": []}
    for file in sorted((ROOT / "scripts" / "scenarios").glob("*.txt")):
        for part in re.split(r"^# ", file.read_text("utf-8"), flags=re.M)[1:]:
            head, body = part.split("\n", 1)
            language, name = head.split()
            scripts[language].append((file.stem, name, body))
    samples: dict[str, list[str]] = {}
    gold: dict[str, list[str]] = {}
    for language, wanted in WANTED.items():
        for i in range(wanted):
            round_, place = divmod(i, len(scripts[language]))
            domain, name, body = scripts[language][-1 - place if round_ else place]
            turns = render(body, language, rng)
            sample_id = f"{domain}-{language}-{name}-{round_ + 1}"
            plain = [{"role": turn["role"], "text": turn["text"]} for turn in turns]
            record = {"id": sample_id, "language": language, "domain": domain, "turns": plain}
            samples.setdefault(domain, []).append(json.dumps(record, ensure_ascii=False))
            spans = {"id": sample_id, "turns": [{"spans": turn["spans"]} for turn in turns]}
            gold.setdefault(domain, []).append(json.dumps(spans, ensure_ascii=False))
    for domain in samples:
        (ROOT / "samples" / f"{domain}.jsonl").write_text("\n".join(samples[domain]) + "\n", "utf-8")
        (ROOT / "samples" / "gold" / f"{domain}.jsonl").write_text("\n".join(gold[domain]) + "\n", "utf-8")
        print(domain, len(samples[domain]))


if __name__ == "__main__":
    main()
