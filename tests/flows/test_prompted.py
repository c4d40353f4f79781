"""Language models on lessons: three rows from recorded replies, nothing asked twice, and no text without leave."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from tests.provider import Provider

NAME = {"start": 3, "end": 8, "entity_type": "PERSON"}
LESSONS = [
    {
        "id": f"s{i}",
        "domain": "tutoring",
        "language": "en",
        "turns": [
            {"role": "tutor", "text": "Hi Tyler, welcome back to our session", "spans": [NAME]},
            {"role": "student", "text": "thank you, i am fine today", "spans": []},
            {"role": "tutor", "text": "So solve 3/4 x 24 = 18 and then 18 + 6 = 24", "spans": []},
            {"role": "student", "text": "Alex has 18 + 6 = 24 apples", "spans": []},
        ],
    }
    for i in range(8)
]


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tuple(os.environ):
        if name.endswith(("_API_BASE", "_BASE_URL")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", "none")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "lessons.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LESSONS), "utf-8")
    return path


def answer(messages: list[dict[str, str]]) -> str:
    """A model that takes word problems' people for real, unless it is told of mathematics, and makes somebody up."""
    system, question = messages[0]["content"], messages[-1]["content"]
    finds = [{"message": 1, "text": "tyler", "entity_type": "PERSON"}] if "Tyler" in question else []
    if "Alex" in question and "word problem" not in system:
        finds.append({"message": 2, "text": "Alex", "entity_type": "PERSON"})
    if "segment: mathematics" not in question:
        finds.append({"message": 1, "text": "Quentin Prewitt", "entity_type": "PERSON"})
    return json.dumps({"found": finds})


def bench(data: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    arguments = ["bench", "math", "--data", str(data), "--no-peers", "--json", *options]
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, json.loads(result.stdout.splitlines()[-1]), result.output


def test_one_model_prompted_three_ways_is_three_rows_from_recorded_replies(data: Path, tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    asked = ("--model", "openai/m", "--replies", str(replies))
    with Provider(answer) as provider:
        code, first, _ = bench(data, *asked, "--api-base", provider.base)
        assert code == 0
        sent = len(provider.sent)
        # Two windows in each of eight sessions that are alike: what is the same is asked once.
        assert sent == 3 * 2
        assert all(b'"json_schema"' in body for body in provider.sent)
    # The server is gone and the address is not told: only the file can answer.
    code, again, output = bench(data, *asked)
    assert code == 0
    names = [f"openai/m, {way}" for way in ("basic", "maths", "segment")]
    assert list(again["strategies"])[-3:] == names
    assert {name: again["strategies"][name] for name in names} == {name: first["strategies"][name] for name in names}
    assert again["replies"] == first["replies"]
    basic, maths, segment = (again["strategies"][name] for name in names)
    assert (basic["precision"]["value"], maths["precision"]["value"]) == (0.5, 1.0)
    assert all(row["recall"] == {"value": 1.0, "low": 1.0, "high": 1.0} for row in (basic, maths, segment))
    assert [again["replies"][name]["made_up"] for name in names] == [16, 16, 8]
    assert again["replies"][names[0]]["requests"] == 16
    assert again["replies"][names[0]]["prompt_tokens"] == 16
    assert "Tyler" not in output
    assert replies.stat().st_mode & 0o777 == 0o600


def test_several_models_stand_in_one_table(data: Path, tmp_path: Path) -> None:
    replies = ("--replies", str(tmp_path / "replies.jsonl"), "--strategy", "segment")
    with Provider(answer) as one:
        assert bench(data, "--model", "openai/a", *replies, "--api-base", one.base)[0] == 0
    with Provider(lambda messages: "I cannot help with that") as two:
        assert bench(data, "--model", "openai/b", *replies, "--api-base", two.base)[0] == 0
    code, table, _ = bench(data, "--model", "openai/a", "--model", "openai/b", *replies)
    assert code == 0
    assert table["strategies"]["openai/a, segment"]["recall"]["value"] == 1
    assert table["strategies"]["openai/b, segment"]["recall"]["value"] == 0
    assert table["replies"]["openai/b, segment"]["unreadable"] == 16


@pytest.mark.parametrize(
    "options", [(), ("--allow-raw-to", "openai/other"), ("--api-base", "http://models.example.com")]
)
def test_text_goes_nowhere_that_the_user_has_not_named(data: Path, options: tuple[str, ...]) -> None:
    code, record, output = bench(data, "--model", "openai/m", *options)
    assert code == 2
    assert "--allow-raw-to openai/m" in record["error"]
    assert "Tyler" not in output


def test_a_provider_that_is_allowed_by_name_is_asked(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Provider(answer) as provider:
        monkeypatch.setenv("OPENAI_BASE_URL", provider.base)
        options = ("--model", "openai/m", "--strategy", "maths", "--limit", "1")
        assert bench(data, *options)[0] == 2
        assert not provider.sent
        assert bench(data, *options, "--allow-raw-to", "openai/m")[0] == 0
        assert provider.sent


def test_a_provider_that_fails_leaves_what_it_answered(data: Path, tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    with Provider(answer, status=500) as provider:
        code, record, output = bench(
            data, "--model", "openai/m", "--replies", str(replies), "--api-base", provider.base
        )
    assert code == 2
    assert "openai/m: provider_unavailable" in record["error"]
    assert "Tyler" not in output


def test_options_of_a_model_without_a_model_are_a_mistake(data: Path) -> None:
    assert bench(data, "--strategy", "basic")[0] == 2
