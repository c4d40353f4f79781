"""Redacted transcripts through files: rounds of review, a share to be reached, and the benchmark with its card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.redacted import decided_path
from seed_engine.gold import read_gold
from seed_engine.redaction_review import NOT_PERSONAL

LINES = [
    {
        "id": f"s{i}",
        "domain": "tutoring",
        "language": "en",
        "turns": [
            {"role": "tutor", "text": f"Hi [NAME], 3 x {i + 2} = [ID], and 24 / [REDACTED] = 8"},
            {"role": "student", "text": "ok, my mail is zebulon.quarrie@example.org"},
        ],
    }
    for i in range(4)
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    return path


def semilla(*arguments: object) -> tuple[int, dict[str, Any], str]:
    result = CliRunner().invoke(app, ["review", *map(str, arguments), "--json"])
    return result.exit_code, json.loads(result.stdout.splitlines()[-1]), result.output


def review(tasks: Path, *, only: int | None = None, forget: bool = False) -> Path:
    """A reviewer who accepts what is proposed; `forget` leaves the originals out."""
    records = json.loads(tasks.read_text("utf-8"))
    for record in records[:only]:
        results = record["predictions"][0]["result"]
        kept = [item for item in results if not (forget and item["type"] == "textarea")]
        record["annotations"] = [{"result": kept}]
    done = tasks.with_name("done.json")
    done.write_text(json.dumps(records), "utf-8")
    return done


def test_rounds_go_on_until_the_share_is_reached(source: Path, tmp_path: Path) -> None:
    tasks, out = tmp_path / "tasks.json", tmp_path / "benchmark"
    code, record, _ = semilla("export", source, "-o", tasks, "--redacted")
    assert (code, record["tasks"], record["problems"], record["resolved"]) == (0, 4, 12, 0)
    assert "NOT_PERSONAL" in tasks.with_suffix(".xml").read_text("utf-8")
    code, record, output = semilla("benchmark", source, "-o", out)
    assert (code, record["verdict"], out.exists()) == (3, "inconclusive", False)
    assert semilla("import", review(tasks, only=2), "--source", source, "--redacted")[0] == 0
    assert decided_path(source).is_file()
    code, record, _ = semilla("benchmark", source, "-o", out)
    assert (code, record["share"], out.exists()) == (3, 0.5, False)
    # What is resolved is not asked again.
    code, record, _ = semilla("export", source, "-o", tasks, "--redacted")
    assert (record["tasks"], record["resolved"], record["accepted"]) == (2, 6, 6)
    assert semilla("import", review(tasks), "--source", source, "--redacted")[0] == 0
    code, record, output = semilla("benchmark", source, "-o", out)
    assert (code, record["verdict"], record["share"], record["restored"], record["left"]) == (0, "pass", 1.0, 8, 0)
    assert "zebulon" not in output
    gold = read_gold(out / "benchmark.jsonl")
    texts = [turn.text for talk in gold.documents for turn in talk.turns]
    assert "3 x 2 = 6, and 24 / 3 = 8" in texts[0]
    assert not any("zebulon" in text or "[" in text for text in texts)
    kinds = [[span.entity_type for span in spans] for turns in gold.gold for spans in turns]
    assert kinds == [["PERSON"], ["EMAIL_ADDRESS"]] * 4
    card = (out / "README.md").read_text("utf-8")
    assert "100.0%; 95.0% were required" in card
    assert "| EMAIL_ADDRESS | 4 |" in card


def test_a_wrong_redaction_without_an_original_is_open(source: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.json"
    semilla("export", source, "-o", tasks, "--redacted")
    semilla("import", review(tasks, forget=True), "--source", source, "--redacted")
    code, record, _ = semilla("benchmark", source, "-o", tmp_path / "b")
    assert (code, record["resolved"], record["problems"]) == (3, 4, 12)


def test_a_sample_is_the_same_in_every_round(source: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    for path in (first, second):
        assert semilla("export", source, "-o", path, "--redacted", "--sample", 4, "--seed", 7)[1]["tasks"] == 2
    assert first.read_text() == second.read_text()
    semilla("import", review(first), "--source", source, "--redacted")
    code, record, _ = semilla("benchmark", source, "-o", tmp_path / "c", "--sample", 4, "--seed", 7)
    assert (code, record["share"], record["reviewed"], record["sessions"]) == (0, 1.0, 2, 4)


def test_what_a_reviewer_takes_away_is_not_proposed_again_and_what_is_added_is(source: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.json"
    semilla("export", source, "-o", tasks, "--redacted")
    records = json.loads(tasks.read_text("utf-8"))
    text = records[0]["data"]["text"]
    results = [
        item for item in records[0]["predictions"][0]["result"] if item["value"].get("labels") != ["EMAIL_ADDRESS"]
    ]
    start = text.index("and 24")
    value = {"start": start, "end": start + 6, "text": "and 24", "labels": ["ID_OTHER"]}
    records[0]["annotations"] = [{"result": [*results, {"type": "labels", "from_name": "label", "value": value}]}]
    tasks.write_text(json.dumps(records), "utf-8")
    semilla("import", tasks, "--source", source, "--redacted")
    semilla("export", source, "-o", tasks, "--redacted")
    for record in json.loads(tasks.read_text("utf-8")):
        said = [item["value"].get("text") for item in record["predictions"][0]["result"]]
        assert "and 24" in said
        assert "zebulon.quarrie@example.org" not in said


@pytest.mark.parametrize("fault", ["text", "label", "place", "original", "id"])
def test_a_task_that_is_not_of_this_source_is_refused(source: Path, tmp_path: Path, fault: str) -> None:
    tasks = tmp_path / "tasks.json"
    semilla("export", source, "-o", tasks, "--redacted")
    records = json.loads(review(tasks).read_text("utf-8"))
    results = records[0]["annotations"][0]["result"]
    if fault == "text":
        records[0]["data"]["text"] += "!"
    elif fault == "id":
        records[0]["data"]["conversation"] = "other"
    elif fault == "label":
        results[0]["value"]["labels"] = ["zebulon"]
    elif fault == "place":
        results[0]["value"] |= {"start": 2, "end": 5}
    else:
        next(item for item in results if item["type"] == "textarea")["value"]["text"] = ["9" * 81]
    tasks.write_text(json.dumps(records), "utf-8")
    code, record, output = semilla("import", tasks, "--source", source, "--redacted")
    assert code == 2
    assert "task 1" in record["error"]
    assert "zebulon" not in output
    assert not decided_path(source).exists()


def test_decisions_on_a_text_that_changed_are_refused(source: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.json"
    semilla("export", source, "-o", tasks, "--redacted")
    semilla("import", review(tasks), "--source", source, "--redacted")
    source.write_text(source.read_text("utf-8").replace("Hi [NAME]", "Hey [NAME]"), "utf-8")
    code, record, _ = semilla("benchmark", source, "-o", tmp_path / "b")
    assert code == 2
    assert "changed since" in record["error"]
    assert NOT_PERSONAL not in record["error"]
