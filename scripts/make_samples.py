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

from sample_values import PERSON_KINDS, Values

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
# Conversations by language: each script once, then again from the top in other words.
WANTED = {"en": 45, "es": 15}
FILLERS = {
    "en": [("one moment please", "sure"), ("Bear with me a second.", "no rush"), ("Let me check that for you.", "ok")],
    "es": [("Un momento, por favor.", "vale"), ("Déjeme comprobarlo.", "claro")],
}
PROFESSIONALS = ("a", "d", "n", "t")
KIN = {"en": ["sister", "brother", "grandson", "daughter"], "es": ["hermana", "primo"]}
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
