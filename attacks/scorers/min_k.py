"""Min-K%: a member has no very unlikely tokens (Shi et al. 2024, arXiv:2310.16789)."""

from __future__ import annotations

import math

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.target import Float64


def min_k(evidence: Evidence) -> Float64:
    """Mean of the lowest `min_k` share of token log probabilities: Float64[n], nats, higher = more likely a member."""
    return np.array([lowest_mean(tokens, evidence.min_k) for tokens in evidence.log_probabilities])


def lowest_mean(values: Float64, share: float) -> float:
    """Mean of the lowest `share` of the values, at least one of them."""
    kept = max(1, math.floor(share * len(values)))
    return float(np.partition(values, kept - 1)[:kept].mean())
