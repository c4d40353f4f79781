"""A corpus by repetition with changes, and a scan of it that is killed: `python -m tests.flows.scan_corpus N FOLDER`.

Prints time, rate, memory, the gain of the second core, and whether a killed scan ends as one that was not. No test: at
a million texts it takes some minutes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_CALENDAR = "月火水木金土日"


def write_corpus(path: Path, count: int) -> None:
    """Numbered texts of about 500 characters, 12% of them with cues, no two alike."""
    from seed_engine.sensitive.bench import speed_texts

    texts = speed_texts(2000)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            said = texts[number % len(texts)]
            changed = f"{number}番、{_CALENDAR[number % 7]}曜日の記録。{said}"
            file.write(json.dumps({"id": f"t{number}", "text": changed}, ensure_ascii=False) + "\n")


def command(source: Path, output: Path, workers: int, *more: str) -> list[str]:
    given = ["-o", str(output), "--workers", str(workers), "--json", *more]
    return [sys.executable, "-m", "flows", "sensitive", "scan", str(source), *given]


def figures(*arguments: Any) -> dict[str, Any]:
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=True)
    record: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return record


def killed(source: Path, output: Path, after: float) -> None:
    run = subprocess.Popen(command(source, output, 2), stdout=subprocess.DEVNULL, start_new_session=True)
    time.sleep(after)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()


def main() -> None:
    count, folder = int(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    small, large = folder / "small.jsonl", folder / "large.jsonl"
    write_corpus(small, count // 10)
    write_corpus(large, count)
    say = sys.stdout.write
    say(f"load {os.getloadavg()}\n")
    keep = (
        "texts",
        "hits",
        "seconds",
        "cpu_seconds",
        "texts_per_second",
        "texts_per_cpu_second",
        "peak_memory_mb",
        "resumed_texts",
    )
    for workers in (1, 2):
        record = figures(small, folder / f"small{workers}.jsonl", workers)
        say(f"{count // 10} texts, {workers} processes: { ({name: record[name] for name in keep}) }\n")
    say(f"same bytes: {(folder / 'small1.jsonl').read_bytes() == (folder / 'small2.jsonl').read_bytes()}\n")
    start = time.monotonic()
    record = figures(large, folder / "whole.jsonl", 2)
    say(f"{count} texts, 2 processes: { ({name: record[name] for name in keep}) }\n")
    killed(large, folder / "killed.jsonl", (time.monotonic() - start) * 0.4)
    say(f"killed; output there: {(folder / 'killed.jsonl').exists()}\n")
    record = figures(large, folder / "killed.jsonl", 2)
    say(f"went on: { ({name: record[name] for name in keep}) }\n")
    say(f"same bytes: {(folder / 'whole.jsonl').read_bytes() == (folder / 'killed.jsonl').read_bytes()}\n")
    say(f"load {os.getloadavg()}\n")


if __name__ == "__main__":
    main()
