"""Print what each stage of a run costs but generation and training, and what a run that is gone on with spends again.

    python -m scripts.measure_stages [--input F] [--conversations 400] [--workers 2] [--rounds 2]

Conversations are invented unless a file is given: 12 turns with names, dates and numbers of nobody. What stands in for
generation is the templates alone, each conversation once; one that the detector or the index of known values objects to
is left out, as generation would have done. The second round is another process's work on the same folder, after a kill
that came when all was done but training. CPU time is of this process and of those that it started.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from evaluator.leak import find_leaks
from flows.config import RunConfig
from flows.engine_config import EngineConfig
from flows.records_io import read_records, write_records
from flows.scale_bench import invented
from flows.shard_marks import detecting
from flows.shards import ShardStore
from flows.spreading import Spread
from flows.stages import STAGES
from flows.workspace import Workspace
from generator.config import GeneratorConfig
from generator.generate import generate
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

MEASURED = ("extract", "validate", "evaluate", "attack_text", "render")
WRITER = GeneratorConfig(strategy="template", redraws=0)


def main() -> None:
    """Read the command line and print one table a round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=Path)
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = asked.input or invented(folder / "in.jsonl", asked.conversations)
        (folder / "run").mkdir()
        run = EngineConfig(engine="process" if asked.workers > 1 else "plain", workers=asked.workers)
        config = RunConfig(generator=WRITER, run=run)
        for number in range(1, asked.rounds + 1):
            work = Workspace(folder / "run", (source,), config, asked.conversations, False)
            _measure(work, f"round {number}")


def _measure(work: Workspace, title: str) -> None:
    print(f"{title:12} {'wall s':>8} {'CPU s':>8}  load {os.getloadavg()[0]:.1f}", flush=True)
    total = [0.0, 0.0]
    for name in MEASURED:
        if name == "evaluate" and not (work.directory / "synthetic.jsonl").exists():
            print(f"  made {write_records(work.directory / 'synthetic.jsonl', _made(work))}", flush=True)
        wall, cpu = time.perf_counter(), _cpu_seconds()
        result = STAGES[name](work, lambda done, total: None)
        spent = (time.perf_counter() - wall, _cpu_seconds() - cpu)
        total = [before + more for before, more in zip(total, spent, strict=True)]
        verdicts = ", ".join(f"{gate.name} {gate.verdict}" for gate in result.gates if gate.verdict != "pass")
        print(f"{name:12} {spent[0]:8.1f} {spent[1]:8.1f}  {verdicts or 'all gates passed'}", flush=True)
        work.forget_after(name)
    print(f"{'together':12} {total[0]:8.1f} {total[1]:8.1f}", flush=True)


def _made(work: Workspace) -> Iterator[Conversation]:
    seeds = read_records(work.directory / "seeds.jsonl", Seed)
    said = [made.conversation for seed in seeds if (made := generate(seed, WRITER, _no_model)).conversation]
    with tempfile.TemporaryDirectory() as folder:
        # Of its own, so that evaluation finds nothing done.
        spread = Spread(work.config.run, ShardStore(Path(folder) / "kept", bytes(32)), lambda: work.detector)
        found = list(spread.map("generate", detecting(work.config.detector), said))
    assert work.secrets is not None
    for item, spans in zip(said, found, strict=True):
        if not any(spans) and not find_leaks((item,), work.secrets).findings:
            yield item


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _no_model(request: object) -> str:
    raise AssertionError("templates ask no model")


if __name__ == "__main__":
    main()
