"""Shared n-grams: how much of a text stands in one published text, rare runs of three words counting most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from attacks.target import Float64
from attacks.text_scorers.words import Ngram, ngrams

_N = 3
_COMMON = 100


def shared_ngrams(texts: Sequence[str], published: Sequence[str]) -> Float64:
    """Largest weighted share of a text's trigrams in a single published text: Float64[n], in [0, 1].

    A trigram weighs one over the number of published texts that have it; one that none has weighs 1.
    """
    places: dict[Ngram, list[int]] = defaultdict(list)
    for number, text in enumerate(published):
        for ngram in set(ngrams(text, _N)):
            places[ngram].append(number)
    return np.array([_share(set(ngrams(text, _N)), places) for text in texts])


def _share(wanted: set[Ngram], places: dict[Ngram, list[int]]) -> float:
    total, found = 0.0, defaultdict[int, float](float)
    # Sorted, because sums of floats depend on their order and a set's order on the process's hash seed.
    for ngram in sorted(wanted):
        holders = places.get(ngram, ())
        weight = 1.0 / max(1, len(holders))
        total += weight
        # What a hundred published texts share weighs below a hundredth, and visiting them all would cost most.
        if len(holders) <= _COMMON:
            for number in holders:
                found[number] += weight
    return max(found.values(), default=0.0) / total if total else 0.0
