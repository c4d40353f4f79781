"""What a membership scorer may look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attacks.target import Float64


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """A target's answers for n texts, in one order.

    Attributes:
        texts: the continuations that were scored.
        log_probabilities: n arrays Float64[k], nats, of the adapter.
        reference: the same of the base model.
        statistics: n arrays Float64[k, 3] (log p, mean, standard deviation over the vocabulary), or None.
        min_k: share of lowest tokens for Min-K%, in (0, 1].
    """

    texts: Sequence[str]
    log_probabilities: Sequence[Float64]
    reference: Sequence[Float64]
    statistics: Sequence[Float64] | None
    min_k: float
