"""The guard between an attack and its target: what cannot be a probability never reaches a statistic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from attacks.errors import TargetError
from attacks.target import Float64, SearchTarget, StatisticsTarget, Target

Answer = TypeVar("Answer")
Progress = Callable[[str, int, int], None]
"""Called with the attack's name, texts done and texts in all."""
Memory = dict[tuple[str, str, bool], Float64]
"""Answers per token by prefix, continuation and whether the base was asked; the attacks of one report share it."""


class GuardedTarget:
    """Asks a target in chunks and each question once, reports progress, and refuses what is no log probability.

    A foreign exception may quote a text, so only the name of its type crosses.

    Raises:
        TargetError: from every method, when the target raised or its answer cannot be used.
    """

    def __init__(
        self, target: Target, *, name: str, chunk: int, progress: Progress | None, memory: Memory | None = None
    ) -> None:
        self._target, self._name, self._chunk, self._progress = target, name, chunk, progress
        self._memory: Memory = {} if memory is None else memory

    def log_likelihoods(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> Float64:
        """See `Target`."""
        answers = self._in_chunks(
            lambda a, b: list(
                self._target.log_likelihoods(prefixes[a:b], continuations[a:b], reference=reference),
            ),
            len(prefixes),
        )
        sums = np.asarray(answers, dtype=np.float64)
        _check_log_probabilities(sums)
        return sums

    def token_log_probabilities(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> list[Float64]:
        """See `Target`."""
        return [rows[:, 0] for rows in self._rows(prefixes, continuations, reference)]

    def token_statistics(self, prefixes: Sequence[str], continuations: Sequence[str]) -> list[Float64] | None:
        """See `StatisticsTarget`; None when the target has no such method."""
        return self._rows(prefixes, continuations, False) if isinstance(self._target, StatisticsTarget) else None

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """See `Target`."""
        return self._in_chunks(lambda a, b: self._target.complete(prefixes[a:b], max_new_tokens), len(prefixes))

    def beams(self, prefixes: Sequence[str], max_new_tokens: int, width: int) -> list[list[str]] | None:
        """See `SearchTarget`; None when the target has no such method."""
        target = self._target
        if not isinstance(target, SearchTarget):
            return None
        return self._in_chunks(lambda a, b: target.beams(prefixes[a:b], max_new_tokens, width), len(prefixes))

    def samples(self, prompts: Sequence[str], max_new_tokens: int, *, seed: int) -> list[str] | None:
        """See `SearchTarget`; None when the target has no such method."""
        target = self._target
        if not isinstance(target, SearchTarget):
            return None
        return self._in_chunks(lambda a, b: target.samples(prompts[a:b], max_new_tokens, seed=seed + a), len(prompts))

    def _rows(self, prefixes: Sequence[str], continuations: Sequence[str], reference: bool) -> list[Float64]:
        """Per continuation Float64[k, 4] of a target with statistics, where the base is not asked; else [k, 1]."""
        keys = [(prefix, tail, reference) for prefix, tail in zip(prefixes, continuations, strict=True)]
        new = [key for key in dict.fromkeys(keys) if key not in self._memory]
        heads, tails = [key[0] for key in new], [key[1] for key in new]
        target = self._target
        if isinstance(target, StatisticsTarget) and not reference:
            answers = self._in_chunks(lambda a, b: target.token_statistics(heads[a:b], tails[a:b]), len(new))
        else:
            answers = self._in_chunks(
                lambda a, b: target.token_log_probabilities(heads[a:b], tails[a:b], reference=reference), len(new)
            )
        self._memory.update(zip(new, map(_checked, answers), strict=True))
        return [self._memory[key] for key in keys]

    def _in_chunks(self, ask: Callable[[int, int], list[Answer]], total: int) -> list[Answer]:
        answers: list[Answer] = []
        for start in range(0, total, self._chunk):
            stop = min(start + self._chunk, total)
            part = _ask(ask, start, stop)
            if len(part) != stop - start:
                raise TargetError(f"the target answered {len(part)} of {stop - start} texts")
            answers += part
            if self._progress is not None:
                self._progress(self._name, stop, total)
        return answers


def _ask(ask: Callable[[int, int], list[Answer]], start: int, stop: int) -> list[Answer]:
    kind = ""
    try:
        return ask(start, stop)
    except Exception as error:  # whatever the model does, the gate must answer "I cannot see"
        kind = type(error).__name__
    # Raised outside the except block, so that no context carries a text.
    raise TargetError(f"the target raised {kind}")


def _checked(answer: Float64) -> Float64:
    values = np.asarray(answer, dtype=np.float64)
    rows = values[:, None] if values.ndim == 1 else values
    if rows.ndim != 2 or rows.shape[1] not in (1, 4) or len(rows) == 0:
        raise TargetError("the target answered no tokens for a text")
    _check_log_probabilities(rows[:, 0])
    if not np.isfinite(rows).all():
        raise TargetError("the target answered a number that is not finite")
    return rows


def _check_log_probabilities(values: Float64) -> None:
    # A hair above 0 is rounding in float32 or bf16 sums, not a probability above 1.
    if not np.isfinite(values).all() or (values > 1e-3).any():
        raise TargetError("the target answered what is not a log probability")
