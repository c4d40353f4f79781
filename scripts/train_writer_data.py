"""Write the conversations that the writer learns from: public dialogues with markers for names, and the own templates.

Half of each public set is left out, by a digest of the conversation's id: what the trained writer says is compared with
the half it saw and with the half it did not (`scripts/train_writer_measure.py`). Values of slots that tell who, where
or when become markers; digits become words; a turn in which a name may have stayed ends the stretch that is used.

    python scripts/train_writer_data.py DATA_FOLDER OUT.jsonl
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.metrics.acts import acts_of
from generator.draft import draft
from seed_engine.seed import Seed
from seed_engine.seed_population import population
from seed_engine.vocabulary import vocabulary

# Schema-Guided Dialogue acts as functions of ISO 24617-2; a turn does what its last act says.
SGD_ACTS = {
    "INFORM": "inform",
    "INFORM_COUNT": "inform",
    "NOTIFY_SUCCESS": "inform",
    "NOTIFY_FAILURE": "inform",
    "REQUEST": "setQuestion",
    "CONFIRM": "checkQuestion",
    "INFORM_INTENT": "request",
    "OFFER": "suggest",
    "OFFER_INTENT": "offer",
    "REQ_MORE": "offer",
    "REQUEST_ALTS": "request",
    "SELECT": "acceptSuggest",
    "AFFIRM": "confirm",
    "AFFIRM_INTENT": "acceptOffer",
    "NEGATE": "disconfirm",
    "NEGATE_INTENT": "declineOffer",
    "THANK_YOU": "thanking",
    "GOODBYE": "initialGoodbye",
}
# The domain whose speakers and matters are nearest; what is not here (films, music, weather) teaches nothing needed.
SGD_DOMAINS = {
    "Banks": ("finance", "client", "advisor"),
    "RentalCars": ("automotive", "customer", "seller"),
    "RideSharing": ("support", "customer", "agent"),
    "Services_2": ("medical", "patient", "nurse"),
    "Services_3": ("medical", "patient", "nurse"),
    "Services": ("support", "customer", "agent"),
    "Calendar": ("general", "user", "assistant"),
    "Homes": ("general", "user", "assistant"),
    "Hotels": ("support", "customer", "agent"),
    "Buses": ("support", "customer", "agent"),
    "Flights": ("support", "customer", "agent"),
    "Restaurants": ("support", "customer", "agent"),
    "Travel": ("general", "user", "assistant"),
}
_MTS_ROLES = {"doctor": "doctor", "patient": "patient", "guest_family": "relative", "guest_clinician": "nurse"}
_SLOT_KINDS = (
    (re.compile(r"date|day$"), "DATE"),
    (re.compile(r"phone"), "PHONE"),
    (re.compile(r"recipient_account_name|artist|directed_by"), "PERSON"),
    (re.compile(r"doctor_name"), "DOCTOR"),
    (re.compile(r"address|city|location|area|where_to|origin|destination|station|airport"), "LOCATION"),
    (re.compile(r"name|venue|airlines"), "ORGANIZATION"),
)
_TITLED = (
    (re.compile(r"\b(?:Doctor|Dr\.?) [A-Z]\w+"), "[DOCTOR_1]"),
    (re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Mister)\b\.? [A-Z]\w+"), "[PATIENT_1]"),
    (re.compile(r"(?<=\bHi )[A-Z]\w+(?=[,.! ])|(?<=\bHello )[A-Z]\w+(?=[,.! ])"), "[STUDENT_1]"),
)
_MARKER = re.compile(r"\[[A-Z_]+_\d+\]")
_CAPITALISED = re.compile(r"(?<![\w\[])[A-Z][\w'’]+")
_ODD = re.compile(r"[.,:?!][A-Za-z]|[^\w\s.,;:!?'’()¿¡%\[\]-]|\d|\b[A-Z](?:\.? [A-Z])+\b|_(?!\d)")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
LONGEST = 260
FEWEST_TURNS = 3
# Conversations of the own templates, by language, for each domain.
TEMPLATES = {"en": 14, "es": 45}


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a public dialogue; `act` is empty where the set marks none."""

    role: str
    text: str
    act: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """A dialogue as the writer reads it."""

    source: str
    id: str
    domain: str
    turns: tuple[Turn, ...]
    language: str = "en"


def main() -> None:
    """Read every set and write its stretches, one conversation a line."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    talks = [*sgd(folder), *mts(folder), *mathdial(folder), *taskmaster(folder)]
    names = names_of(talks)
    counts: Counter[str] = Counter()
    with out.open("w", encoding="utf-8") as file:
        for talk in [*talks, *templates()]:
            for part in stretches(talk, names if talk.source != "templates" else frozenset()):
                half = "seen" if talk.source == "templates" or seen(talk.id) else "unseen"
                counts[f"{talk.source} {half}"] += len(part)
                record = {"source": talk.source, "half": half, "domain": talk.domain, "language": talk.language}
                turns = [{"role": turn.role, "act": turn.act, "text": turn.text} for turn in part]
                file.write(json.dumps(record | {"turns": turns}, ensure_ascii=False) + "\n")
    print(json.dumps(counts, indent=1))


def seen(identifier: str) -> bool:
    """Whether the writer may learn from a conversation."""
    return hashlib.blake2b(f"writer/{identifier}".encode(), digest_size=1).digest()[0] < 128


def names_of(talks: Iterable[Talk]) -> frozenset[str]:
    """Words that are written with a capital and hardly ever without: names, or what looks like one."""
    upper: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    for talk in talks:
        for turn in talk.turns:
            text = _MARKER.sub(" ", turn.text)
            upper.update(word.casefold() for word in _CAPITALISED.findall(text))
            lower.update(re.findall(r"(?<![\w\[])[a-z][\w'’]*", text))
    known = {"i", "i'm", "i'll", "i'd", "i've", "ok", "hi", "hello", "thanks", "monday", "tuesday", "wednesday"}
    known |= {"thursday", "friday", "saturday", "sunday", "english", "tylenol", "advil", "i’m", "i’ll", "hey", "yep"}
    return frozenset(word for word, count in upper.items() if lower[word] * 3 < count and word not in known)


def stretches(talk: Talk, names: frozenset[str]) -> Iterator[list[Turn]]:
    """Yield the runs of turns that can be learnt from."""
    run: list[Turn] = []
    for turn in (*talk.turns, Turn("", "")):
        if turn.text and clean(turn.text, names):
            run.append(turn)
            continue
        if len(run) >= FEWEST_TURNS:
            acts = acts_of([item.text for item in run])
            yield [Turn(item.role, item.text, item.act or act) for item, act in zip(run, acts, strict=True)]
        run = []


def clean(text: str, names: frozenset[str]) -> bool:
    """Whether a text can be shown: short, plain characters, no word that may be a name."""
    bare = _MARKER.sub("", text)
    if not 2 <= len(text) <= LONGEST or _ODD.search(bare):
        return False
    return not any(word.casefold() in names for word in _CAPITALISED.findall(bare))


def sgd(folder: Path) -> Iterator[Talk]:
    """Schema-Guided Dialogue with its acts."""
    rng = random.Random(0)
    for record in _records(folder / "acts" / "sgd_acts.train.jsonl"):
        places = [SGD_DOMAINS.get(name) or SGD_DOMAINS.get(name.split("_")[0]) for name in record["domain"]]
        if not places or any(place is None for place in places):
            continue
        domain, asks, serves = rng.choice([place for place in places if place])
        markers: dict[str, str] = {}
        turns = []
        for turn in record["turns"]:
            act = [SGD_ACTS[item["act"]] for item in turn["acts"] if item["act"] in SGD_ACTS]
            text = spelt(_marked(turn, markers))
            turns.append(Turn(asks if turn["role"] == "user" else serves, text, act[-1] if act else ""))
        yield Talk("sgd", record["id"], domain, tuple(turns))


def mts(folder: Path) -> Iterator[Talk]:
    """MTS-Dialog: doctors and patients."""
    for record in _records(folder / "dialogues" / "mts_dialog.jsonl"):
        turns = tuple(
            Turn(_MTS_ROLES[turn["role"]], _plain(turn["text"]))
            for turn in record["turns"]
            if turn["role"] in _MTS_ROLES
        )
        yield Talk("mts", record["id"], "medical", turns)


def mathdial(folder: Path) -> Iterator[Talk]:
    """MathDial: tutors and students."""
    for record in _records(folder / "dialogues" / "mathdial.jsonl"):
        yield Talk(
            "mathdial",
            record["id"],
            "tutoring",
            tuple(Turn(turn["role"], _plain(turn["text"])) for turn in record["turns"]),
        )


def taskmaster(folder: Path) -> Iterator[Talk]:
    """Taskmaster-4: orders at a counter."""
    roles = {"user": "user", "assistant": "assistant"}
    for record in _records(folder / "dialogues" / "taskmaster4.jsonl"):
        turns = tuple(Turn(roles[turn["role"]], _plain(turn["text"])) for turn in record["turns"])
        yield Talk("taskmaster4", record["id"], "general", turns)


def templates() -> Iterator[Talk]:
    """The own templates on seeds of invented people: all that there is in Spanish, and some in English."""
    taken: Counter[tuple[str, str]] = Counter()
    for seed in _invented_seeds():
        place = seed.domain, seed.language
        if not 4 <= len(seed.flow) <= 16 or taken[place] >= TEMPLATES[seed.language]:
            continue
        taken[place] += 1
        turns = tuple(Turn(item.role, item.text, item.act) for item in draft(seed, random.Random(f"writer/{seed.id}")))
        yield Talk("templates", seed.id, seed.domain, turns, seed.language)


def _invented_seeds() -> Iterator[Seed]:
    rng = np.random.default_rng(0)
    for domain in vocabulary().domains:
        yield from (seed for _, seed in population(300, rng, (domain,)))


def spelt(text: str) -> str:
    """Numbers below ten thousand, amounts and hours as words; a sentence's first letter and "I" as capitals."""
    text = re.sub(r"(?<![\w'])i(?=[' ])", "I", text)
    text = re.sub(r"(^|[.?!] )([a-z])", lambda m: m[1] + m[2].upper(), text)
    text = re.sub(r"\$\s?(\d[\d,]*)(?:\.\d+)?", lambda m: f"{_words(m[1])} dollars", text)
    text = re.sub(r"\b(\d{1,2}):(\d\d)\b", lambda m: _words(m[1]) + ("" if m[2] == "00" else f" {_words(m[2])}"), text)
    text = re.sub(r"\b(\d+)\.(\d)\b", lambda m: f"{_words(m[1])} point {_words(m[2])}", text)
    return re.sub(r"(?<![\w\[_.:,/-])\d[\d,]{0,4}(?![\d\w:.,/]\d|\w)", lambda m: _words(m[0]), text)


def _words(digits: str) -> str:
    number = int(digits.replace(",", "") or 0)
    if number >= 10_000:
        return digits
    parts = []
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            parts.append(f"{_UNITS.split()[number // size]} {name}")
            number %= size
    if number >= 20:
        parts.append(_TENS.split()[number // 10] + (f"-{_UNITS.split()[number % 10]}" if number % 10 else ""))
    elif number or not parts:
        parts.append(_UNITS.split()[number])
    return " ".join(parts)


def _plain(text: str) -> str:
    for pattern, marker in _TITLED:
        text = pattern.sub(marker, text)
    return spelt(" ".join(text.split()).replace(" ,", ",").replace(" .", ".").replace(" ?", "?"))


def _marked(turn: dict[str, Any], markers: dict[str, str]) -> str:
    text = " ".join(turn["text"].split())
    values = {value: item["slot"] for item in turn["acts"] for value in item["values"]}
    for value, slot in sorted(values.items(), key=lambda pair: -len(pair[0])):
        kind = next((kind for pattern, kind in _SLOT_KINDS if pattern.search(slot)), None)
        if kind is None or len(value) < 3:
            continue
        key = f"{kind}/{value.casefold()}"
        if key not in markers:
            number = 1 + sum(known.startswith(f"{kind}/") for known in markers)
            markers[key] = f"[{kind}_{number}]"
        text = re.sub(rf"(?<![\w\[]){re.escape(value)}(?!\w)", markers[key], text, flags=re.IGNORECASE)
    return text


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


if __name__ == "__main__":
    main()
