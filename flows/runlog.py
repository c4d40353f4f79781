"""Keeps a run's figures as it goes: stages, gates, time and memory; hands them out as run.json's record."""

from __future__ import annotations

import os
import platform
import resource
import time
import uuid
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from signal import Signals

from flows.config import RunConfig
from flows.records import GateRecord, RunRecord, StageRecord, Status
from flows.workspace import StageResult

_IMPORTED = time.monotonic()
ENGINES = ("prefect", "presidio-analyzer", "spacy", "litellm", "opacus", "peft", "torch", "transformers", "faker")


class RunLog:
    """The figures of one run; `record` is what run.json holds at that moment.

    Args:
        config: the run's.
        limit: see `RunRecord`.
        skip_bad: see `RunRecord`.
        started: `time.monotonic()` at the command's start; None: now.

    Attributes:
        stage: the one that is running, or the last.
        record: starts as `running`, with no stage and no gate.
    """

    def __init__(
        self, config: RunConfig, *, limit: int | None = None, skip_bad: bool = False, started: float | None = None
    ) -> None:
        self._clock = time.monotonic() if started is None else started
        self._private, self._own = config.seeds.private, 0.0
        self.stage = ""
        self.record = RunRecord(
            id=uuid.uuid4().hex,
            config_digest=config.digest(),
            versions={"python": platform.python_version(), "semilla": version("semilla")}
            | {name: version(name) for name in ENGINES},
            limit=limit,
            skip_bad=skip_bad,
            started=_now(),
        )

    def add(self, name: str, result: StageResult) -> GateRecord | None:
        """Note a finished stage; returns its first gate that did not pass."""
        self._own += result.seconds
        times = (None, None) if self._private else (result.seconds, result.cpu_seconds)
        stage = StageRecord(name=name, seconds=times[0], cpu_seconds=times[1], counts=dict(result.counts))
        self._update(
            stages=(*self.record.stages, stage),
            gates=(*self.record.gates, *result.gates),
            models=self.record.models | result.models,
        )
        return next((gate for gate in result.gates if gate.verdict != "pass"), None)

    def certified(self) -> RunRecord:
        """The record of a run whose gates have all passed."""
        return self._finish("certified", None, None, 0)

    def halted(self, gate: GateRecord) -> RunRecord:
        """The record of a run that a gate has halted."""
        if gate.verdict == "fail":
            return self._finish("halted", gate.name, gate_reason(gate), 1)
        return self._finish("inconclusive", gate.name, gate_reason(gate), 3)

    def stopped(self, stage: str, fault: str) -> RunRecord:
        """The record of a run that a fault has stopped; it may be resumed."""
        return self._finish("halted", stage, fault, 2)

    def interrupted(self, ended_by: Signals) -> RunRecord:
        """The record of a run that a signal has ended; it may be resumed."""
        return self._finish("halted", self.stage, f"ended by {ended_by.name}", 128 + ended_by)

    def _finish(self, status: Status, where: str | None, reason: str | None, exit_code: int) -> RunRecord:
        seconds = time.monotonic() - self._clock
        self._update(
            status=status,
            halted_at=where,
            reason=reason,
            exit_code=exit_code,
            finished=_now(),
            seconds=round(seconds, 3),
            overhead_share=round(max(0.0, seconds - self._own) / seconds, 4),
            peak_memory_mb=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        )
        return self.record

    def _update(self, **changes: object) -> None:
        self.record = self.record.model_copy(update=changes)


def gate_reason(gate: GateRecord) -> str:
    """One line that gives the figure that decided."""
    return f"{gate.name}: {gate.figure:.6g} against {gate.threshold:.6g} ({gate.detail}): {gate.verdict}"


def process_started() -> float:
    """When this process was started, as `time.monotonic()` tells time: what its imports cost is then counted too.

    Read from the kernel where it tells (Linux); elsewhere the moment when this module was imported.
    """
    try:
        ticks = int(Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return _IMPORTED
    return time.monotonic() - age if age > 0 else _IMPORTED


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
