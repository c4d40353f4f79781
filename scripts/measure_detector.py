"""Measure what detection costs: two processes against one, a long turn against short ones, memory, a long stream.

    python scripts/measure_detector.py processes|linear|stream [--engine hybrid] [--megabytes 100]

All text is made here (`seed_engine.paper_documents`). Characters per CPU-second hold on a busy machine, characters per
wall second only on an idle one; both are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.paper_documents import paper_documents

SHARE = 150_000
ROUNDS = 3
LONG, SHORT = 1_000_000, 100_000


def main() -> None:
    """Run one measurement and print it as one JSON object."""
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("what", choices=("processes", "linear", "stream"))
    cli.add_argument("--engine", default="hybrid")
    cli.add_argument("--megabytes", type=float, default=100)
    args = cli.parse_args()
    if args.what == "processes":
        result = processes(args.engine)
    elif args.what == "linear":
        result = linear(args.engine)
    else:
        result = stream(args.engine, args.megabytes)
    print(json.dumps(result))


def processes(engine: str) -> dict[str, object]:
    """Throughput of two processes over that of one, per wall second and per CPU-second; medians of rounds in turn.

    The second ratio is what an idle machine with two cores gives: twice the speed of a process beside another, over the
    speed of a process alone.
    """
    rounds = [(_run(engine, 1), _run(engine, 2)) for _ in range(ROUNDS)]
    one, two = ({name: median(row[side][name] for row in rounds) for name in rounds[0][side]} for side in (0, 1))
    return {
        "engine": engine,
        "one": one,
        "two": two,
        "ratio_wall": round(two["characters_per_wall_second"] / one["characters_per_wall_second"], 3),
        "ratio_cpu": round(2 * two["characters_per_cpu_second"] / one["characters_per_cpu_second"], 3),
        "load": round(os.getloadavg()[0], 1),
    }


def linear(engine: str) -> dict[str, object]:
    """CPU time of one turn of a million characters over that of ten turns of a tenth each."""
    detector = Detector(DetectorConfig(engine=engine))  # type: ignore[arg-type]
    detector.detect("Ann Lee")
    text = _text(LONG)
    short = [text[at : at + SHORT] for at in range(0, LONG, SHORT)]
    ten = _cpu(lambda: [detector.detect(part) for part in short])
    one = _cpu(lambda: detector.detect(text))
    turns = tuple(Turn(role="user", text=part) for part in short)
    together = _cpu(lambda: detector.detect_conversation(Conversation(id="c", turns=turns, language="en")))
    return {
        "engine": engine,
        "one_turn_cpu_s": one,
        "ten_texts_cpu_s": ten,
        "ten_turns_cpu_s": together,
        "ratio_texts": round(one / ten, 3),
        "ratio_turns": round(one / together, 3),
        "peak_mb": _peak(resource.RUSAGE_SELF),
    }


def stream(engine: str, megabytes: float) -> dict[str, object]:
    """Peak memory of `semilla detect` over a small file and one ten times as long."""
    peaks, seconds = [], []
    with tempfile.TemporaryDirectory() as folder:
        for size in (megabytes / 10, megabytes):
            source, target = Path(folder) / "in.jsonl", Path(folder) / "spans.jsonl"
            records = _write(source, int(size * 1e6))
            peak, cpu = _detect(engine, source, target)
            peaks.append(peak)
            seconds.append(cpu)
    return {
        "engine": engine,
        "megabytes": [megabytes / 10, megabytes],
        "records": records,
        "peak_mb": peaks,
        "cpu_s": seconds,
    }


def _run(engine: str, workers: int) -> dict[str, float]:
    context = get_context("spawn")
    barrier = context.Barrier(workers)
    queue = context.Queue()
    started = [context.Process(target=_work, args=(engine, barrier, queue)) for _ in range(workers)]
    for worker in started:
        worker.start()
    rows = [queue.get() for _ in started]
    for worker in started:
        worker.join()
    characters = sum(row[0] for row in rows)
    return {
        "characters_per_wall_second": round(characters / max(row[1] for row in rows)),
        "characters_per_cpu_second": round(characters / sum(row[2] for row in rows)),
        "peak_mb": max(row[3] for row in rows),
    }


def _work(engine: str, barrier: object, queue: object) -> None:
    detector = Detector(DetectorConfig(engine=engine))  # type: ignore[arg-type]
    documents = list(_conversations(SHARE))
    detector.detect("Ann Lee")
    barrier.wait()  # type: ignore[attr-defined]
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in detector.detect_conversations(documents):
        pass
    size = sum(len(turn.text) for document in documents for turn in document.turns)
    row = size, time.perf_counter() - wall, time.process_time() - cpu, _peak(resource.RUSAGE_SELF)
    queue.put(row)  # type: ignore[attr-defined]


def _detect(engine: str, source: Path, target: Path) -> tuple[float, float]:
    command = [sys.executable, "-m", "flows", "detect", str(source), "-o", str(target), "--engine", engine]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    # wait4 gives this child's own peak; RUSAGE_CHILDREN would give the largest of all.
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"semilla detect ended with {child.returncode}")
    return round(usage.ru_maxrss / 1024, 1), round(usage.ru_utime + usage.ru_stime, 1)


def _write(path: Path, size: int) -> int:
    written = count = 0
    documents = list(_conversations(SHARE))
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            for conversation in documents:
                count += 1
                turns = [{"role": turn.role, "text": turn.text} for turn in conversation.turns]
                written += file.write(json.dumps({"id": f"c{count}", "language": "en", "turns": turns}) + "\n")
                if written >= size:
                    break
    return count


def _conversations(size: int) -> Iterator[Conversation]:
    for number, (_, text, _) in enumerate(paper_documents(size // 700, 5)):
        lines = [line for line in text.split("\n") if line.strip()]
        turns = tuple(Turn(role=("user", "agent")[i % 2], text=line) for i, line in enumerate(lines))
        yield Conversation(id=f"c{number}", turns=turns, language="en")


def _text(size: int) -> str:
    text = "\n".join(text for _, text, _ in paper_documents(size // 600, 5))
    return (text * (1 + size // len(text)))[:size]


def _cpu(work: object) -> float:
    started = time.process_time()
    work()  # type: ignore[operator]
    return round(time.process_time() - started, 2)


def _peak(who: int) -> float:
    return round(resource.getrusage(who).ru_maxrss / 1024, 1)


if __name__ == "__main__":
    main()
