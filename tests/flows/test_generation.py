"""`semilla generate` against a provider that is dead, stalls, dies half way or talks rubbish: told, counted, exit 3."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.records_io import write_records
from tests.generator.seeds import support_seed
from tests.provider import Provider, follow_plan

RUNNER = CliRunner()
Call = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    seeds = tmp_path / "seeds.jsonl"
    write_records(seeds, [support_seed(4).model_copy(update={"id": f"seed-{i:06d}"}) for i in range(1, 13)])

    def generate(
        base: str,
        strategy: str = "conversation",
        model: str = "openai/double",
        timeout_s: int = 60,
        concurrency: int = 4,
    ) -> Any:
        config = tmp_path / "semilla.toml"
        config.write_text(
            f'[generator]\nmodel = "{model}"\napi_base = "{base}"\nstrategy = "{strategy}"\n'
            f"timeout_s = {timeout_s}\nmodel_share = 1.0\nmax_attempts = 1\n"
            f"concurrency = {concurrency}\n"
        )
        arguments = ["generate", str(seeds), "-o", str(tmp_path / "out.jsonl"), "--config", str(config), "--json"]
        result = RUNNER.invoke(app, arguments)
        return result.exit_code, json.loads(result.stdout.splitlines()[-1]), result.stderr

    return generate


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strategy", ["conversation", "choose", "rewrite"])
def test_a_dead_provider_is_told_and_counted_and_leaves_no_file(call: Call, strategy: str, tmp_path: Path) -> None:
    with Provider(follow_plan, status=500) as provider:
        exit_code, payload, told = call(provider.base, strategy)
    assert exit_code == payload["exit_code"] == 3
    assert (payload["conversations"], payload["wanted"]) == (0, 12)
    assert "0 of 12 conversations written" in told
    assert "provider_unavailable" in payload["fault"]
    assert len(told.strip().splitlines()) == 1
    assert {item.name for item in tmp_path.iterdir()} == {"seeds.jsonl", "semilla.toml"}


@pytest.mark.filterwarnings("ignore")
def test_an_older_output_is_not_called_no_file(call: Call, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("older\n", "utf-8")
    with Provider(follow_plan, status=500) as provider:
        call(provider.base)
        arguments = ["generate", "seeds.jsonl", "-o", "out.jsonl", "--config", "semilla.toml"]
        done = RUNNER.invoke(app, [str(tmp_path / part) if "." in part else part for part in arguments])
    assert (tmp_path / "out.jsonl").read_text("utf-8") == "older\n"
    assert "out.jsonl is as it was" in done.stdout
    assert "no file" not in done.stdout


@pytest.mark.filterwarnings("ignore")
def test_a_stalling_provider_is_told(call: Call, tmp_path: Path) -> None:
    with Provider(follow_plan, delay_s=6) as provider:
        exit_code, _, told = call(provider.base, timeout_s=2)
    assert exit_code == 3
    assert "provider_timeout" in told


@pytest.mark.filterwarnings("ignore")
def test_what_was_written_before_a_provider_died_is_kept_and_the_end_is_told(call: Call, tmp_path: Path) -> None:
    left = iter(range(3))

    def dies(messages: list[dict[str, str]]) -> str:
        if next(left, None) is None:
            raise ConnectionAbortedError  # the connection breaks off without a reply
        return follow_plan(messages)

    with Provider(dies) as provider:
        # One at a time: of several at once, the one that breaks off may stand before those that were answered.
        exit_code, payload, told = call(provider.base, concurrency=1)
    written = (tmp_path / "out.jsonl").read_text().splitlines()
    assert exit_code == 3
    assert len(written) == payload["conversations"] == 3
    assert "3 of 12 conversations written" in told


@pytest.mark.filterwarnings("ignore")
def test_rubbish_is_counted_by_reason(call: Call, tmp_path: Path) -> None:
    with Provider(lambda _: "I would rather not.") as provider:
        exit_code, payload, _ = call(provider.base)
    assert (exit_code, payload["conversations"], payload["dropped_not_json"]) == (3, 0, 12)
    assert not (tmp_path / "out.jsonl").exists()


def test_an_unknown_embedded_model_is_told(call: Call) -> None:
    exit_code, payload, told = call("http://127.0.0.1:9", model="semilla/none")
    assert (exit_code, payload["conversations"]) == (3, 0)
    assert "0 of 12" in told


def test_a_missing_model_file_is_told_with_what_to_do(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seed_engine.models.find_spec", lambda name: None)
    from seed_engine.models import model_path

    model_path.cache_clear()
    exit_code, _, told = call("", model="semilla/smollm2-135m-instruct", strategy="choose")
    assert exit_code == 3
    assert "pip install" in told
    assert "0 of 12" in told


def test_templates_need_no_provider(call: Call) -> None:
    exit_code, payload, told = call("", strategy="template")
    assert (exit_code, payload["conversations"], payload["turns_template"], told) == (0, 12, 48, "")


@pytest.mark.filterwarnings("ignore")
def test_replies_that_were_paid_for_are_asked_for_once(call: Call, tmp_path: Path) -> None:
    left = iter(range(3))

    def dies(messages: list[dict[str, str]]) -> str:
        if next(left, None) is None:
            raise ConnectionAbortedError
        return follow_plan(messages)

    with Provider(dies) as provider:
        call(provider.base)
    assert (tmp_path / ".seeds.jsonl.replies").exists()
    with Provider(follow_plan) as provider:
        exit_code, payload, _ = call(provider.base)
        assert len(provider.sent) == 9
    assert (exit_code, payload["conversations"], payload["usage"]["requests"]) == (0, 12, 9)
    assert not (tmp_path / ".seeds.jsonl.replies").exists()
