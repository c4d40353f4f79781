"""RMIA: a member is likelier than a blend of the base model's word and none at all (Zarifzadeh et al. 2024).

Source: arXiv:2312.03262, the offline form with one reference model. A text's own probability, p(x), is
estimated from a model that never saw it as ((1 + a) p_out(x) + (1 - a)) / 2, which lifts texts that it finds unlikely;
likelihoods are taken per token. How large a share of a population z scores lower is a monotone function of this ratio,
so that comparison would rank the same and is left out.
"""

from __future__ import annotations

import numpy as np

from attacks.scorers.evidence import Evidence
from attacks.target import Float64

# 1 would be the reference attack, -1 the loss; a choice between the two, tuned on nothing.
_A = 0.3


def rmia(evidence: Evidence) -> Float64:
    """Log of the per-token likelihood over its estimate from the base: Float64[n], nats, higher = likelier a member."""
    own, base = (
        np.array([float(tokens.mean()) for tokens in answers])
        for answers in (evidence.log_probabilities, evidence.reference)
    )
    return np.asarray(own - np.log(((1.0 + _A) * np.exp(base) + (1.0 - _A)) / 2.0))
