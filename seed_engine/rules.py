"""Keyword rules of a domain: which words speak for a topic, an objective or a slot (data in `data/rules/`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from seed_engine.domain_file import own_domains
from seed_engine.fold import fold

_REGEX = "re:"


@dataclass(frozen=True, slots=True)
class Rules:
    """A domain's keyword rules, by label; the labels are those of the domain's profile and of the vocabulary.

    Attributes:
        inputs: words by which inputs call the domain (`math` in `math-tutoring`).
        leads: the objective that a topic speaks for when it opens a conversation, by topic.
    """

    inputs: frozenset[str]
    topics: dict[str, re.Pattern[str]]
    objectives: dict[str, re.Pattern[str]]
    slots: dict[str, re.Pattern[str]]
    leads: dict[str, str]


@cache
def domain_rules() -> dict[str, Rules]:
    """The rules of every domain that has a file, by domain name."""
    folder = files("seed_engine") / "data" / "rules"
    raws = (json.loads(file.read_text("utf-8")) for file in folder.iterdir() if file.name.endswith(".json"))
    shipped = {raw["name"]: _rules(raw) for raw in sorted(raws, key=lambda raw: str(raw["name"]))}
    return shipped | {file.name: _rules(file.rules.model_dump()) for file in own_domains()}


def hits(patterns: dict[str, re.Pattern[str]], folded: str) -> dict[str, int]:
    """How many different keywords of each label stand in a folded text; labels without one are left out."""
    counts = {label: len(set(pattern.findall(folded))) for label, pattern in patterns.items()}
    return {label: count for label, count in counts.items() if count}


def matches(patterns: dict[str, re.Pattern[str]], folded: str) -> set[str]:
    """The different words of a folded text that are a keyword of any label."""
    return {word for pattern in patterns.values() for word in pattern.findall(folded)}


def _rules(raw: dict[str, Any]) -> Rules:
    compiled = {
        part: {label: _compile(words) for label, words in raw[part].items()}
        for part in ("topics", "objectives", "slots")
    }
    return Rules(inputs=frozenset(raw["inputs"]), leads=dict(raw.get("leads", {})), **compiled)


def _compile(words: Iterable[str]) -> re.Pattern[str]:
    """One pattern: `*` at a word's end stands for any ending, a word after `re:` is a regular expression."""
    parts = []
    for word in words:
        if word.startswith(_REGEX):
            parts.append(f"(?:{word.removeprefix(_REGEX)})")
        else:
            stem = fold(word)
            parts.append(r"\b" + (re.escape(stem[:-1]) if stem.endswith("*") else re.escape(stem) + r"\b"))
    # A label without keywords is never found; an empty pattern would be found everywhere.
    return re.compile("|".join(parts) or r"(?!)")
