"""Print what Prefect costs a run: the same stages on the same input with it and without it, in turns.

    python -m scripts.measure_overhead [--input F ...] [--config semilla.toml] [--turns 1]

Without it means the body of the flow and of each task, called as plain functions in a process of their own; with it is
`semilla run`, whose server of its own is counted with it. Importing Prefect is in both and stands in a line of its own.
CPU time is that of the process and of all that it started and has outlived. The first turn makes Prefect's database,
the others find it. What both wrote from input and seed alone is compared byte for byte.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.run_costs import Cost, same, status

PLAIN = """
import sys
from flows import pipeline as rooms
task = rooms.stage_task
rooms.stage_task = lambda *about: task(*about).fn
rooms.pipeline.fn(sys.argv[1], sys.argv[3:], config_path=sys.argv[2] or None)
"""
SEEDED = ("seeds.jsonl", "synthetic.jsonl", "rendered.jsonl")


def main() -> None:
    """Read the command line and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    samples = sorted((Path(__file__).parents[1] / "samples").glob("*.jsonl"))
    parser.add_argument("--input", nargs="+", type=Path, default=samples)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--turns", type=int, default=1)
    asked = parser.parse_args()
    inputs = [str(path.resolve()) for path in asked.input]
    config = str(asked.config.resolve()) if asked.config else ""
    print(f"import of Prefect  {_imported():6.1f} CPU-s, in both")
    print("turn      without: wall   CPU       with: wall   CPU     more: wall      CPU         status")
    settings = ["--config", config] if config else []
    files = [part for path in inputs for part in ("--input", path)]
    with tempfile.TemporaryDirectory() as home:
        for turn in range(1, asked.turns + 1):
            bare, whole = Path(home, f"bare-{turn}"), Path(home, f"whole-{turn}")
            without = _cost([sys.executable, "-c", PLAIN, str(bare), config, *inputs], Path(home))
            run = [sys.executable, "-m", "flows", "run", *files, "--out", str(whole), *settings]
            with_it = _cost(run, Path(home))
            print(f"{turn:4}  {_row(without, with_it)}  {status(bare)}, {status(whole)}; {same(bare, whole, SEEDED)}")


def _cost(command: Sequence[str], folder: Path) -> Cost:
    """What a command costs, with a home of its own."""
    home = {name: str(folder / "home") for name in ("HOME", "PREFECT_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    began = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, **home}, stdout=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def _imported() -> float:
    pairs = [[sys.executable, "-c", code] for code in ("import pydantic", "import pydantic, prefect")]
    with tempfile.TemporaryDirectory() as folder:
        for command in pairs:  # once unmeasured, so that nothing is compiled
            _cost(command, Path(folder))
        without, with_it = (_cost(command, Path(folder)) for command in pairs)
    return with_it.cpu - without.cpu


def _row(without: Cost, with_it: Cost) -> str:
    more = [f"{b - a:6.1f} s ({b / a - 1:+6.1%})" for a, b in zip(_both(without), _both(with_it), strict=True)]
    return f"{without.wall:13.1f} {without.cpu:6.1f}      {with_it.wall:9.1f} {with_it.cpu:6.1f}   {'  '.join(more)}"


def _both(cost: Cost) -> tuple[float, float]:
    return cost.wall, cost.cpu


if __name__ == "__main__":
    main()
