"""Keeps a run's figures as it goes: stages, gates, time and memory; hands them out as run.json's record."""

from __future__ import annotations

import platform
import resource
import time
import uuid
from datetime import UTC, datetime
from importlib.metadata import version

from flows.config import RunConfig
from flows.records import GateRecord, RunRecord, StageRecord, Status
from flows.workspace import StageResult
from seed_engine.models import MODELS

ENGINES = ("prefect", "presidio-analyzer", "spacy", "litellm", "opacus", "peft", "torch", "transformers", "faker")


class RunLog:
    """The figures of one run; `record` is what run.json holds at that moment.

    Attributes:
        record: starts as `running`, with no stage and no gate.
    """

    def __init__(self, config: RunConfig) -> None:
        self._clock = time.perf_counter()
        self.record = RunRecord(
            id=uuid.uuid4().hex,
            config_digest=config.digest(),
            versions={"python": platform.python_version(), "semilla": version("semilla")}
            | {name: version(name) for name in ENGINES},
            models={
                f"{name}/{file}": digest for name, model in MODELS.items() for file, digest in model.digests.items()
            },
            started=_now(),
        )

    def add(self, name: str, result: StageResult) -> GateRecord | None:
        """Note a finished stage; returns its first gate that did not pass."""
        stage = StageRecord(
            name=name, seconds=result.seconds, cpu_seconds=result.cpu_seconds, counts=dict(result.counts)
        )
        self._update(stages=(*self.record.stages, stage), gates=(*self.record.gates, *result.gates))
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

    def _finish(self, status: Status, where: str | None, reason: str | None, exit_code: int) -> RunRecord:
        seconds = time.perf_counter() - self._clock
        own = sum(stage.seconds for stage in self.record.stages)
        self._update(
            status=status,
            halted_at=where,
            reason=reason,
            exit_code=exit_code,
            finished=_now(),
            seconds=round(seconds, 3),
            overhead_share=round(max(0.0, seconds - own) / seconds, 4),
            peak_memory_mb=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        )
        return self.record

    def _update(self, **changes: object) -> None:
        self.record = self.record.model_copy(update=changes)


def gate_reason(gate: GateRecord) -> str:
    """One line that gives the figure that decided."""
    return f"{gate.name}: {gate.figure:.6g} against {gate.threshold:.6g} ({gate.detail}): {gate.verdict}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
