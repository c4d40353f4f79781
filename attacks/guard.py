"""The guard between an attack and its target: what cannot be a probability never reaches a statistic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from attacks.errors import TargetError
from attacks.target import Float64, StatisticsTarget, Target

Answer = TypeVar("Answer")
Progress = Callable[[str, int, int], None]
"""Called with the attack's name, texts done and texts in all."""


class GuardedTarget:
    """Asks a target in chunks, reports progress, and refuses missing, non-finite or positive log probabilities.

    A foreign exception may quote a text, so only the name of its type crosses.

    Raises:
        TargetError: from every method, when the target raised or its answer cannot be used.
    """

    def __init__(self, target: Target, *, name: str, chunk: int, progress: Progress | None) -> None:
        self._target, self._name, self._chunk, self._progress = target, name, chunk, progress

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
        answers = self._in_chunks(
            lambda a, b: self._target.token_log_probabilities(prefixes[a:b], continuations[a:b], reference=reference),
            len(prefixes),
        )
        return [_checked(answer, columns=0) for answer in answers]

    def token_statistics(self, prefixes: Sequence[str], continuations: Sequence[str]) -> list[Float64] | None:
        """See `StatisticsTarget`; None when the target has no such method."""
        target = self._target
        if not isinstance(target, StatisticsTarget):
            return None
        answers = self._in_chunks(
            lambda a, b: target.token_statistics(prefixes[a:b], continuations[a:b]), len(prefixes)
        )
        return [_checked(answer, columns=3) for answer in answers]

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """See `Target`."""
        return self._in_chunks(lambda a, b: self._target.complete(prefixes[a:b], max_new_tokens), len(prefixes))

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


def _checked(answer: Float64, *, columns: int) -> Float64:
    values = np.asarray(answer, dtype=np.float64)
    shape = (len(values), columns) if columns else (len(values),)
    if values.shape != shape or len(values) == 0:
        raise TargetError("the target answered no tokens for a text")
    _check_log_probabilities(values[:, 0] if columns else values)
    if not np.isfinite(values).all():
        raise TargetError("the target answered a number that is not finite")
    return values


def _check_log_probabilities(values: Float64) -> None:
    # A hair above 0 is rounding in float32 or bf16 sums, not a probability above 1.
    if not np.isfinite(values).all() or (values > 1e-3).any():
        raise TargetError("the target answered what is not a log probability")
