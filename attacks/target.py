"""What an attack needs to see of a model: likelihoods, and what it completes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]


@runtime_checkable
class Target(Protocol):
    """A trained adapter and, with `reference=True`, its base model without the adapter.

    Every method takes n prefixes (and n continuations) and answers in the same order. Answers are in nats, so they
    are at most 0, and finite; anything else makes the attack `inconclusive`. `attacks` never writes to the model.
    """

    def log_likelihoods(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> Float64:
        """Sums of the log probabilities of each continuation's tokens given its prefix: Float64[n], nats."""
        ...

    def token_log_probabilities(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> list[Float64]:
        """Log probability of each token of each continuation: n arrays Float64[k], k >= 1, nats."""
        ...

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """Greedy completions, without the prefix, of at most `max_new_tokens` tokens: n texts."""
        ...


@runtime_checkable
class StatisticsTarget(Protocol):
    """A target that also tells how each token compares with the whole vocabulary.

    Optional. Min-K%++ and beam search need it. A target that has this method is asked it in place of
    `token_log_probabilities`, so it costs no pass more.
    """

    def token_statistics(self, prefixes: Sequence[str], continuations: Sequence[str]) -> list[Float64]:
        """Per continuation Float64[k, 4]: log p of the token, mean and standard deviation of log p, the token's rank.

        The rank is 1 for the likeliest token of the vocabulary.
        """
        ...


@runtime_checkable
class SearchTarget(Protocol):
    """A target that can be asked for more than its greedy completion; without it, extraction is greedy alone."""

    def beams(self, prefixes: Sequence[str], max_new_tokens: int, width: int) -> list[list[str]]:
        """The `width` completions that beam search finds for each prefix: n lists."""
        ...

    def samples(self, prompts: Sequence[str], max_new_tokens: int, *, seed: int) -> list[str]:
        """One completion drawn for each prompt at temperature 1: n texts."""
        ...
