"""Discrete Gaussian noise on integers: the one door to OpenDP.

The sampler is OpenDP's (MIT), after Canonne, Kamath and Steinke (2020), "The Discrete Gaussian for Differential
Privacy": exact, in integer and rational arithmetic, from the operating system's entropy. Counts are integers and stay
integers until the noise is on them, so that the attack of Mironov (2012) on the low bits of floating-point noise has
nothing to read, and no seed exists that anybody could subtract the noise with.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Noise = Callable[[NDArray[np.int64], int], NDArray[np.int64]]
"""Adds noise: (values, standard deviation in the values' own integer units) -> noisy values."""


def discrete_gaussian(values: NDArray[np.int64], scale: int) -> NDArray[np.int64]:
    """Values with independent discrete Gaussian noise on every one.

    Guarantees:
        One call on values of L2 sensitivity D satisfies rho-zCDP with rho = D^2 / (2 scale^2), and every Renyi bound of
        the continuous Gaussian of that scale (Canonne et al. 2020, Theorem 4 and Section 2.3).

    Args:
        values: exact integer statistics, any number of them.
        scale: parameter sigma of the discrete Gaussian, >= 1.
    """
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian
    from opendp.metrics import l2_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    mechanism = make_gaussian(vector_domain(atom_domain(T="i64")), l2_distance(T="f64"), scale=float(scale))
    return np.asarray(mechanism(values.tolist()), dtype=np.int64)
