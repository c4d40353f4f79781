"""Trainers that break one promise each, and what catches them: an assertion, or the one-run audit.

The trainers are DP-SGD on a linear model whose every coordinate is one canary's direction: the worst case, in which the
audit sees all that the noise lets through, at no cost.
"""

from __future__ import annotations

import numpy as np
import pytest

from training.accountants import noise_multiplier_for
from training.audit import audit_one_run

CANARIES, RATE, STEPS, DELTA = 1000, 0.2, 10, 1e-5


def run(noise: float, seed: int, *, clip: float = 1.0, scale: float = 1.0, copies: int = 1) -> float:
    """Epsilon that the audit of one training proves; `scale` is the size of a raw gradient."""
    rng = np.random.default_rng(seed)
    member = rng.random(CANARIES) < 0.5
    weights = np.zeros(CANARIES)
    for _ in range(STEPS):
        drawn = sum((rng.random(CANARIES) < RATE).astype(float) for _ in range(copies))
        weights += member * drawn * min(clip, scale) + rng.normal(0, noise, CANARIES)
    return audit_one_run(weights[member], weights[~member], DELTA, 0.95).epsilon_lower_bound


@pytest.fixture(scope="module")
def noise() -> float:
    return noise_multiplier_for(1.0, DELTA, RATE, STEPS)


def test_the_honest_trainer_raises_no_alarm_in_forty_runs(noise: float) -> None:
    """A valid bound exceeds epsilon in at most 5% of runs; 8 or more of 40 would happen with probability 7e-4."""
    assert sum(run(noise, seed) > 1.0 for seed in range(40)) < 8


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"clip": np.inf, "scale": 20.0}, id="no clipping"),
        pytest.param({"copies": 12}, id="one subject repeated as twelve units"),
    ],
)
def test_the_audit_refutes_a_broken_claim(noise: float, fault: dict[str, float]) -> None:
    assert run(noise, 0, **fault) > 1.0  # type: ignore[arg-type]


def test_the_audit_refutes_noise_ten_times_too_small(noise: float) -> None:
    assert run(noise / 10, 0) > 1.0
