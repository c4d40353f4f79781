"""Print what a kill and `--resume` add to a run, in CPU-seconds and on the clock, by the stage that was the last one.

    python -m scripts.measure_resume --input F [--after generate evaluate attack_text render]

The run is a whole one, through Prefect to the certificate, but for the base model, which has two layers: what training
costs is in every column and not what is asked here. It is ended by SIGKILL, with all its processes, as soon as run.json
says that the stage has ended. Added is what the killed and the resumed run took together beyond an undisturbed one.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.run_costs import Cost, same, status
from tests.chaos.world import SEEDED, SMALL, conversations

ROOT = Path(__file__).resolve().parents[1]
AFTER = ("generate", "evaluate", "attack_text", "render")
_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Read the command line and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--after", nargs="+", default=list(AFTER))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "semilla.toml").write_text(f'[generator]\nstrategy = "template"\nredraws = 0\n{SMALL}')
        (folder / "few.jsonl").write_text(conversations())
        _run(folder, folder / "few.jsonl", "first", None)  # Prefect makes its database, once
        whole = _run(folder, asked.input, "whole", None)
        print(
            f"undisturbed         {whole.wall:8.1f} s  {whole.cpu:8.1f} CPU-s   {status(folder / 'whole')}", flush=True
        )
        for stage in asked.after:
            killed = _run(folder, asked.input, stage, stage)
            resumed = _run(folder, asked.input, stage, None, "--resume")
            cpu, wall = killed.cpu + resumed.cpu - whole.cpu, killed.wall + resumed.wall - whole.wall
            print(f"after {stage:12}  {wall:+8.1f} s  {cpu:+8.1f} CPU-s   {status(folder / stage)}; ", end="")
            print(f"resumed in {resumed.cpu:.1f} CPU-s; {same(folder / stage, folder / 'whole', SEEDED)}", flush=True)


def _run(folder: Path, source: Path, out: str, until: str | None, *more: str) -> Cost:
    home = {name: str(folder / "home") for name in ("HOME", "PREFECT_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    files = ("--input", str(source.resolve()), "--config", str(folder / "semilla.toml"), "--out", str(folder / out))
    command = [sys.executable, "-m", "tests.chaos.tiny_run", "run", *files, *more]
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT)}
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environment, cwd=folder, start_new_session=True, stdout=subprocess.DEVNULL)
    spent = 0.0
    while process.poll() is None:
        spent = max(spent, _spent(process.pid))
        if until is not None and until in _ended(folder / out / "run.json"):
            spent = _spent(process.pid)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        time.sleep(0.02 if until is not None else 0.2)
    return Cost(time.perf_counter() - began, spent)


def _spent(session: int) -> float:
    """CPU-seconds of a session's processes, and of those that they have waited for."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def _ended(record: Path) -> set[str]:
    try:
        return {stage["name"] for stage in json.loads(record.read_text("utf-8"))["stages"]}
    except (OSError, ValueError):
        return set()


if __name__ == "__main__":
    main()
