"""Documents of the HybridPII paper's setting: business e-mails, medical records, financial and legal papers.

The paper's documents are not published; these follow its description, Faker values in texts of four domains with their
gold spans. The texts are this project's (`data/paper_frames.json`) and are meant to be as hard as real ones: values in
running sentences and often without a word that announces them, several people called by several forms of their names,
and numbers, titles and eponyms that look personal and are not. `{a.first}` or `{date}` is a value and becomes a gold
span; what stands in `[[ ]]` is a matter of opinion (relative dates, companies, reference numbers) and counts neither
way.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from seed_engine.paper_values import TYPES, Person, Values
from seed_engine.scoring import GoldSpan

# In the order in which the paper lists them.
DOMAINS = ("business", "medical", "financial", "legal")

_PEOPLE = "abcd"
_SHORTEST, _LONGEST = 5, 9
_TOKEN = re.compile(r"\[\[|\]\]|\{(?:([a-d])\.)?(\w+)\}")
_LINE = 72


def paper_documents(count: int, seed: int) -> list[tuple[str, str, tuple[GoldSpan, ...]]]:
    """Make documents, the domains in turn.

    Args:
        count: how many, >= 0; the paper makes 100 and measures 30.
        seed: the same seed makes the same documents.

    Returns:
        Domain, text and gold spans of each.
    """
    rng = random.Random(seed)
    values = Values(rng, seed)
    return [(domain, *_document(_frames()[domain], rng, values)) for domain in (DOMAINS[i % 4] for i in range(count))]


@cache
def _frames() -> dict[str, Any]:
    frames: dict[str, Any] = json.loads((files("seed_engine") / "data" / "paper_frames.json").read_text("utf-8"))
    return frames


def _document(parts: dict[str, list[str]], rng: random.Random, values: Values) -> tuple[str, tuple[GoldSpan, ...]]:
    people = {letter: values.person() for letter in _PEOPLE}
    body = rng.sample(parts["body"], rng.randrange(_SHORTEST, _LONGEST + 1))
    frames = [rng.choice(parts["open"]), *body, rng.choice(parts["close"])]
    # Letters have paragraphs, notes run on.
    gap = rng.choice(("\n\n", "\n", " "))
    text, gold = "", []
    for frame in frames:
        filled, spans = _filled(frame, people, rng, values)
        text += gap if text else ""
        gold += [GoldSpan(len(text) + s.start, len(text) + s.end, s.entity_type, s.ignore) for s in spans]
        text += filled
    return _worn(text, rng), tuple(gold)


def _filled(frame: str, people: dict[str, Person], rng: random.Random, values: Values) -> tuple[str, list[GoldSpan]]:
    text, done, opened = "", 0, -1
    spans: list[GoldSpan] = []
    for token in _TOKEN.finditer(frame):
        text += frame[done : token.start()]
        done = token.end()
        if token[0] == "[[":
            opened = len(text)
        elif token[0] == "]]":
            spans.append(GoldSpan(opened, len(text), "OTHER", ignore=True))
            opened = -1
        else:
            value = people[token[1]].form(token[2], rng) if token[1] else values.draw(token[2])
            if opened < 0 and token[2] in TYPES:
                spans.append(GoldSpan(len(text), len(text) + len(value), TYPES[token[2]]))
            text += value
    return text + frame[done:], spans


def _worn(text: str, rng: random.Random) -> str:
    """The same text as people leave it, sign for sign as long: wrapped by a mail program, all small, all capitals."""
    if rng.random() < 0.3:
        text = _wrapped(text)
    case = rng.random()
    if case < 0.15:
        return _recased(text, str.lower)
    return _recased(text, str.upper) if case < 0.2 else text


def _wrapped(text: str) -> str:
    signs, start, blank = list(text), 0, -1
    for i, sign in enumerate(text):
        if sign == "\n":
            start, blank = i + 1, -1
        elif sign == " ":
            blank = i
        if i - start >= _LINE and blank > start:
            signs[blank] = "\n"
            start, blank = blank + 1, -1
    return "".join(signs)


def _recased(text: str, case: Callable[[str], str]) -> str:
    return "".join(changed if len(changed := case(sign)) == 1 else sign for sign in text)
