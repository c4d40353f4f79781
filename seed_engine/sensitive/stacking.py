"""Stacking by union: a text is flagged if any of several models flags it, each at a threshold tuned for recall.

Thresholds come from cross-validation whose folds hold whole templates, so that no fold has seen the frames it
is tuned on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.document_models import check_labels, document_model
from seed_engine.sensitive.measures import auc, f1, threshold_for

Floats = NDArray[np.float64]

_FOLDS = 5


@dataclass(frozen=True, slots=True)
class Validated:
    """A model's out-of-fold figures.

    Attributes:
        scores: of each text, by a model that saw neither it nor its template.
        threshold: keeps the recall that was asked for.
        f1: at that threshold.
        auc: over all texts.
    """

    scores: Floats
    threshold: float
    f1: float
    auc: float


def cross_validate(
    kind: str, texts: Sequence[str], positive: Sequence[bool], groups: Sequence[str], recall: float, folds: int = _FOLDS
) -> Validated:
    """Cross-validate a document model.

    Args:
        kind: of `DOCUMENT_MODELS`.
        texts: of both labels.
        positive: truth of each.
        groups: template or source of each; one group never stands on both sides of a fold.
        recall: that the threshold keeps, in (0, 1].
        folds: >= 2.

    Raises:
        TrainingDataError: one label only.
    """
    check_labels(positive)
    truth = np.array(positive, dtype=bool)
    scores = np.zeros(len(texts))
    for fold in folds_of(groups, folds):
        model: Any = document_model(kind)
        model.fit([texts[int(k)] for k in np.flatnonzero(~fold)], list(truth[~fold]))
        scores[fold] = model.score([texts[int(k)] for k in np.flatnonzero(fold)])
    threshold = threshold_for(scores, truth, recall)
    return Validated(scores, threshold, f1(scores >= threshold, truth), auc(scores, truth))


def folds_of(groups: Sequence[str], folds: int) -> list[NDArray[np.bool_]]:
    """Which texts each fold holds; groups are dealt out, largest first, each to the smallest fold."""
    names, member, counts = np.unique(np.array(groups), return_inverse=True, return_counts=True)
    sizes, place = [0] * folds, np.zeros(len(names), dtype=int)
    for group in np.argsort(-counts, kind="stable"):
        place[group] = int(np.argmin(sizes))
        sizes[place[group]] += int(counts[group])
    return [place[member] == fold for fold in range(folds)]


def union(scores: Mapping[str, Floats], thresholds: Mapping[str, float]) -> NDArray[np.bool_]:
    """Which texts any model flags."""
    return np.asarray(np.logical_or.reduce([scores[kind] >= thresholds[kind] for kind in thresholds]))
