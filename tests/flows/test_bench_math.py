"""`bench math`: counts by hand against the table, the two halves apart, and JSON without text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from seed_engine.gold import read_gold
from seed_engine.math_bench import halved, score_math
from seed_engine.spans import EntitySpan

NAME = {"start": 3, "end": 8, "entity_type": "PERSON"}
LINES = [
    {
        "id": f"s{i}",
        "domain": "tutoring",
        "language": "en",
        "turns": [
            {"role": "tutor", "text": "Hi Tyler, what is 3/4 of 24?", "spans": [NAME]},
            {"role": "student", "text": "0.75 x 24 = 18, Maria has 18", "spans": []},
        ],
    }
    for i in range(12)
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "lessons.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    return path


def test_scores_are_the_counts_by_hand(data: Path) -> None:
    gold = read_gold(data)
    name = EntitySpan(3, 8, "PERSON", 0.9, "x")
    false = EntitySpan(0, 4, "DATE_TIME", 0.9, "x")
    found = [((name,), (false,) if i < 6 else ()) for i in range(12)]
    result = score_math(gold, found, [(False, True)] * 12)
    assert result.recall.value == 1
    assert result.precision.value == pytest.approx(12 / 18)
    assert result.f1.value == pytest.approx(0.8)
    assert result.precision.low < 12 / 18 < result.precision.high
    # Two expressions a session, one of which a false find breaks in half of them.
    assert result.intact.value == pytest.approx(18 / 24)
    assert (result.false_inside, result.ratio_outside) == (1, 0)
    assert result.false_by_type == {"DATE_TIME": 6}


def test_no_finds_have_no_precision(data: Path) -> None:
    result = score_math(read_gold(data), [((), ())] * 12, [(False, True)] * 12)
    assert result.recall.value == 0
    assert result.precision.value != result.precision.value


def test_halves_share_nothing_and_miss_nothing(data: Path) -> None:
    gold = read_gold(data)
    ids = [{document.id for document in halved(gold, half).documents} for half in (0, 1)]
    assert not ids[0] & ids[1]
    assert len(ids[0] | ids[1]) == 12
    assert all(ids)


def test_the_verb_prints_one_object_without_text(data: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "math", "--data", str(data), "--no-peers", "--json"])
    assert result.exit_code == 0
    record = json.loads(result.stdout.splitlines()[-1])
    ours = record["strategies"]["hybrid"]
    assert ours["recall"]["value"] == 1
    assert ours["false_by_type"] == {}
    assert "Tyler" not in result.stdout
