"""Longest run: the longest stretch of words that a text has in common with the published set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from attacks.target import Float64
from attacks.text_scorers.words import Ngram, ngrams

_N = 3
Place = tuple[int, int]


def longest_run(texts: Sequence[str], published: Sequence[str]) -> Float64:
    """Words in the longest run shared with one published text, 0 if it is below three: Float64[n]."""
    places: dict[Ngram, list[Place]] = defaultdict(list)
    for number, text in enumerate(published):
        for position, ngram in enumerate(ngrams(text, _N)):
            places[ngram].append((number, position))
    return np.array([float(_longest(text, places)) for text in texts])


def _longest(text: str, places: dict[Ngram, list[Place]]) -> int:
    best, before = 0, dict[Place, int]()
    for ngram in ngrams(text, _N):
        # A run goes on where the same published text had the run before, one word earlier.
        here = {(number, at): before.get((number, at - 1), 0) + 1 for number, at in places.get(ngram, ())}
        best = max(best, *here.values()) if here else best
        before = here
    return best + _N - 1 if best else 0
