"""Three accountants of the same mechanism, side by side, and the noise that a target epsilon needs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

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


Account = Callable[[tuple[Mechanism, ...], float], float]


def epsilons(done: Mechanism | Sequence[Mechanism], delta: float) -> dict[str, float]:
    """Epsilon by accountant; each an upper bound of the true one.

    Args:
        done: one mechanism, or several that were run one after the other on the same units; they are composed.
        delta: in (0, 1).

    Raises:
        AccountingError: an accountant failed; there is no silent fallback to another one.

    The figure of Abadi et al. 2016, section 3.2 (rate 0.01, noise 4, 10,000 steps, delta 1e-5: 1.26 by moments), and
    the Gaussian mechanism without sampling, which Balle and Wang 2018, Theorem 8, give exactly:

    >>> 0.9 < epsilons(Mechanism(4.0, 0.01, 10_000), 1e-5)["rdp"] <= 1.26
    True
    >>> round(epsilons(Mechanism(1.0, 1.0, 1), 0.126937)["pld"], 2)
    1.0
    """
    mechanisms = (done,) if isinstance(done, Mechanism) else tuple(done)
    return {name: _checked(name, account, mechanisms, delta) for name, account in ACCOUNTANTS.items()}


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

    def tight(noise: float) -> float:
        return claimed_epsilon(epsilons(Mechanism(noise, sample_rate, steps), delta))

    def spent(name: str, account: Account, noise: float) -> float:
        return _checked(name, account, (Mechanism(noise, sample_rate, steps),), delta)

    # Renyi accounting is fast and loose: its noise is more than enough, and not by half.
    low, high = 0.2, 0.4
    while spent("rdp", _rdp, high) > epsilon:
        low, high = high, high * 2
        if high > 1000:
            raise AccountingError(f"epsilon {epsilon:g} needs a noise multiplier above 1,000; take fewer steps")
    low = low / 2
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if spent("pld", _coarse_pld, middle) > epsilon else (low, middle)
    # PLD is searched; the figure that is claimed has the last word.
    while tight(high) > epsilon:
        high *= 1.002
    return high


def _checked(name: str, account: Account, mechanisms: tuple[Mechanism, ...], delta: float) -> float:
    try:
        value = float(account(mechanisms, delta))
    except (ArithmeticError, ValueError, RuntimeError, MemoryError):
        value = math.nan
    if not math.isfinite(value):
        raise AccountingError(
            f"the {name} accountant failed at noise multiplier {mechanisms[-1].noise_multiplier:g}, sample rate "
            f"{mechanisms[-1].sample_rate:g}, {mechanisms[-1].steps} steps"
        )
    return value


def _prv(mechanisms: tuple[Mechanism, ...], delta: float) -> float:
    from opacus.accountants import PRVAccountant

    accountant = PRVAccountant()
    accountant.history = [(done.noise_multiplier, done.sample_rate, done.steps) for done in mechanisms]
    # At sample rate 1 Opacus takes log(0) = -inf, which is the right value.
    with warnings.catch_warnings(), np.errstate(divide="ignore"):
        # Renyi orders only size the grid here: a loose one costs time, not correctness.
        warnings.filterwarnings("ignore", message="Optimal order is the", category=UserWarning)
        rough = float(accountant.get_epsilon(delta))
        # Its error bound, 0.01 by default, is added to the figure: too much for a small epsilon.
        finer = max(rough * 0.004, 0.0005)
        return float(accountant.get_epsilon(delta, eps_error=finer)) if finer < 0.01 else rough


def _rdp(mechanisms: tuple[Mechanism, ...], delta: float) -> float:
    from dp_accounting.rdp import RdpAccountant

    # Orders below 2 matter for epsilon above 20 only, and their series does not converge at large sample rates.
    orders = [2 + x / 10 for x in range(90)] + list(range(11, 64)) + [64, 96, 128, 192, 256, 512, 1024]
    return float(_composed(RdpAccountant(orders), mechanisms).get_epsilon(delta))


def _pld(mechanisms: tuple[Mechanism, ...], delta: float) -> float:
    from dp_accounting.pld import PLDAccountant

    return float(_composed(PLDAccountant(), mechanisms).get_epsilon(delta))


def _coarse_pld(mechanisms: tuple[Mechanism, ...], delta: float) -> float:
    """PLD on a grid ten times as wide: an upper bound too, and quick enough to search with."""
    from dp_accounting.pld import PLDAccountant

    accountant = PLDAccountant(value_discretization_interval=1e-3)
    return float(_composed(accountant, mechanisms).get_epsilon(delta))


def _composed(accountant: Any, mechanisms: tuple[Mechanism, ...]) -> Any:
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent

    for done in mechanisms:
        one_step = PoissonSampledDpEvent(done.sample_rate, GaussianDpEvent(done.noise_multiplier))
        accountant.compose(SelfComposedDpEvent(one_step, done.steps))
    return accountant


ACCOUNTANTS: dict[str, Account] = {"prv": _prv, "rdp": _rdp, "pld": _pld}
