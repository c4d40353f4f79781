"""Words as the text-only attack sees them."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
# A light stem: endings are what a paraphrase changes first.
_STEM = 6

Ngram = tuple[str, ...]


def words(text: str) -> list[str]:
    """Words of a text, case folded, without punctuation."""
    return _WORD.findall(text.casefold())


def stems(text: str) -> list[str]:
    """The first six letters of each word."""
    return [word[:_STEM] for word in words(text)]


def ngrams(text: str, n: int) -> list[Ngram]:
    """Runs of n words, in order; fewer words give none."""
    found = words(text)
    return [tuple(found[i : i + n]) for i in range(len(found) - n + 1)]
