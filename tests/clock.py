"""CPU time measured so that a noisy machine changes the verdict of no test."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def growth(large: Callable[[], object], small: Callable[[], object], rounds: int = 5) -> float:
    """CPU time of `large` over that of `small`: the best of each, taken in turns.

    Neighbours slow a shared machine down for seconds; in turns both sides meet the same weather, and what the code
    itself costs is the least that was ever needed.
    """
    both = [(_seconds(large), _seconds(small)) for _ in range(rounds)]
    return min(a for a, _ in both) / max(min(b for _, b in both), 1e-3)


def child_seconds(command: Sequence[str], cwd: Path) -> float:
    """CPU-seconds of a child process, user and system.

    Raises:
        AssertionError: It did not exit with 0.
    """
    child = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, cwd=cwd)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_utime + usage.ru_stime


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun
