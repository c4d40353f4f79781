"""Loss: a member is what the model finds likely (Yeom et al. 2018, arXiv:1709.01604)."""

from __future__ import annotations

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.target import Float64


def loss(evidence: Evidence) -> Float64:
    """Mean log probability per token: Float64[n], nats, higher = more likely a member."""
    return np.array([float(tokens.mean()) for tokens in evidence.log_probabilities])
