"""The privacy loss of a training, and when none may be claimed.

The mechanism is DP-SGD (Abadi et al. 2016): T steps of the Gaussian mechanism with noise multiplier sigma, each on a
Poisson sample with rate q. Neighbours differ in one unit, added or removed.

Guarantees:
    The epsilon claimed is the larger of PRV and PLD, each an upper bound of the true one: PLD rounds privacy losses up
    (Doroshenko et al. 2022), PRV adds its error bound (Gopi et al. 2021, Theorem 5.1).
"""

from __future__ import annotations

import math

from training.errors import AccountingError

# Two tight accountants of one mechanism differ by their discretisation only (PRV: 0.01 absolute by default).
TIGHT_SPREAD = 0.02


def check_delta(delta: float, units: int) -> None:
    """Refuse a delta that would allow publishing one unit outright.

    Args:
        delta: in (0, 1).
        units: privacy units in the data, >= 1.

    Raises:
        AccountingError: delta >= 1 / units.

    >>> check_delta(1e-5, 99_999)
    >>> check_delta(1e-2, 100)
    Traceback (most recent call last):
    training.errors.AccountingError: delta 0.01 is not below 1 / units (100 units): it would permit publishing one whole
    """
    if delta * units >= 1.0:
        raise AccountingError(
            f"delta {delta:g} is not below 1 / units ({units} units): it would permit publishing one whole"
        )


def delta_for(delta: float | None, units: int) -> float:
    """The delta to claim: the given one, else 1e-5, or a tenth of 1 / units where 1e-5 would be too large.

    Args:
        delta: in (0, 1), or None.
        units: privacy units in the data, >= 1.

    Raises:
        AccountingError: the given delta >= 1 / units.

    >>> delta_for(None, 99_999), delta_for(None, 200_000)
    (1e-05, 5e-07)
    """
    if delta is not None:
        check_delta(delta, units)
        return delta
    return 1e-5 if 1e-5 * units < 1 else 0.1 / units


def claimed_epsilon(accountants: dict[str, float]) -> float:
    """The epsilon to claim: the larger of the tight ones, once all three have been held against each other.

    PRV (Gopi et al. 2021) and PLD (Doroshenko et al. 2022) are tight and must agree within 2%. RDP (Mironov 2017) loses
    in its conversion to (epsilon, delta), which uses one order where the loss has all of them: 8% to 29% at the usual
    settings, more than the whole for an epsilon below 0.5. An upper bound too, it must not lie below the tight ones; it
    is printed beside them, and to claim it would buy noise for nothing.

    Args:
        accountants: epsilon by name, with `prv`, `pld` and `rdp`.

    Raises:
        AccountingError: a figure is missing or not finite, or they disagree by more than their theory explains.

    >>> claimed_epsilon({"prv": 6.92, "pld": 6.91, "rdp": 8.16})
    6.92
    >>> claimed_epsilon({"prv": 6.92, "pld": 5.2, "rdp": 8.16})
    Traceback (most recent call last):
    training.errors.AccountingError: accountants disagree: prv 6.92, pld 5.2
    """
    prv, pld, rdp = (accountants.get(name, math.nan) for name in ("prv", "pld", "rdp"))
    if not all(math.isfinite(value) and value >= 0 for value in (prv, pld, rdp)):
        raise AccountingError("an accountant gave no finite epsilon")
    low, high = min(prv, pld), max(prv, pld)
    # PRV's own error bound is 0.01, which is more than 2% of an epsilon below 0.5.
    if high - low > max(TIGHT_SPREAD * high, 0.015):
        raise AccountingError(f"accountants disagree: prv {prv:.4g}, pld {pld:.4g}")
    if rdp < low * (1 - TIGHT_SPREAD) - 0.015:
        raise AccountingError(f"accountants disagree: rdp {rdp:.4g}, tight {high:.4g}")
    return high
