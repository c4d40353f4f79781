"""Words as the text-only attack sees them."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")

Ngram = tuple[str, ...]


def words(text: str) -> list[str]:
    """Words of a text, case folded, without punctuation."""
    return _WORD.findall(text.casefold())


def ngrams(text: str, n: int) -> list[Ngram]:
    """Runs of n words, in order; fewer words give none."""
    found = words(text)
    return [tuple(found[i : i + n]) for i in range(len(found) - n + 1)]
