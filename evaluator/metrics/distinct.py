"""Distinct-n: share of a set's word n-grams that are different ones.

Li et al. 2016, "A diversity-promoting objective function for neural conversation models". It falls as a set grows, so
it is taken over a sample of fixed size (the first `config.sample` conversations) and compares sets of equal size only.
"""

from __future__ import annotations

from itertools import chain

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.fold import words


def distinct(texts: list[list[str]], n: int) -> float | None:
    """Different n-grams / all n-grams, in (0, 1]; None when no text has n words.

    Args:
        texts: words of each text; n-grams do not cross texts.
        n: words an n-gram, >= 1.
    """
    grams = list(chain.from_iterable(zip(*(text[i:] for i in range(n)), strict=False) for text in texts))
    return len(set(grams)) / len(grams) if grams else None


def _measure(n: int, evidence: Evidence) -> float | None:
    sample = evidence.conversations[: evidence.config.sample]
    return distinct([words(turn.text) for conversation in sample for turn in conversation.turns], n)


DISTINCT_2 = Metric("distinct_2", (0.0, 1.0), "higher", lambda evidence: _measure(2, evidence))
DISTINCT_3 = Metric("distinct_3", (0.0, 1.0), "higher", lambda evidence: _measure(3, evidence))
