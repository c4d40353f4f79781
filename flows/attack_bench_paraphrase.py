"""A second paraphraser, for the bench alone, so that a leak is not always told by the attack's own rules.

It shares no table and no rule with `attacks.paraphrase`: words are cut out rather than replaced by synonyms, swapped
with their neighbour rather than moved with their sentence, given another ending, and padded with fillers. It was
written once, before any figure was seen.
"""

from __future__ import annotations

import random

_FILLERS = ("well", "you know", "actually", "I mean", "honestly", "look", "right then", "as I said")
_ENDINGS = ("ing", "ed", "s", "ly")
_SHORT, _LONG = 3, 5


def retold(text: str, rng: random.Random) -> str:
    """The same said more loosely.

    Args:
        text: a conversation, one turn a line; turns keep their order.
        rng: decides on each word.
    """
    return "\n".join(_turn(line.split(), rng) for line in text.split("\n"))


def _turn(words: list[str], rng: random.Random) -> str:
    if not words:
        return ""
    kept = [word for word in words if not (len(word) <= _SHORT and rng.random() < 0.35) and rng.random() > 0.08]
    kept = [_ended(word, rng) if len(word) >= _LONG and rng.random() < 0.25 else word for word in kept]
    kept = ["thing" if len(word) >= _LONG and rng.random() < 0.08 else word for word in kept]
    _swap_neighbours(kept, rng)
    if len(kept) > 8 and rng.random() < 0.3:
        kept = kept[: int(len(kept) * 0.75)]
    if rng.random() < 0.5:
        kept.insert(0, f"{rng.choice(_FILLERS)},")
    return " ".join(kept) or words[0]


def _ended(word: str, rng: random.Random) -> str:
    return word.rstrip("sdg.,") + rng.choice(_ENDINGS)


def _swap_neighbours(words: list[str], rng: random.Random) -> None:
    """In place; a word that was just moved stays where it is."""
    at = 0
    while at < len(words) - 1:
        if rng.random() < 0.2:
            words[at], words[at + 1] = words[at + 1], words[at]
            at += 1
        at += 1
