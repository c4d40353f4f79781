"""`bench scpi`: what it prints, what passes, and that its figures are the report's."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from seed_engine.sensitive import bench
from seed_engine.sensitive.bench import UNTOUCHED, BenchReport, ModelRow, speed_texts
from seed_engine.sensitive.cues import find_cues
from seed_engine.sensitive.evaluation import SetFigures, evaluate_judge
from seed_engine.sensitive.evaluation_west import evaluate_west
from seed_engine.sensitive.judge import load_judge
from seed_engine.sensitive.writing import evaluation_texts

FIGURES = evaluate_judge(load_judge(), evaluation_texts(1))


def _report(figures: SetFigures, gain: float = 0.1) -> BenchReport:
    row = ModelRow(model="svc", in_distribution=0.9, f1=0.6, hard_fpr=0.8, auc=0.5, trained_hard=math.nan, rate=2000)
    return BenchReport(
        models=(row, row.model_copy(update={"model": "svc + lightgbm"})),
        sets={UNTOUCHED: figures},
        gain={UNTOUCHED: (gain, gain - 0.05, gain + 0.05)},
        gain_over="svc",
        prefilter=7000,
        cascade=3000,
        transformer=math.nan,
        west=evaluate_west(),
    )


@pytest.mark.parametrize(
    ("update", "gain", "code"),
    [({}, 0.1, 0), ({"auc": 0.87}, 0.1, 1), ({"flagged_90": 0.31}, 0.1, 1), ({"topic_f1": 0.9}, 0.1, 1), ({}, 0.01, 1)],
)
def test_a_missed_target_fails(
    update: dict[str, float], gain: float, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {"topic_f1": 0.99, "auc": 0.95, "flagged_75": 0.05, "flagged_90": 0.2}
    report = _report(FIGURES.model_copy(update=good | update), gain)
    monkeypatch.setattr(bench, "run_bench", lambda per_cell, transformer: report)
    done = CliRunner().invoke(app, ["bench", "scpi", "--no-transformer"])
    assert done.exit_code == code, done.output
    for name in ("creed", "lgbt", "juvenile_procedure", "paper:", "gain of linking", "gdpr_trade_union"):
        assert name in done.output


def test_json_holds_no_nan_and_people_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "run_bench", lambda per_cell, transformer: _report(FIGURES))
    marked = tmp_path / "marked.jsonl"
    rows = [
        {"id": "1", "text": "佐藤健一は来た", "spans": [{"start": 0, "end": 4, "entity_type": "PERSON"}]},
        {"id": "2", "text": "雨が降った", "spans": []},
    ]
    marked.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    done = CliRunner().invoke(app, ["bench", "scpi", "--no-transformer", "--people", str(marked), "--json"])
    payload = json.loads(done.output.splitlines()[-1], parse_constant=lambda name: pytest.fail(name))
    assert payload["people"] == {"texts": 1, "recall": 1.0, "overlapping": 1.0, "precision": 1.0}
    assert payload["transformer"] is None


def test_every_category_is_shown() -> None:
    assert len(FIGURES.categories) == 12
    assert all(row.scpi and row.related for row in FIGURES.categories)


def test_speed_is_measured_on_what_it_says() -> None:
    texts = speed_texts(500)
    assert {len(text) for text in texts} == {bench.LENGTH}
    assert 0.1 <= sum(bool(find_cues(text)) for text in texts) / len(texts) <= 0.14
