"""The detector's training text: generated conversations and the licensed training sets, as spans over texts."""

# ruff: noqa: E501 - frames and value lists are read in one piece.
from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from detector_lines import CLEAN_EN, CLEAN_ES, PERSONAL_EN, PERSONAL_ES, frames
from detector_lines_west import WEST
from detector_values import SLOTS, Values

from seed_engine.policy import is_absolute_date

Span = tuple[int, int, str]
Document = tuple[str, list[Span]]

# Share of each set that one epoch sees, drawn anew: small sets and tweets more often, the largest half. The licences let a
# shipped model be trained on them (see MODEL_CARD.md); ShareAlike sets are left out.
SETS = {
    "presidio_synth": 1.0,
    "kiji": 2.0,
    "clinical_queries": 2.0,
    "tab": 1.0,
    "wnut17": 1.5,
    "nlu_home": 1.0,
    "meddocan_es": 0.5,
}
# Share of licensed texts whose people are drawn anew: the set's own names would be learnt by heart.
RENAMED = 0.35
# Spans of these types are neither personal data nor safely ordinary text, so they teach nothing.
SILENT = frozenset({"NRP", "OTHER", "QUANTITY", "OCCUPATION"})
NAMES_ONLY = frozenset({"wnut17"})
# A set that marks names alone still holds these; they are what the house calls them, not ordinary text.
_HANDLE, _LINK = re.compile(r"@\w{2,}"), re.compile(r"https?://\S+|www\.\S+")
_SLOT = re.compile(r"\{(\w+)\}|<(\w+)>")
_ROLES = {"fr": ("Client", "Conseiller", "Patient", "Médecin"), "de": ("Kunde", "Agent", "Patientin", "Ärztin"), "nl": ("Klant", "Agent", "Patiënt", "Arts"), "en": ("Customer", "Agent", "Patient", "Doctor", "Student", "Tutor", "User"), "es": ("Cliente", "Agente", "Paciente", "Doctora", "Alumno", "Profesora", "Usuario")}  # fmt: skip


def licensed(folder: Path, seed: int) -> Iterator[Document]:
    """Documents of the training sets, as many as `SETS` says; a type `?` marks text that teaches nothing."""
    rng = random.Random(seed)
    values = {language: Values(language, rng) for language in ("en", "es")}
    for name, share in SETS.items():
        records = [json.loads(line) for line in (folder / f"{name}.train.jsonl").read_text("utf-8").splitlines()]
        documents = [(_labelled(record, name), record["language"]) for record in records]
        for (text, spans), language in rng.sample(documents * 2, round(share * len(documents))):
            yield _renamed(text, spans, values[language], rng) if rng.random() < RENAMED else (text, spans)


def _labelled(record: dict, name: str) -> Document:
    text, spans = record["text"], []
    for span in record["spans"]:
        kind = span["entity_type"]
        value = text[span["start"] : span["end"]]
        if kind == "DATE_TIME" and not is_absolute_date(value):
            if name == "nlu_home":
                continue
            kind = "?"
        elif span.get("ignore") or kind in SILENT:
            kind = "?"
        spans.append((span["start"], span["end"], kind))
    if name in NAMES_ONLY:
        taken = [range(start, end) for start, end, _ in spans]
        for match in re.finditer(r"\S*[\d@#/]\S*|\b\d.*?\d\b", text):
            if any(match.start() in span for span in taken):
                continue
            if (handle := _HANDLE.match(match[0])) or _LINK.match(match[0]):
                end = match.start() + handle.end() if handle else match.end()
                spans.append((match.start(), end, "USERNAME" if handle else "URL"))
            else:
                spans.append((match.start(), match.end(), "?"))
    return text, sorted(spans)


def _renamed(text: str, spans: list[Span], values: Values, rng: random.Random) -> Document:
    """The same text about other people: what stays is the way in which people are named, not the names."""
    made, moved, done = "", [], 0
    for start, end, kind in spans:
        if start < done:
            continue
        made += text[done:start]
        value = text[start:end]
        if kind == "PERSON" and value.replace(" ", "").isalpha():
            short = values.first if rng.random() < 0.7 else values.last
            new = values.full() if " " in value else short()
            value = new.lower() if value.islower() else new.upper() if value.isupper() else new
        moved.append((len(made), len(made) + len(value), kind))
        made += value
        done = end
    return made + text[done:], moved


def generated(count: int, seed: int) -> Iterator[Document]:
    """Conversations of 1 to 10 lines, half of them clean; 30% in Spanish, 5% each in French, German and Dutch."""
    rng = random.Random(seed)
    makers = {language: Values(language, rng) for language in ("en", "es", *WEST)}
    lines = {
        "en": (frames(PERSONAL_EN), frames(CLEAN_EN)),
        "es": (frames(PERSONAL_ES), frames(CLEAN_ES)),
        **{language: (frames(personal), frames(clean)) for language, (personal, clean) in WEST.items()},
    }
    for _ in range(count):
        language = rng.choices(("en", "es", "fr", "de", "nl"), (55, 30, 5, 5, 5))[0]
        personal, clean = lines[language]
        share = rng.choice((0.0, 0.0, 0.0, 0.3, 0.6, 1.0))
        labels = rng.random() < 0.15
        makers[language].recast()
        text, spans = "", []
        for _ in range(rng.choice((1, 1, 1, 2, 3, 4, 6, 8, 10))):
            frame = rng.choice(personal if rng.random() < share else clean)
            line, found = _filled(frame, makers[language], rng)
            if rng.random() < 0.15:
                more, also = _filled(rng.choice(clean), makers[language], rng)
                found += [(len(line) + 1 + a, len(line) + 1 + b, kind) for a, b, kind in also]
                line = f"{line} {more}"
            line, found = _as_typed(line, found, rng)
            prefix = f"{rng.choice(_ROLES[language])}: " if labels else ""
            at = len(text) + len(prefix)
            spans += [(at + a, at + b, kind) for a, b, kind in found]
            text += prefix + line + "\n"
        yield text.rstrip("\n"), spans


def _filled(frame: str, values: Values, rng: random.Random) -> Document:
    text, spans, done = "", [], 0
    for match in _SLOT.finditer(frame):
        text += frame[done : match.start()]
        done = match.end()
        if match[2]:
            text += values.ordinary(match[2])
            continue
        value = values.makers[match[1]]()
        spans.append((len(text), len(text) + len(value), SLOTS[match[1]]))
        text += value
    return text + frame[done:], spans


def _as_typed(text: str, spans: list[Span], rng: random.Random) -> Document:
    """Chat manners: lower or upper case, a first capital, a final stop, a letter left out or doubled outside spans."""
    roll = rng.random()
    if roll < 0.35:
        text = _same_length(text, str.lower)
    elif roll < 0.4:
        text = _same_length(text, str.upper)
    elif roll < 0.8 and text and not (spans and spans[0][0] == 0):
        text = text[0].upper() + text[1:]
        text += "" if text[-1] in "?!." else rng.choice(("", ".", ".", "!"))
    if rng.random() < 0.15 and len(text) > 12:
        at = rng.randrange(len(text))
        if text[at].isalpha() and not any(start - 1 <= at <= end for start, end, _ in spans):
            cut = rng.random() < 0.5
            text = text[:at] + ("" if cut else text[at] * 2) + text[at + 1 :]
            move = -1 if cut else 1
            spans = [(a + move * (a > at), b + move * (b > at), kind) for a, b, kind in spans]
    return text, spans


def _same_length(text: str, change) -> str:
    return "".join(new if len(new := change(c)) == 1 else c for c in text)
