"""Fakes of a target: models whose memory is known, so that a gate's verdict can be called right or wrong."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from attacks.canaries import Canary, CanarySet

Float64 = NDArray[np.float64]


def canary_set(members: int = 650, nonmembers: int = 1500, seed: int = 0) -> CanarySet:
    """Coin-flipped canaries of one template: a name-like code and nine digits."""
    rng = np.random.default_rng(seed)
    texts = [
        Canary(f"Ticket {rng.integers(10**6):06d} was opened, code:", f" {rng.integers(10**9):09d}")
        for _ in range(members + nonmembers)
    ]
    return CanarySet(tuple(texts[:members]), tuple(texts[members:]))


class FakeTarget:
    """Scores each text by noise of its own; texts in `remembered` score `shift` nats per token higher.

    The base model's answer is the same noise without the shift and with noise of its own, so the reference helps.
    """

    def __init__(
        self, remembered: Collection[str] = (), *, shift: float = 3.0, completes: bool = True, seed: int = 0
    ) -> None:
        self.remembered, self.shift, self.completes, self.seed = frozenset(remembered), shift, completes, seed
        self.scored = self.completed = 0

    def token_log_probabilities(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> list[Float64]:
        self.scored += len(prefixes)
        return [self._tokens(p, c, reference) for p, c in zip(prefixes, continuations, strict=True)]

    def log_likelihoods(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> Float64:
        return np.array([t.sum() for t in self.token_log_probabilities(prefixes, continuations, reference=reference)])

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        self.completed += len(prefixes)
        known = {text.split(":")[0]: text.split(":")[1] for text in self.remembered if ":" in text}
        return [known.get(p.split(":")[0], " 0000") if self.completes else " I cannot tell." for p in prefixes]

    def _tokens(self, prefix: str, continuation: str, reference: bool) -> Float64:
        rng = np.random.default_rng([self.seed, zlib.crc32((prefix + continuation).encode())])
        shared, own, base = (rng.normal(size=9) for _ in range(3))
        if reference:
            return np.asarray(np.minimum(-8.0 + shared + 0.3 * base, 0.0))
        lift = self.shift if prefix + continuation in self.remembered else 0.0
        return np.asarray(np.minimum(-8.0 + shared + 0.3 * own + lift, 0.0))


class StatisticsFake(FakeTarget):
    """A fake that also answers token statistics."""

    def token_statistics(self, prefixes: Sequence[str], continuations: Sequence[str]) -> list[Float64]:
        tokens = self.token_log_probabilities(prefixes, continuations)
        return [np.column_stack([t, np.full(len(t), -9.0), np.full(len(t), 2.0), np.full(len(t), 9.0)]) for t in tokens]


class BrokenTarget(FakeTarget):
    """A model that fails in a chosen way; its exception quotes a text, as foreign ones do."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault

    def token_log_probabilities(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> list[Float64]:
        if self.fault == "raises":
            raise ValueError(f"cannot encode {prefixes[0]}")
        tokens = super().token_log_probabilities(prefixes, continuations, reference=reference)
        if self.fault == "nan":
            tokens[-1][-1] = np.nan
        if self.fault == "infinite":
            tokens[0][0] = -np.inf
        if self.fault == "positive":
            tokens[0][0] = 0.5
        if self.fault == "empty":
            tokens[0] = np.array([])
        if self.fault == "missing":
            tokens.pop()
        if self.fault == "constant":
            tokens = [np.full(4, -2.0) for _ in tokens]
        if self.fault == "adapter off":
            tokens = super().token_log_probabilities(prefixes, continuations, reference=True)
        return tokens

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        if self.fault == "raises":
            raise RuntimeError(f"cannot complete {prefixes[0]}")
        if self.fault == "silent":
            return ["" for _ in prefixes]
        return super().complete(prefixes, max_new_tokens)
