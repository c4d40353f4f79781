"""The scan: the same hits whatever the engine, the format and the number of processes; killed, it loses no line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.sensitive_inputs import fingerprint, whole_files
from flows.sensitive_local import scan_local
from flows.sensitive_work import ScanSpec, Tally
from seed_engine.errors import InputError
from tests.flows.sensitive_double import DoubleJudge, Load, text, write

COUNT = 3000


def wanted(count: int, *, every: bool = False) -> list[str]:
    """Ids of the lines to come, by a naive loop."""
    judged = DoubleJudge().judge([text(number) for number in range(count)])
    return [f"t{number}" for number, said in enumerate(judged) if every or said.label == "scpi"]


def scanned(source: Path, output: Path, workers: int = 1, **settings: Any) -> tuple[Tally, int]:
    spec = ScanSpec(load=Load(), **settings)
    files = whole_files([str(source)])
    return scan_local(files, spec, output, fingerprint(files, repr(spec)), workers, lambda texts, read: None)


def ids(output: Path) -> list[str]:
    return [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.parquet"])
def test_every_format_gives_the_hits_of_the_naive_loop_in_order(name: str, tmp_path: Path) -> None:
    source, output = write(tmp_path / name, COUNT), tmp_path / "hits.jsonl"
    tally, resumed = scanned(source, output, workers=2)
    assert ids(output) == wanted(COUNT)
    assert (tally.texts, tally.skipped, resumed) == (COUNT, 0, 0)
    assert tally.labels["scpi"] == len(wanted(COUNT)) == sum(tally.categories.values())
    assert sorted(tmp_path.iterdir()) == sorted([source, output])
