"""ROC figures against their definitions, by counting pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.roc import auc, low_fpr_tpr, roc_points, tpr_at_fpr

scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30).map(lambda xs: np.array(xs, dtype=np.float64))


@settings(deadline=None)
@given(scores, scores)
def test_auc_counts_pairs(members: np.ndarray, nonmembers: np.ndarray) -> None:
    pairs = [(m > o) + 0.5 * (m == o) for m in members for o in nonmembers]
    assert auc(members, nonmembers) == pytest.approx(np.mean(pairs))


@settings(deadline=None)
@given(scores, scores, st.floats(0, 1))
def test_tpr_keeps_its_false_positive_rate(members: np.ndarray, nonmembers: np.ndarray, fpr: float) -> None:
    best = max(
        ((members > t).mean() for t in nonmembers if (nonmembers > t).mean() <= fpr + 1e-12),
        default=0.0,
    )
    assert tpr_at_fpr(members, nonmembers, fpr) <= best + 1e-12
    if len(set(nonmembers)) == len(nonmembers):
        assert tpr_at_fpr(members, nonmembers, fpr) == pytest.approx(best)


@settings(deadline=None)
@given(scores, scores)
def test_low_fpr_tpr_averages_points(members: np.ndarray, nonmembers: np.ndarray) -> None:
    count = max(1, round(0.05 * len(nonmembers)))
    expected = np.mean([tpr_at_fpr(members, nonmembers, (k + 1e-9) / len(nonmembers)) for k in range(count)])
    assert low_fpr_tpr(members, nonmembers) == pytest.approx(expected)


@settings(deadline=None)
@given(scores, scores)
def test_roc_rises_from_zero_to_one(members: np.ndarray, nonmembers: np.ndarray) -> None:
    points = roc_points(members, nonmembers)
    assert points[0][0] == 0.0
    assert points[-1] == (1.0, 1.0)
    assert list(points) == sorted(points)
    assert all(a[1] <= b[1] for a, b in itertools.pairwise(points))
