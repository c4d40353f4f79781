"""Seals a stage: whatever goes wrong inside, only the stage's name and a class name come out.

A library's exception may quote the text it was given, and Prefect stores messages of exceptions. So a foreign exception
is replaced, and the new one is raised outside the `except` block: inside it, `__context__` would hold the original.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from attacks.errors import AttackError
from evaluator.errors import EvaluatorError
from flows.errors import FlowsError, StageError
from flows.interrupts import Interrupted, signal_of
from generator.errors import GeneratorError
from seed_engine.errors import SeedEngineError
from training.errors import TrainingError

P = ParamSpec("P")
T = TypeVar("T")

# Errors of the house quote nothing (each package's errors.py says so), so their messages may pass.
_OURS = (SeedEngineError, GeneratorError, EvaluatorError, TrainingError, AttackError, FlowsError)


def sealed(stage: str, body: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a stage's body.

    Raises:
        StageError: the body raised anything but an error of the house or an interrupt.
        Interrupted: a signal ended it, whatever its clean-up raised on the way.
    """
    try:
        return body(*args, **kwargs)
    except Exception as error:
        # A fault of a clean-up that a signal started must not hide the signal.
        ended_by = signal_of(error)
        if isinstance(error, FlowsError) and ended_by is None:
            raise
        fault = fault_words(error)
    if ended_by is not None:
        raise Interrupted(ended_by)
    raise StageError(stage, fault)


def fault_words(error: Exception) -> str:
    """What may be told of a fault: an error of the house in full, the system's own phrase, or a class name."""
    if isinstance(error, FlowsError):
        return str(error)
    if isinstance(error, _OURS):
        return f"{type(error).__name__}: {error}"
    if isinstance(error, OSError):
        return f"{type(error).__name__}: {error.strerror}"
    return type(error).__name__
