from __future__ import annotations

import doctest

import pytest

import training.accounting
from training.accounting import check_delta, claimed_epsilon
from training.errors import AccountingError


def test_doctests() -> None:
    assert doctest.testmod(training.accounting).failed == 0


@pytest.mark.parametrize(("delta", "units", "allowed"), [(1e-5, 99_999, True), (1e-5, 100_000, False), (0.5, 2, False)])
def test_delta_must_lie_below_one_over_units(delta: float, units: int, allowed: bool) -> None:
    if allowed:
        check_delta(delta, units)
    else:
        with pytest.raises(AccountingError):
            check_delta(delta, units)


@pytest.mark.parametrize(
    "figures",
    [
        {"prv": 7.0, "pld": 6.8, "rdp": 8.0},
        {"prv": 7.0, "pld": 7.0, "rdp": 6.0},
        {"prv": float("nan"), "pld": 7.0, "rdp": 8.0},
        {"prv": 7.0, "pld": 7.0, "rdp": float("inf")},
        {"prv": 7.0, "pld": 7.0},
        {"prv": -1.0, "pld": 7.0, "rdp": 8.0},
    ],
)
def test_accountants_that_disagree_claim_nothing(figures: dict[str, float]) -> None:
    with pytest.raises(AccountingError):
        claimed_epsilon(figures)


def test_the_larger_of_the_tight_ones_is_claimed() -> None:
    assert claimed_epsilon({"prv": 7.02, "pld": 7.0, "rdp": 8.0}) == 7.02
    assert claimed_epsilon({"prv": 0.2, "pld": 0.212, "rdp": 0.22}) == 0.212
