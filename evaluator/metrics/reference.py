"""Closeness to real conversations: Fréchet distance and a classifier two-sample test on sentence embeddings.

Fréchet distance: Heusel et al. 2017, here between normal distributions of turn embeddings (principal components of the
reference). Two-sample test: Lopez-Paz and Oquab 2017; a linear classifier (ridge regression on the labels) is fitted on
half of both sets and its AUC taken on the other half, no conversation in both: 0.5 cannot tell them apart, 1.0 always
can. What falls below 0.5 by chance is given as 0.5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluator.discrimination import auc
from evaluator.metrics.metric import Evidence, Metric
from evaluator.turn_features import read_aloud

Floats = NDArray[np.float64]
Halves = tuple[Floats, Floats]
COMPONENTS = 32
# Fewer turns say nothing about a distribution of 32 dimensions.
FEWEST = 4 * COMPONENTS
RIDGE = 1.0
FARTHEST = 4.0


def samples(evidence: Evidence) -> tuple[Halves, Halves] | None:
    """Points of the turns of both sets, halved by conversation, since turns of one are alike; None where too few."""
    if evidence.embed is None:
        return None
    stream = np.random.default_rng(0)
    found = []
    for conversations in (evidence.conversations, evidence.reference):
        talks = conversations[: evidence.config.sample]
        order = stream.permutation(len(talks))
        halves = [
            [read_aloud(turn.text) for i in part for turn in talks[i].turns] for part in (order[::2], order[1::2])
        ]
        if min(map(len, halves)) < FEWEST // 2:
            return None
        points = evidence.embed([text for half in halves for text in half]).astype(np.float64)
        found.append((points[: len(halves[0])], points[len(halves[0]) :]))
    reference = np.concatenate(found[1])
    mean = reference.mean(0)
    axes = np.linalg.eigh(np.cov(reference.T))[1][:, ::-1][:, :COMPONENTS]
    one, two = (((fit - mean) @ axes, (tried - mean) @ axes) for fit, tried in found)
    return one, two


def frechet_distance(one: Floats, two: Floats) -> float:
    """Squared Fréchet distance of the normal distributions of two samples, float[n, dimension]; 0.0 for equal ones."""
    means = one.mean(0) - two.mean(0)
    first, second = np.cov(one.T), np.cov(two.T)
    values, vectors = np.linalg.eigh(first)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    cross = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ second @ root), 0)).sum()
    return max(0.0, float(means @ means + np.trace(first) + np.trace(second) - 2 * cross))


def two_sample_auc(one: Halves, two: Halves) -> float:
    """AUC of telling two samples apart, [0, 1]; 0.5 when they cannot be told apart.

    Args:
        one: of a sample, the rows to fit on and the rows to try on, which must be independent of them.
        two: of the other.
    """
    fitted = np.concatenate([one[0], two[0]])
    labels = np.concatenate([np.full(len(one[0]), 1 / len(one[0])), -np.full(len(two[0]), 1 / len(two[0]))])
    centre = fitted.mean(0)
    spread = np.cov((fitted - centre).T) + RIDGE * np.eye(fitted.shape[1]) / len(fitted)
    direction = np.linalg.solve(spread, (fitted - centre).T @ labels)
    return auc(one[1] @ direction, two[1] @ direction)


def _frechet(evidence: Evidence) -> float | None:
    found = samples(evidence)
    return None if found is None else min(FARTHEST, frechet_distance(*map(np.concatenate, found)))


def _two_sample(evidence: Evidence) -> float | None:
    found = samples(evidence)
    return None if found is None else max(0.5, two_sample_auc(*found))


FRECHET = Metric("frechet_distance", (0.0, FARTHEST), "lower", _frechet)
TWO_SAMPLE = Metric("two_sample_auc", (0.5, 1.0), "lower", _two_sample)
