"""Measures of a classifier with hard negatives: F1, AUC, how many related texts are flagged, intervals by bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95% bootstrap interval.

    Attributes:
        value: over all texts.
        low: 2.5% of the draws lie below.
        high: 2.5% of the draws lie above.
    """

    value: float
    low: float
    high: float


def f1(flagged: Bools, truth: Bools) -> float:
    """Harmonic mean of precision and recall, in [0, 1]; 0 where nothing is right."""
    right = int((flagged & truth).sum())
    return 2 * right / (int(flagged.sum()) + int(truth.sum())) if right else 0.0


def auc(scores: Floats, truth: Bools) -> float:
    """Chance that a positive text scores above a negative one, ties half; NaN with one label only."""
    from scipy.stats import rankdata

    good = int(truth.sum())
    bad = len(truth) - good
    if not good or not bad:
        return float("nan")
    ranks = rankdata(scores)
    return float((ranks[truth].sum() - good * (good + 1) / 2) / (good * bad))


def threshold_for(scores: Floats, truth: Bools, recall: float) -> float:
    """The highest threshold (a score >= it is flagged) that keeps a recall.

    Args:
        scores: in [0, 1], higher = more likely positive.
        truth: at least one positive.
        recall: least share of positives flagged, in (0, 1].
    """
    ordered = np.sort(scores[truth])[::-1]
    return float(ordered[int(np.ceil(recall * len(ordered))) - 1])


def flagged_at(scores: Floats, truth: Bools, recall: float) -> float:
    """Share of negatives flagged at the threshold that keeps a recall, in [0, 1], lower is better."""
    return float((scores[~truth] >= threshold_for(scores, truth, recall)).mean())


def bootstrap(groups: Sequence[str], measure: Callable[[NDArray[np.int_]], float], seed: int = 0) -> Interval:
    """A 95% percentile interval, drawing whole groups: texts of one template are one observation.

    Args:
        groups: of each text.
        measure: of texts given by number; NaN draws are left out.
        seed: of the draws.
    """
    names, member = np.unique(np.array(groups), return_inverse=True)
    members = [np.flatnonzero(member == k) for k in range(len(names))]
    draw = np.random.default_rng(seed)
    values = [
        measure(np.concatenate([members[k] for k in draw.integers(0, len(names), len(names))])) for _ in range(_DRAWS)
    ]
    low, high = np.nanpercentile(values, [2.5, 97.5])
    return Interval(measure(np.arange(len(groups))), float(low), float(high))
