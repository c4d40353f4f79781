"""Closeness to real conversations: Fréchet distance and a classifier two-sample test on sentence embeddings.

Fréchet distance: Heusel et al. 2017, here between normal distributions of turn embeddings (principal components of the
reference). Two-sample test: Lopez-Paz and Oquab 2017; a linear classifier (ridge regression on the labels) is fitted on
half of both sets and its AUC taken on the other half: 0.5 cannot tell them apart, 1.0 always can.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluator.discrimination import auc
from evaluator.metrics.metric import Evidence, Metric
from evaluator.turn_features import read_aloud

Floats = NDArray[np.float64]
COMPONENTS = 32
# Fewer turns say nothing about a distribution of 32 dimensions.
FEWEST = 4 * COMPONENTS
RIDGE = 1.0
FARTHEST = 4.0


def frechet_distance(one: Floats, two: Floats) -> float:
    """Squared Fréchet distance of the normal distributions of two samples, float[n, dimension]; 0.0 for equal ones."""
    means = one.mean(0) - two.mean(0)
    first, second = np.cov(one.T), np.cov(two.T)
    values, vectors = np.linalg.eigh(first)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    cross = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ second @ root), 0)).sum()
    return max(0.0, float(means @ means + np.trace(first) + np.trace(second) - 2 * cross))


def two_sample_auc(one: Floats, two: Floats) -> float:
    """AUC of telling two samples apart, [0, 1]; 0.5 when they cannot be told apart. Rows are in random order."""
    halves = [(sample[::2], sample[1::2]) for sample in (one, two)]
    fitted = np.concatenate([halves[0][0], halves[1][0]])
    labels = np.concatenate(
        [np.full(len(halves[0][0]), 1 / len(halves[0][0])), -np.full(len(halves[1][0]), 1 / len(halves[1][0]))]
    )
    centre = fitted.mean(0)
    spread = np.cov((fitted - centre).T) + RIDGE * np.eye(fitted.shape[1]) / len(fitted)
    direction = np.linalg.solve(spread, (fitted - centre).T @ labels)
    return auc(halves[0][1] @ direction, halves[1][1] @ direction)


def _samples(evidence: Evidence) -> tuple[Floats, Floats] | None:
    if evidence.embed is None:
        return None
    stream = np.random.default_rng(0)
    found = []
    for conversations in (evidence.conversations, evidence.reference):
        texts = [read_aloud(turn.text) for talk in conversations[: evidence.config.sample] for turn in talk.turns]
        if len(texts) < FEWEST:
            return None
        found.append(evidence.embed(texts).astype(np.float64)[stream.permutation(len(texts))])
    mean = found[1].mean(0)
    axes = np.linalg.eigh(np.cov(found[1].T))[1][:, ::-1][:, :COMPONENTS]
    return (found[0] - mean) @ axes, (found[1] - mean) @ axes


def _frechet(evidence: Evidence) -> float | None:
    samples = _samples(evidence)
    return None if samples is None else min(FARTHEST, frechet_distance(*samples))


def _two_sample(evidence: Evidence) -> float | None:
    samples = _samples(evidence)
    return None if samples is None else max(0.5, two_sample_auc(*samples))


FRECHET = Metric("frechet_distance", (0.0, FARTHEST), "lower", _frechet)
TWO_SAMPLE = Metric("two_sample_auc", (0.5, 1.0), "lower", _two_sample)
