"""Zlib: a member is what is likely although it does not compress (Carlini et al. 2021, arXiv:2012.07805)."""

from __future__ import annotations

import zlib

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.target import Float64


def zlib_ratio(evidence: Evidence) -> Float64:
    """Log likelihood per compressed byte: Float64[n], nats per byte, higher = more likely a member."""
    pairs = zip(evidence.log_probabilities, evidence.texts, strict=True)
    return np.array([float(tokens.sum()) / len(zlib.compress(text.encode())) for tokens, text in pairs])
