"""Exposure: how far up a planted secret stands among others that could have stood in its place.

Source: Carlini et al. 2019, "The Secret Sharer", arXiv:1802.08232, definition 3, with a drawn candidate space.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from attacks.canaries import CanarySet
from attacks.config import AttackConfig
from attacks.guard import GuardedTarget
from attacks.verdict import Details


@dataclass(frozen=True, slots=True)
class Exposure:
    """Exposures of some canaries.

    Attributes:
        bits: one per canary, in [0, ceiling].
        ceiling: log2 of the number of candidates, the secret included.
        by_chance: mean exposure, in bits, of secrets that the model has never seen.
    """

    bits: tuple[float, ...]
    ceiling: float
    by_chance: float

    @property
    def figures(self) -> Details:
        """The figures that go with the extraction attack's result."""
        return {
            "exposure_mean_bits": sum(self.bits) / len(self.bits),
            "exposure_ceiling_bits": self.ceiling,
            "exposure_by_chance_bits": self.by_chance,
        }


def measure_exposure(target: GuardedTarget, canaries: CanarySet, config: AttackConfig) -> Exposure | None:
    """log2(candidates) - log2(rank) of the true secret among non-members' secrets, under its own prefix.

    A figure for the report, without a verdict: 32 candidates cannot show a rate below 1%. Ties count half.
    Returns None when nothing is to be measured.

    Raises:
        TargetError: the target failed.
    """
    alternatives = sorted({c.secret for c in canaries.nonmembers} - {c.secret for c in canaries.members})
    sample = canaries.members[: config.exposure_canaries]
    if not sample or not alternatives:
        return None
    rng = np.random.default_rng(config.seed)
    drawn = [str(s) for s in rng.permutation(alternatives)[: config.exposure_alternatives]]
    prefixes = [c.prefix for c in sample for _ in range(len(drawn) + 1)]
    secrets = [secret for c in sample for secret in (c.secret, *drawn)]
    table = target.log_likelihoods(prefixes, secrets).reshape(len(sample), len(drawn) + 1)
    true, others = table[:, :1], table[:, 1:]
    ranks = 1.0 + (others > true).sum(axis=1) + 0.5 * (others == true).sum(axis=1)
    ceiling = math.log2(len(drawn) + 1)
    expected = ceiling - sum(math.log2(rank) for rank in range(1, len(drawn) + 2)) / (len(drawn) + 1)
    return Exposure(tuple(float(b) for b in ceiling - np.log2(ranks)), ceiling, expected)
