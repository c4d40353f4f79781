"""The third stage: only doubted lines go to a model, its word replaces the label, and nothing paid is asked twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows import cli
from flows.console import INCONCLUSIVE
from flows.errors import UsageError
from flows.sensitive_verifying import Verification, verify_hits
from seed_engine.sensitive.build_config import BuildConfig, ModelChoice
from tests.flows.test_sensitive_build import GENERATOR, answer, asked_of, said, settings
from tests.provider import Provider


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def scanned(folder: Path, count: int = 12) -> tuple[Path, Path]:
    """A source, and hits of which every second one is doubted."""
    source, hits = folder / "source.jsonl", folder / "hits.jsonl"
    texts = [{"id": f"t{k}", "text": said(k)} for k in range(count)]
    source.write_text("".join(json.dumps(text, ensure_ascii=False) + "\n" for text in texts), "utf-8")
    lines = [
        {"id": f"t{k}", "score": 0.5, "label": "scpi", "category": "race", "stage": "link", "topic": 0.9}
        | {"evidence": [{"start": 0, "end": 2}], "person": None}
        | ({"flags": ["borderline", "deceased"]} if k % 2 else {})
        for k in range(count)
    ]
    hits.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return source, hits


def verified(folder: Path, config: BuildConfig, source: Path, hits: Path, **more: Any) -> dict[str, Any]:
    wanted = Verification(hits, (str(source),), folder / "verified.jsonl", **more)
    return verify_hits(wanted, config, GENERATOR, lambda done, total: None)


def test_only_what_is_doubted_is_asked_and_once(tmp_path: Path) -> None:
    source, hits = scanned(tmp_path)
    with Provider(answer) as provider:
        record = verified(tmp_path, settings(provider.base), source, hits)
        again = verified(tmp_path, settings(provider.base), source, hits)
        asked = asked_of(provider.sent)
    assert (record["asked"], record["answered"], record["requests"], again["requests"]) == (6, 6, 6, 0)
    assert {model for model, _ in asked} == {"strong"}
    lines = [json.loads(line) for line in (tmp_path / "verified.jsonl").read_text("utf-8").splitlines()]
    before = [json.loads(line) for line in hits.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == [line["id"] for line in before]
    assert lines[::2] == before[::2]
    told = {line["id"]: line for line in lines[1::2]}
    assert {line["stage"] for line in told.values()} == {"llm"}
    assert {line["score"] for line in told.values()} == {0.5}
    assert {tuple(line["flags"]) for line in told.values()} == {("deceased",)}
    assert (told["t1"]["label"], told["t1"]["category"]) == ("scpi", "criminal_record")
    assert (told["t3"]["label"], told["t3"]["category"]) == ("none", None)
    kept = (tmp_path / "verified.jsonl.replies").read_bytes() + (tmp_path / "verified.jsonl").read_bytes()
    assert "田中".encode() not in kept


def test_no_word_changes_nothing(tmp_path: Path) -> None:
    source, hits = scanned(tmp_path)
    with Provider(lambda _: "田中さんは病気です") as provider:
        record = verified(tmp_path, settings(provider.base), source, hits)
    assert (record["answered"], record["changed"]) == (0, 0)
    before = [json.loads(line) for line in hits.read_text("utf-8").splitlines()]
    assert [json.loads(line) for line in (tmp_path / "verified.jsonl").read_text("utf-8").splitlines()] == before


def test_hits_of_another_source_are_refused(tmp_path: Path) -> None:
    source, hits = scanned(tmp_path)
    source.write_text('{"id": "t1", "text": "x"}\n')
    with Provider(answer) as provider, pytest.raises(UsageError, match="5 of the hits"):
        verified(tmp_path, settings(provider.base, give_up_after=50), source, hits)
    assert not (tmp_path / "verified.jsonl").exists()


def test_text_leaves_for_the_verifier_only_where_it_is_allowed(tmp_path: Path) -> None:
    source, hits = scanned(tmp_path)
    far = BuildConfig(verifier=ModelChoice(model="openai/strong"))
    with pytest.raises(UsageError, match="verifier would see"):
        verified(tmp_path, far, source, hits)


def test_the_command_tells_a_provider_that_is_down(tmp_path: Path) -> None:
    source, hits = scanned(tmp_path)
    config = tmp_path / "semilla.toml"
    config.write_text(
        "[generator]\nretries = 0\ntimeout_s = 2\n[sensitive]\ngive_up_after = 2\n"
        '[sensitive.verifier]\nmodel = "openai/strong"\napi_base = "http://127.0.0.1:9/v1"\n'
    )
    command = ["sensitive", "verify", hits, "--source", source, "-o", tmp_path / "out.jsonl", "--config", config]
    result = CliRunner().invoke(cli.app, [*map(str, command), "--json"])
    assert result.exit_code == INCONCLUSIVE
    assert json.loads(result.stdout.splitlines()[-1])["fault"]
    assert not (tmp_path / "out.jsonl").exists()
