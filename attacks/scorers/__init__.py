"""The membership scorers: adding one is a file here, a line below and a test."""

from __future__ import annotations

from collections.abc import Callable

from attacks.scorers.evidence import Evidence
from attacks.scorers.loss import loss
from attacks.scorers.min_k import min_k
from attacks.scorers.min_k_plus_plus import min_k_plus_plus
from attacks.scorers.reference import reference
from attacks.scorers.rmia import rmia
from attacks.scorers.zlib_ratio import zlib_ratio
from attacks.target import Float64

Scorer = Callable[[Evidence], Float64 | None]
"""Float64[n], higher = more likely a member; None when the evidence does not suffice for it."""

SCORERS: dict[str, Scorer] = {
    "reference": reference,
    "loss": loss,
    "zlib_ratio": zlib_ratio,
    "min_k": min_k,
    "min_k_plus_plus": min_k_plus_plus,
    "rmia": rmia,
}
