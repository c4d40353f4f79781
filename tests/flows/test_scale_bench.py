"""What ten million conversations cost follows from the rates, and the larger part of it is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows import cli
from flows.scale_bench import Rate, cost_rows, invented

RATES = [Rate("extract", 1, 100, 3.0, 9.0), Rate("privacy", 1, 100, 1.0, 9.0), Rate("driver", 1, 100, 0.1, 9.0)]


def test_the_slower_of_two_parts_sets_the_pace() -> None:
    rows = {row["workers"]: row for row in cost_rows(RATES, 3_600_000)}
    assert rows[1]["hours"] == pytest.approx(39.0)  # (.030 - .001 + .010) s each
    assert rows[2]["hours"] == pytest.approx(19.5)
    assert rows[512]["hours"] == pytest.approx(1.0)
    assert "workers" in rows[32]["bottleneck"]
    assert "process" in rows[128]["bottleneck"]


def test_invented_conversations_are_alike_and_long_enough(tmp_path: Path) -> None:
    first, second = (invented(tmp_path / name, 4).read_text() for name in "ab")
    assert first == second
    records = [json.loads(line) for line in first.splitlines()]
    assert [len(record["turns"]) for record in records] == [12] * 4
    assert "[" not in "".join(turn["text"] for record in records for turn in record["turns"])


@pytest.mark.slow
def test_the_command_measures_every_stage() -> None:
    done = CliRunner().invoke(cli.app, ["bench", "scale", "--conversations", "32", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout.splitlines()[-1])
    stages = [(rate["stage"], rate["processes"]) for rate in told["rates"]]
    assert stages == [("extract", 1), ("privacy", 1), ("extract", 2), ("privacy", 2), ("driver", 1)]
    assert told["values"] > 0
