"""Ctrl-C, SIGTERM and SIGHUP as an orderly end: an exception that runs every clean-up, then the shell's exit code."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

# SIGINT raises KeyboardInterrupt by itself; these would end the process where it stands, its temporaries left behind.
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_HELD = (signal.SIGINT, *_ENDING)


class Interrupted(BaseException):
    """A signal asked for an end; no `Exception`, so that nothing on the way takes it for a fault.

    Attributes:
        signal: its number.
    """

    def __init__(self, number: int) -> None:
        self.signal = number
        super().__init__(signal.Signals(number).name)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let the signals that end a process raise `Interrupted` instead; a signal that is ignored stays so (nohup)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, _raise)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Keep signals waiting until the block ends, for what must not be left half-done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in _HELD}
    for number in before:
        signal.signal(number, lambda arrived, _: waiting.append(arrived))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for arrived in waiting[:1]:
            signal.raise_signal(arrived)


def signal_of(error: BaseException | None) -> signal.Signals | None:
    """The signal behind an exception, also where a fault of the clean-up has covered it; None if there is none."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, KeyboardInterrupt):
            return signal.SIGINT
        number = getattr(error, "signal", None)
        if not isinstance(error, Exception) and isinstance(number, int):  # ours, and Prefect's `TerminationSignal`
            return signal.Signals(number)
        error = error.__cause__ or error.__context__
    return None


def _raise(number: int, _: FrameType | None) -> None:
    raise Interrupted(number)
