"""What a release of seeds costs in (epsilon, delta), alone and over all releases of one source; door to dp-accounting.

Each release is one Gaussian mechanism, accounted for in Renyi differential privacy (Mironov 2017). PLD would give a
tenth less, but is proven for the continuous Gaussian; the discrete one is proven to keep every Renyi bound of it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable

# From 1.1 (large epsilon) to 1,024 (tiny); beyond them a figure only gets larger, never too small.
_ORDERS = [1 + x / 10 for x in range(1, 100)] + list(range(11, 64)) + [64, 96, 128, 192, 256, 512, 1024]


def composed_epsilon(noise_multipliers: Iterable[float], delta: float) -> float:
    """Epsilon of all these releases together; 0 for none.

    Args:
        noise_multipliers: of each release, standard deviation over L2 sensitivity, > 0.
        delta: in (0, 1).
    """
    from dp_accounting import GaussianDpEvent
    from dp_accounting.rdp import RdpAccountant

    multipliers = tuple(noise_multipliers)
    if not multipliers:
        return 0.0
    accountant = RdpAccountant(_ORDERS)
    for multiplier in multipliers:
        accountant.compose(GaussianDpEvent(multiplier))
    with warnings.catch_warnings():
        # A best order at the end of the list costs tightness, not correctness.
        warnings.filterwarnings("ignore", message="Optimal order is the", category=UserWarning)
        return float(accountant.get_epsilon(delta))


def noise_multiplier_for(epsilon: float, delta: float) -> float:
    """The least noise multiplier (to 0.01%) with which one release costs at most epsilon.

    Args:
        epsilon: > 0 and finite.
        delta: in (0, 1).
    """
    low, high = 1e-3, 1.0
    while composed_epsilon((high,), delta) > epsilon:
        low, high = high, 2 * high
    while high / low > 1.0001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if composed_epsilon((middle,), delta) > epsilon else (low, middle)
    return high
