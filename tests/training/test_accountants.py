from __future__ import annotations

import doctest
import math
import random

import pytest

import training.accountants
from training.accountants import ACCOUNTANTS, Mechanism, epsilons, noise_multiplier_for
from training.accounting import claimed_epsilon
from training.errors import AccountingError


def test_gaussian_mechanism_has_its_closed_form() -> None:
    """Without sampling, one step: delta(eps) of Balle and Wang 2018, Theorem 8, solved for eps by bisection."""
    sigma, delta = 1.0, 1e-5

    def phi(x: float) -> float:
        return 0.5 * math.erfc(-x / math.sqrt(2))

    low, high = 0.0, 20.0
    for _ in range(80):
        eps = (low + high) / 2
        spent = phi(0.5 / sigma - eps * sigma) - math.exp(eps) * phi(-0.5 / sigma - eps * sigma)
        low, high = (eps, high) if spent > delta else (low, eps)
    found = epsilons(Mechanism(sigma, 1.0, 1), delta)
    assert found["pld"] == pytest.approx(low, rel=0.002)
    assert found["prv"] == pytest.approx(low, rel=0.01)
    assert low <= found["rdp"] <= 1.2 * low


def test_value_of_the_dpsgd_paper() -> None:
    """Abadi et al. 2016, section 3.2: q = 0.01, sigma = 4, T = 10,000, delta = 1e-5 gives 1.26 by moments."""
    found = epsilons(Mechanism(4.0, 0.01, 10_000), 1e-5)
    assert found["rdp"] <= 1.26
    assert 0.8 < found["pld"] <= found["rdp"] * 1.01


def test_prv_and_pld_agree_within_two_percent() -> None:
    rng = random.Random(5)
    for _ in range(4):
        mechanism = Mechanism(rng.uniform(0.6, 1.5), 10 ** rng.uniform(-2.5, -0.5), rng.randint(5, 200))
        found = epsilons(mechanism, 1e-5)
        assert claimed_epsilon(found) == max(found["prv"], found["pld"]) <= found["rdp"] * 1.02


def test_noise_keeps_the_target_and_wastes_little() -> None:
    noise = noise_multiplier_for(8.0, 1e-5, 0.08, 25)
    assert 7.9 < claimed_epsilon(epsilons(Mechanism(noise, 0.08, 25), 1e-5)) <= 8.0
    assert ACCOUNTANTS["rdp"]((Mechanism(noise / 10, 0.08, 25),), 1e-5) > 50


def test_no_noise_is_an_error_and_not_a_guess() -> None:
    with pytest.raises(AccountingError, match="above 1,000"):
        noise_multiplier_for(1e-4, 1e-5, 1.0, 100_000)


def test_doctests() -> None:
    assert doctest.testmod(training.accountants).failed == 0


def test_dp_accounting_gives_what_we_claim() -> None:
    """Twenty random trainings; dp-accounting called here by itself, as an auditor would."""
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.pld import PLDAccountant

    rng = random.Random(20)
    for _ in range(20):
        noise, rate, steps = rng.uniform(0.6, 2.0), 10 ** rng.uniform(-2.5, -0.5), rng.randint(5, 300)
        theirs = PLDAccountant()
        theirs.compose(PoissonSampledDpEvent(rate, GaussianDpEvent(noise)), steps)
        ours = claimed_epsilon(epsilons(Mechanism(noise, rate, steps), 1e-5))
        assert ours == pytest.approx(theirs.get_epsilon(1e-5), rel=0.01)


def test_mechanisms_compose() -> None:
    one = Mechanism(1.0, 0.1, 20)
    together, half = epsilons([one, one], 1e-5), epsilons(one, 1e-5)
    whole = epsilons(Mechanism(1.0, 0.1, 40), 1e-5)
    for name in ACCOUNTANTS:
        assert together[name] == pytest.approx(whole[name], rel=0.01)
        assert half[name] < together[name] < 2 * half[name]
