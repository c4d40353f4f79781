"""Min-K%++: a member's tokens stand out in the model's own distribution (Zhang et al. 2025, arXiv:2404.02936)."""

from __future__ import annotations

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.scorers.min_k import lowest_mean
from attacks.target import Float64


def min_k_plus_plus(evidence: Evidence) -> Float64 | None:
    """Min-K% of standardised log probabilities: Float64[n], higher = more likely a member; None without statistics."""
    if evidence.statistics is None:
        return None
    standardised = [(rows[:, 0] - rows[:, 1]) / np.maximum(rows[:, 2], 1e-6) for rows in evidence.statistics]
    return np.array([lowest_mean(values, evidence.min_k) for values in standardised])
