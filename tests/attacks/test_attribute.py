"""Attribute inference: right guesses count only where no control is guessed as confidently."""

from __future__ import annotations

import numpy as np

from attacks.attribute import advantage
from attacks.config import AttackConfig
from attacks.gates import run_gates
from tests.attacks.fakes import FakeTarget, canary_set

CONFIG = AttackConfig(attacks=("attribute",), attribute_alternatives=3)


def test_private_model_passes_although_it_guesses_right_by_luck() -> None:
    report = run_gates(FakeTarget(), canary_set(), CONFIG)
    found = report.attacks[0]
    assert report.verdict == "pass"
    assert 0.2 < float(found.details["right_guesses_members"]) < 0.3
    assert float(found.details["advantage_low"]) < 0.0 < float(found.details["advantage_high"])


def test_memory_of_a_twentieth_fails() -> None:
    canaries = canary_set()
    remembered = [c.prefix + c.secret for c in canaries.members[:33]]
    found = run_gates(FakeTarget(remembered, shift=6.0), canaries, CONFIG).attacks[0]
    assert (found.verdict, found.successes) == ("fail", 33)
    assert float(found.details["advantage"]) > 0.0


def test_the_interval_holds_what_it_says() -> None:
    """2,000 fixed draws of 60 against 90 at 0.3 and 0.2: 95% are expected inside; 93.5% is five standard errors off."""
    rng = np.random.default_rng(0)
    ends = [advantage(int(a), 60, int(b), 90, 0.95) for a, b in rng.binomial([60, 90], [0.3, 0.2], (2000, 2))]
    assert np.mean([low <= 0.1 <= high for low, high in ends]) > 0.935


def test_confident_wrong_guesses_are_no_success() -> None:
    """The model is sure of other members' secrets: it never answers right, so nothing is inferred."""
    canaries = canary_set()
    swapped = [a.prefix + b.secret for a in canaries.members for b in canaries.members[:40] if a != b]
    assert run_gates(FakeTarget(swapped, shift=6.0), canaries, CONFIG).attacks[0].successes <= 2


def test_too_few_are_inconclusive() -> None:
    assert run_gates(FakeTarget(), canary_set(10, 10), CONFIG).verdict == "inconclusive"
