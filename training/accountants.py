"""Three accountants of the same mechanism, side by side, and the noise that a target epsilon needs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from training.accounting import claimed_epsilon
from training.errors import AccountingError


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A Poisson-subsampled Gaussian mechanism, repeated.

    Attributes:
        noise_multiplier: standard deviation of the noise in units of the clipping bound, > 0.
        sample_rate: probability of a unit to be in a step's batch, in (0, 1].
        steps: repetitions, >= 1.
    """

    noise_multiplier: float
    sample_rate: float
    steps: int


def epsilons(mechanism: Mechanism, delta: float) -> dict[str, float]:
    """Epsilon by accountant; each an upper bound of the true one.

    Raises:
        AccountingError: an accountant failed; there is no silent fallback to another one.
    """
    return {name: _checked(name, account, mechanism, delta) for name, account in ACCOUNTANTS.items()}


def noise_multiplier_for(epsilon: float, delta: float, sample_rate: float, steps: int) -> float:
    """The least noise multiplier (to 0.1%) whose claimed epsilon does not exceed the target.

    Args:
        epsilon: target, > 0 and finite.
        delta: in (0, 1).
        sample_rate: in (0, 1].
        steps: >= 1.

    Raises:
        AccountingError: no multiplier up to 1,000 reaches the target, or the accountants disagree there.
    """

    def renyi(noise: float) -> float:
        return _checked("rdp", _rdp, Mechanism(noise, sample_rate, steps), delta)

    low, high = 0.2, 0.4
    while renyi(high) > epsilon:
        low, high = high, high * 2
        if high > 1000:
            raise AccountingError(f"epsilon {epsilon:g} needs a noise multiplier above 1,000; take fewer steps")
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if renyi(middle) > epsilon else (low, middle)
    # The search uses the loosest accountant, which is the fastest; the others have the last word.
    while claimed_epsilon(epsilons(Mechanism(high, sample_rate, steps), delta)) > epsilon:
        high *= 1.002
    return high


def _checked(name: str, account: Callable[[Mechanism, float], float], mechanism: Mechanism, delta: float) -> float:
    try:
        value = float(account(mechanism, delta))
    except (ArithmeticError, ValueError, RuntimeError, MemoryError):
        value = math.nan
    if not math.isfinite(value):
        raise AccountingError(
            f"the {name} accountant failed at noise multiplier {mechanism.noise_multiplier:g}, sample rate "
            f"{mechanism.sample_rate:g}, {mechanism.steps} steps"
        )
    return value


def _prv(mechanism: Mechanism, delta: float) -> float:
    from opacus.accountants import PRVAccountant

    accountant = PRVAccountant()
    accountant.history = [(mechanism.noise_multiplier, mechanism.sample_rate, mechanism.steps)]
    # At sample rate 1 Opacus takes log(0) = -inf, which is the right value.
    with warnings.catch_warnings(), np.errstate(divide="ignore"):
        # Renyi orders only size the grid here: a loose one costs time, not correctness.
        warnings.filterwarnings("ignore", message="Optimal order is the", category=UserWarning)
        return float(accountant.get_epsilon(delta))


def _rdp(mechanism: Mechanism, delta: float) -> float:
    from dp_accounting.rdp import RdpAccountant

    # Orders below 2 matter for epsilon above 20 only, and their series does not converge at large sample rates.
    orders = [2 + x / 10 for x in range(90)] + list(range(11, 64)) + [64, 96, 128, 192, 256, 512, 1024]
    return float(_composed(RdpAccountant(orders), mechanism).get_epsilon(delta))


def _pld(mechanism: Mechanism, delta: float) -> float:
    from dp_accounting.pld import PLDAccountant

    return float(_composed(PLDAccountant(), mechanism).get_epsilon(delta))


def _composed(accountant, mechanism: Mechanism):  # type: ignore[no-untyped-def]
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent

    one_step = PoissonSampledDpEvent(mechanism.sample_rate, GaussianDpEvent(mechanism.noise_multiplier))
    return accountant.compose(SelfComposedDpEvent(one_step, mechanism.steps))


ACCOUNTANTS: dict[str, Callable[[Mechanism, float], float]] = {"prv": _prv, "rdp": _rdp, "pld": _pld}
