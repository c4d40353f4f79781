"""What can go wrong in the evaluator, and what the runner does next.

::

    EvaluatorError
    ├── DetectorError        a detector answered for another number of turns than it was asked; stop, exit 2
    ├── ModelFileError       a shipped file is missing or not the measured one; reinstall, exit 2
    └── UnknownMetricError   a threshold names no metric of `evaluator.quality.METRICS`; exit 2, lists the known ones

A failed gate is a verdict in `evaluator.scores`, never one of these. No message quotes text.
"""

from __future__ import annotations

from collections.abc import Iterable


class EvaluatorError(Exception):
    """Root of the evaluator's errors."""


class DetectorError(EvaluatorError):
    """A detector broke its contract."""


class ModelFileError(EvaluatorError):
    """A file that ships with the evaluator is not the one that was measured."""


class UnknownMetricError(EvaluatorError):
    """A name is not in the list of metrics."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(f"unknown metric; known: {', '.join(sorted(known))}")
