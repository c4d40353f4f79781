"""What the words around a cue and a person tell of their link: events, topics, denials, fiction, experts, numbers.

Each group is one feature; the model weighs them, no group decides alone. The words are data (`data/link_patterns.txt`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.resources import files


def _groups() -> dict[str, dict[str, re.Pattern[str]]]:
    words: dict[str, list[str]] = defaultdict(list)
    heading = ""
    text = (files("seed_engine.sensitive") / "data" / "link_patterns.txt").read_text("utf-8")
    for line in text.splitlines():
        # A line of words may open with a class of characters: [0-9].
        if _HEADING.fullmatch(line):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            words[heading] += line.split()
    found: dict[str, dict[str, re.Pattern[str]]] = defaultdict(dict)
    for name, alternatives in words.items():
        kind, _, group = name.partition(":")
        found[kind][group] = re.compile("|".join(alternatives))
    return dict(found)


_HEADING = re.compile(r"\[[a-z]+:[a-z]+\]")
_ALL = _groups()

# Right behind the cue, up to the end of its sentence.
TAIL = _ALL["tail"]
# Anywhere in the sentence of the cue.
SENTENCE = _ALL["sentence"]
# In the sentences before and after, and in the sentence itself.
AROUND = {name: SENTENCE[name] for name in ("fiction", "speech", "confession", "number", "history", "work", "family")}
# Titles that tell who speaks of others' facts for a living.
EXPERT = _ALL["person"]["expert"]
# Words that tell of whom a fact is on record.
SUSPECT = _ALL["person"]["suspect"]
# Ends of a sentence that a writer says of himself.
EXPERIENCE = _ALL["person"]["experience"]
# What may stand right behind a person.
PARTICLES = ("は", "が", "も", "の", "を", "に", "と", "、", "（", "。", "」", "で", "から", "によ", "様", "　")
