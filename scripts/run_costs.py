"""What scripts that time whole runs share: a run's cost, how it ended, and whether two runs wrote the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a run and all its processes: on the clock, and of CPU (user and system)."""

    wall: float
    cpu: float


def status(run: Path) -> str:
    """How a run ended, as its run.json says."""
    return str(json.loads((run / "run.json").read_text("utf-8"))["status"])


def same(one: Path, other: Path, names: Sequence[str]) -> str:
    """Whether two runs wrote the same bytes, in words; runs that both have none of the files compare nothing."""
    there = [name for name in names if (one / name).exists() and (other / name).exists()]
    if not there:
        return "NOTHING to compare"
    equal = all((one / name).read_bytes() == (other / name).read_bytes() for name in there)
    return f"{len(there)} of {len(names)} files {'the same' if equal else 'DIFFER'}"
