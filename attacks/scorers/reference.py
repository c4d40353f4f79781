"""Reference: a member is what training made likelier (Carlini et al. 2021, arXiv:2012.07805)."""

from __future__ import annotations

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.target import Float64


def reference(evidence: Evidence) -> Float64:
    """Log likelihood ratio of adapter over base, per token: Float64[n], nats, higher = more likely a member."""
    pairs = zip(evidence.log_probabilities, evidence.reference, strict=True)
    return np.array([float(tokens.sum() - base.sum()) / len(tokens) for tokens, base in pairs])
