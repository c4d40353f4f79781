"""One scan from files to hits: checks first, the estimate, the engine that was asked for, the figures at the end."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from flows.clusters import CLUSTERS
from flows.errors import UsageError
from flows.progress import progress_bar
from flows.sensitive_cluster import scan_cluster
from flows.sensitive_estimate import Estimate, estimate
from flows.sensitive_inputs import fingerprint, whole_files
from flows.sensitive_local import scan_local
from flows.sensitive_progress import scan_bar
from flows.sensitive_work import ScanSpec, judge_of

LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Scan:
    """What is asked for.

    Attributes:
        inputs: files, folders or patterns, on disk or wherever fsspec reads.
        output: JSONL of the local engine; a folder of partitions of the others.
        spec: how to judge.
        engine: `local`, or a name in `CLUSTERS`.
        workers: processes that judge, >= 1.
        scheduler: address of a cluster; None for one of processes on this machine.
    """

    inputs: tuple[str, ...]
    output: str
    spec: ScanSpec
    engine: str = LOCAL
    workers: int = 1
    scheduler: str | None = None


def run_scan(scan: Scan, show: Callable[[Estimate], None] | None = None) -> dict[str, Any]:
    """Scan, and tell what was met and what it cost.

    Args:
        scan: what is asked for.
        show: is told the estimate before the scan starts; without it none is made.

    Returns:
        Counts, seconds of wall and CPU, loading of judges included, texts a second of each, largest memory of a process
        in MiB.

    Raises:
        UsageError: an unknown engine, nothing to scan, or an output that is taken.
        InputError: a file or a line cannot be read.
        SensitiveModelError: the judge cannot be loaded.
    """
    if scan.engine != LOCAL and scan.engine not in CLUSTERS:
        raise UsageError(f"unknown engine; known: {', '.join(sorted((LOCAL, *CLUSTERS)))}")
    files = whole_files([_absolute(name) for name in scan.inputs])
    judge = judge_of(scan.spec.load)
    if show is not None:
        show(estimate(files, scan.spec))
    settings = {
        "judge": judge.name,
        "files": scan.spec.load.mark,
        "threshold": scan.spec.threshold,
        "all": scan.spec.all,
    }
    mark = fingerprint(files, json.dumps(settings))
    start, before = time.monotonic(), _cpu_seconds()
    if scan.engine == LOCAL:
        with scan_bar(sum(file.size for file in files)) as advance:
            tally, resumed = scan_local(files, scan.spec, Path(scan.output), mark, scan.workers, advance)
    else:
        with CLUSTERS[scan.engine](scan.workers, scan.scheduler) as engine, progress_bar("scan") as advance:
            tally, resumed = scan_cluster(files, scan.spec, _absolute(scan.output), mark, engine, advance)
    seconds, cpu = time.monotonic() - start, _cpu_seconds() - before
    new = tally.texts - resumed
    return {
        "output": scan.output,
        "engine": scan.engine,
        "judge": judge.name,
        **asdict(tally),
        "hits": tally.labels.get("scpi", 0),
        "resumed_texts": resumed,
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu, 3),
        "texts_per_second": round(new / seconds, 1) if seconds else None,
        "texts_per_cpu_second": round(new / cpu, 1) if cpu else None,
        "peak_memory_mb": _peak_memory(),
    }


def scan_estimate(inputs: Sequence[str], spec: ScanSpec) -> Estimate:
    """The estimate alone.

    Raises:
        As `run_scan`.
    """
    judge_of(spec.load)
    return estimate(whole_files([_absolute(name) for name in inputs]), spec)


def _absolute(name: str) -> str:
    # Other processes may stand in another folder.
    return name if "://" in name else str(Path(name).absolute())


def _cpu_seconds() -> float:
    """Of this process and of those that it started and that ended; those of a cluster elsewhere are not seen."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _peak_memory() -> float:
    """Largest resident set of this process or of one that it started, in MiB."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return round(max(resource.getrusage(one).ru_maxrss for one in who) / 1024, 1)
