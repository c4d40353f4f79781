"""The figures of `semilla bench scale`: what a conversation costs in each mapped stage, and what millions would.

Rates are conversations per CPU-second, of this process and of those that it started: on a machine that does other
things too, wall time says more about the neighbours.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.config import RunConfig
from flows.engine_config import EngineConfig
from flows.progress import Advance
from flows.shard_marks import detecting
from flows.shard_work import spans_of
from flows.stages.extract import extract
from flows.workspace import Workspace

TURNS = 12
MILLIONS = 10_000_000
WORKERS = (1, 2, 8, 32, 128, 512)


@dataclass(frozen=True, slots=True)
class Rate:
    """One stage, measured.

    Attributes:
        stage: `extract`, `privacy`, or `driver`: what of `extract` stays in the run's own process, which is also what a
            run that is gone on with does again.
        processes: that worked on shards.
        conversations: done.
        cpu_seconds: of this process and those that it started, their start included.
        seconds: wall time.
    """

    stage: str
    processes: int
    conversations: int
    cpu_seconds: float
    seconds: float

    @property
    def each(self) -> float:
        """CPU-seconds a conversation."""
        return self.cpu_seconds / self.conversations

    def record(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self) | {"per_cpu_second": round(1 / self.each, 2)}


def measure_scale(source: Path | None, count: int, config: RunConfig, advance: Advance) -> tuple[list[Rate], int]:
    """Measure the mapped stages on one process and on two.

    Args:
        source: conversations; None invents them.
        count: how many.
        config: of a run; its engine is set aside.
        advance: progress, in stages.

    Returns:
        Rates, and how many values of the source have to be searched for.
    """
    rates: list[Rate] = []
    with TemporaryDirectory() as folder:
        inputs = source or invented(Path(folder) / "in.jsonl", count)
        for processes in (1, 2):
            staging = Path(folder) / str(processes)
            staging.mkdir()
            rates += _measured(staging, inputs, count, config, processes)
            advance(len(rates), 5)
        work = _workspace(Path(folder) / "1", inputs, count, config, 1)
        rates.append(_timed("driver", 1, lambda: _extracted(work)))
    return rates, work.secrets.searched if work.secrets is not None else 0


def cost_rows(rates: Sequence[Rate], conversations: int = MILLIONS) -> list[dict[str, Any]]:
    """What so many conversations take on N workers of one core each; the process that hands out comes on top of them.

    Args:
        rates: of `measure_scale`.
        conversations: how many.

    Returns:
        Rows of `workers`, `hours` and `bottleneck`, the larger of the two parts of the time.
    """
    each = {rate.stage: rate.each for rate in rates if rate.processes == 1}
    mapped, driver = each["extract"] - each["driver"] + each["privacy"], each["driver"]
    rows = []
    for workers in WORKERS:
        # What is handed out and what is done go on at the same time; the slower of the two sets the pace.
        hours = conversations * max(mapped / workers, driver) / 3600
        slow = "detection on the workers" if mapped / workers > driver else "the process that reads, indexes and writes"
        rows.append({"workers": workers, "hours": round(hours, 1), "bottleneck": slow})
    return rows


def _measured(staging: Path, source: Path, count: int, config: RunConfig, processes: int) -> Iterator[Rate]:
    work = _workspace(staging, source, count, config, processes)
    yield _timed("extract", processes, lambda: _extracted(work))
    yield _timed("privacy", processes, lambda: _scored(work, source, count))


def _workspace(staging: Path, source: Path, count: int, config: RunConfig, processes: int) -> Workspace:
    run = EngineConfig(engine="plain" if processes == 1 else "process", workers=processes, shard=16)
    # A private release would be booked on the source's ledger.
    changes = {"run": run, "seeds": config.seeds.model_copy(update={"release": "none"})}
    return Workspace(staging, (source,), config.model_copy(update=changes), count, True)


def _extracted(work: Workspace) -> int:
    return int(extract(work, lambda done, total: None).counts["conversations"]) - len(work.held_back)


def _scored(work: Workspace, source: Path, count: int) -> int:
    from evaluator.privacy import privacy_score
    from seed_engine.readers import read_conversations

    talks = list(read_conversations(source, limit=count, skip_bad=True))
    found = work.spread.map("privacy", detecting(work.config.detector), talks)
    spans = iter([spans_of(item) for item in found])
    privacy_score(talks, lambda _: next(spans))
    return len(talks)


def _timed(stage: str, processes: int, body: Callable[[], int]) -> Rate:
    cpu, wall = _cpu_seconds(), time.monotonic()
    count = body()
    return Rate(stage, processes, count, round(_cpu_seconds() - cpu, 3), round(time.monotonic() - wall, 3))


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def invented(path: Path, count: int) -> Path:
    """Write conversations of 12 turns with names, dates and numbers of nobody in them."""
    import numpy as np

    from generator.config import GeneratorConfig
    from generator.generate import generate
    from generator.render import render
    from seed_engine.seed_population import population

    config, rng = GeneratorConfig(strategy="template", redraws=0), np.random.default_rng(0)
    people = population(100 * count, rng, ("support", "medical", "tutoring"))
    long = (seed for _, seed in people if len(seed.flow) >= TURNS)
    lines: list[str] = []
    while len(lines) < count:
        made = generate(next(long), config, _no_model).conversation
        if made is None or len(made.turns) < TURNS:
            continue
        said = render(made, seed=random.Random(len(lines)).getrandbits(30), forbidden=lambda value: False)
        turns = [{"role": turn.role, "text": turn.text} for turn in said.turns[:TURNS]]
        record = {"id": f"c-{len(lines)}", "domain": made.domain, "language": made.language, "turns": turns}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    path.write_text("".join(lines), "utf-8")
    return path


def _no_model(request: object) -> str:
    raise AssertionError("templates ask no model")
