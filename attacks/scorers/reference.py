"""Reference: a member is what training made likelier (Carlini et al. 2021, arXiv:2012.07805).

RMIA with one fixed population (Zarifzadeh et al. 2024, arXiv:2312.03262) is a monotone function of this score, so it
would rank the same and is not listed beside it.
"""

from __future__ import annotations

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.target import Float64


def reference(evidence: Evidence) -> Float64:
    """Log likelihood ratio of adapter over base, per token: Float64[n], nats, higher = more likely a member."""
    pairs = zip(evidence.log_probabilities, evidence.reference, strict=True)
    return np.array([float(tokens.sum() - base.sum()) / len(tokens) for tokens, base in pairs])
