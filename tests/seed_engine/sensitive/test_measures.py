"""Measures against slow twins, and the promise of an interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.sensitive.measures import auc, bootstrap, f1, flagged_at, threshold_for
from seed_engine.sensitive.stacking import folds_of, union

ROWS = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.9]), st.booleans()), min_size=2, max_size=30)


@given(ROWS)
def test_auc_is_the_share_of_pairs_in_order(rows: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([s for s, _ in rows]), np.array([t for _, t in rows])
    good, bad = scores[truth], scores[~truth]
    if not len(good) or not len(bad):
        assert np.isnan(auc(scores, truth))
    else:
        naive = np.mean([(g > b) + (g == b) / 2 for g in good for b in bad])
        assert auc(scores, truth) == pytest.approx(naive)


@given(ROWS, st.sampled_from([0.5, 0.75, 0.9, 1.0]))
def test_the_threshold_keeps_the_recall_and_none_higher_does(rows: list[tuple[float, bool]], recall: float) -> None:
    scores, truth = np.array([s for s, _ in rows]), np.array([t for _, t in rows])
    if not truth.any():
        return
    threshold = threshold_for(scores, truth, recall)
    assert (scores[truth] >= threshold).mean() >= recall
    higher = scores[truth][scores[truth] > threshold]
    assert not len(higher) or (scores[truth] >= higher.min()).mean() < recall


def test_f1_and_flags_by_hand() -> None:
    truth = np.array([True, True, False, False])
    assert f1(np.array([True, False, True, False]), truth) == pytest.approx(0.5)
    assert f1(np.zeros(4, dtype=bool), truth) == 0
    assert flagged_at(np.array([0.9, 0.4, 0.5, 0.1]), truth, 1.0) == 0.5


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    """60 samples of a mean; by chance 95% hold it, fewer than 50 with probability below 0.001."""
    draw = np.random.default_rng(5)
    held = 0
    for seed in range(60):
        sample = draw.normal(size=60)
        found = bootstrap([str(k) for k in range(60)], lambda drawn, s=sample: float(s[drawn].mean()), seed)
        held += found.low <= 0 <= found.high
    assert held >= 50


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=40), st.integers(2, 5))
def test_folds_hold_whole_groups(groups: list[str], count: int) -> None:
    folds = folds_of(groups, count)
    assert (np.sum(folds, axis=0) == 1).all()
    for name in set(groups):
        member = np.array([group == name for group in groups])
        assert sum(bool((fold & member).any()) for fold in folds) == 1


def test_a_union_flags_what_any_flags() -> None:
    scores = {"a": np.array([0.9, 0.1, 0.1]), "b": np.array([0.1, 0.1, 0.8])}
    assert union(scores, {"a": 0.5, "b": 0.5}).tolist() == [True, False, True]
