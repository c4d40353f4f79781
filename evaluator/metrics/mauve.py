"""MAUVE: how much two sets of turns have in common, both ways, on clusters of their sentence embeddings.

Pillutla et al. 2021, "MAUVE: measuring the gap between neural text and human text", NeurIPS, with the divergence curve,
scaling and area of the authors' package and the sentence embedding of this project in place of GPT-2's states, so that
a value compares with values measured here and with no published one. The distributions are smoothed after Krichevsky
and Trofimov, as in the authors' longer paper (2023, JMLR 24).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.metric import Evidence, Metric
from evaluator.metrics.reference import Floats, samples

# The authors' constant: divergence counts fivefold.
SCALING = 5.0
# Points of the divergence curve between its ends.
POINTS = 25
# Turns of the smaller set to a cluster; the authors' choice. With more clusters than this their fit takes the time.
TURNS_A_CLUSTER, MOST_CLUSTERS = 10, 250


def mauve(one: Floats, two: Floats) -> float:
    """MAUVE of two samples of points, float[n, dimension], [0, 1]; 1 where both spread alike over the clusters."""
    from sklearn.cluster import KMeans

    count = max(2, min(len(one), len(two), TURNS_A_CLUSTER * MOST_CLUSTERS) // TURNS_A_CLUSTER)
    clusters = KMeans(count, n_init=1, random_state=0).fit_predict(np.concatenate([one, two]))
    parts = clusters[: len(one)], clusters[len(one) :]
    return area(*(_smoothed(np.bincount(part, minlength=count)) for part in parts))


def area(one: Floats, two: Floats) -> float:
    """Area under the divergence curve of two distributions over the same clusters, [0, 1]; 1.0 for equal ones.

    Args:
        one: probabilities, float[clusters], all > 0.
        two: the same.
    """
    weights = np.linspace(1e-6, 1 - 1e-6, POINTS)
    mixed = [weight * one + (1 - weight) * two for weight in weights]
    x = np.exp([-SCALING * _divergence(two, mixture) for mixture in mixed])
    y = np.exp([-SCALING * _divergence(one, mixture) for mixture in mixed])
    # At its ends the curve meets the axes, where a distribution has nothing of the other.
    return float(np.trapezoid(np.concatenate([[1.0], x, [0.0]]), np.concatenate([[0.0], y, [1.0]])))


def _divergence(one: Floats, two: Floats) -> float:
    return float((one * np.log(one / two)).sum())


def _smoothed(counts: NDArray[np.int64]) -> Floats:
    smoothed: Floats = (counts + 0.5) / (counts + 0.5).sum()
    return smoothed


def _measure(evidence: Evidence) -> float | None:
    found = samples(evidence)
    return None if found is None else mauve(*map(np.concatenate, found))


MAUVE = Metric("mauve", (0.0, 1.0), "higher", _measure)
