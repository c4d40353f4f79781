from __future__ import annotations

import doctest
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import training.audit
from training.audit import audit_one_run, epsilon_bound, p_value


def naive_p_value(m: int, r: int, v: int, eps: float, delta: float) -> float:
    """Appendix D of Steinke et al. 2023, word by word, without a library."""
    q = 1 / (1 + math.exp(-eps))
    pmf = [math.comb(r, k) * q**k * (1 - q) ** (r - k) for k in range(r + 1)]
    beta, alpha, total = sum(pmf[v:]), 0.0, 0.0
    for i in range(1, v + 1):
        total += pmf[v - i]
        if total > i * alpha:
            alpha = total / i
    return min(1.0, beta + alpha * delta * 2 * m)


def test_doctests() -> None:
    assert doctest.testmod(training.audit).failed == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.data())
def test_p_value_is_the_papers(r: int, data: st.DataObject) -> None:
    v = data.draw(st.integers(0, r))
    eps = data.draw(st.floats(0, 6))
    delta = data.draw(st.sampled_from([0.0, 1e-5, 1e-2]))
    assert p_value(50, r, v, eps, delta) == pytest.approx(naive_p_value(50, r, v, eps, delta), abs=1e-9)


@pytest.mark.parametrize(("r", "ceiling"), [(100, 3.5), (1000, 5.8), (9000, 8.0)])
def test_ceilings_that_the_literature_states(r: int, ceiling: float) -> None:
    assert epsilon_bound(r, r, r, 0.0, 0.05) == pytest.approx(ceiling, abs=0.06)


def test_more_correct_guesses_refute_more() -> None:
    bounds = [epsilon_bound(200, 100, v, 1e-5, 0.05) for v in range(50, 101, 5)]
    assert all(a <= b for a, b in itertools.pairwise(bounds))
    assert bounds[0] == 0.0


def test_perfect_scores_reach_the_ceiling_and_blind_ones_do_not() -> None:
    seen = audit_one_run(np.arange(700.0) + 1000, np.arange(700.0), 1e-5, 0.95)
    assert seen.epsilon_lower_bound == pytest.approx(seen.ceiling, abs=0.01)
    assert seen.correct == seen.guesses
    assert 4.5 < seen.ceiling < 6
    blind = audit_one_run(np.zeros(700), np.zeros(700), 1e-5, 0.95)
    assert blind.epsilon_lower_bound < 0.5
    reverse = audit_one_run(np.arange(700.0), np.arange(700.0) + 1000, 1e-5, 0.95)
    assert reverse.epsilon_lower_bound == 0.0


def test_bound_holds_for_randomised_response_at_its_true_epsilon() -> None:
    """Each answer is right with e^eps / (1 + e^eps), the worst that pure eps-DP permits. 200 runs; the bound may
    exceed eps in 5% of them: P[Binomial(200, 0.05) > 20] = 0.0005 is the test's false-alarm rate."""
    rng = np.random.default_rng(3)
    eps, misses = 1.5, 0
    for _ in range(200):
        member = rng.random(200) < 0.5
        told = np.where(rng.random(200) < 1 / (1 + math.exp(-eps)), member, ~member)
        scores = told + rng.random(200) / 10
        misses += audit_one_run(scores[member], scores[~member], 0.0, 0.95).epsilon_lower_bound > eps
    assert misses <= 20


@pytest.mark.parametrize(("members", "nonmembers"), [(0, 0), (1, 0), (3, 2)])
def test_too_few_canaries_show_nothing(members: int, nonmembers: int) -> None:
    audit = audit_one_run(np.ones(members), np.zeros(nonmembers), 1e-5, 0.95)
    assert audit.epsilon_lower_bound == 0.0
