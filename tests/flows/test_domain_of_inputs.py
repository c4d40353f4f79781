"""A configured domain holds for conversations that name none: exports and transcripts say little by themselves."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.config import RunConfig
from flows.errors import UsageError
from flows.inputs import read_inputs
from flows.stages.again import read_again
from flows.stages.extract import commit, extract
from flows.workspace import Workspace
from seed_engine.config import DetectorConfig

EXPORT = """\
03/02/2026, 09:12 - Zebulon Quark: Hello, I ordered a lamp last week and it has not arrived.
03/02/2026, 09:14 - Lumen Shop: Sorry to hear that. Could you tell me the order number?
03/02/2026, 09:15 - Zebulon Quark: It is 48213377.
"""
SAID = [{"role": "patient", "text": "Hello, I have a cough."}, {"role": "doctor", "text": "How long have you had it?"}]
NAMED = {"id": "c", "domain": "medical", "turns": SAID}


def seeds(tmp_path: Path, domain: str | None) -> tuple[list[dict[str, Any]], Workspace]:
    (tmp_path / "chat.txt").write_text(EXPORT)
    (tmp_path / "named.jsonl").write_text(json.dumps(NAMED) + "\n")
    staging = tmp_path / f"staging-{domain}"
    staging.mkdir()
    config = RunConfig(detector=DetectorConfig(engine="regex"))
    config = config if domain is None else config.with_domain(domain)
    work = Workspace(staging, (tmp_path / "chat.txt", tmp_path / "named.jsonl"), config, None, False)
    extract(work, lambda _done, _total: None)
    return [json.loads(line) for line in (staging / "seeds.jsonl").read_text().splitlines()], work


def test_what_names_no_domain_takes_the_configured_one_and_nothing_else_changes(tmp_path: Path) -> None:
    (chat, named), work = seeds(tmp_path, "support")
    assert (chat["domain"], chat["roles"]) == ("support", ["customer", "agent"])
    assert named["domain"] == "medical"
    assert [item.domain for item in read_again(work, "test")[0]] == ["support", "medical"]
    (undecided, _), _ = seeds(tmp_path, None)
    assert undecided["domain"] != "support"
    # The commitment is to what was read: who holds the file and the salt must reach the same root.
    read = tuple(read_inputs(work.inputs, Counter(), limit=None, skip_bad=False, unique_ids=False))
    assert work.source is not None
    assert work.source.salt is not None
    assert work.source == commit(work.inputs, read, private=False, salt=bytes.fromhex(work.source.salt))


def test_a_domain_without_a_profile_is_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown domain; known: automotive"):
        seeds(tmp_path, "astrology")
    assert list((tmp_path / "staging-astrology").iterdir()) == []
    run = ["run", "--input", str(tmp_path / "chat.txt"), "--out", str(tmp_path / "out"), "--domain", "astrology"]
    assert CliRunner().invoke(app, run).exit_code == 2
    assert not (tmp_path / "out").exists()


def test_seed_takes_the_configured_domain_too(tmp_path: Path) -> None:
    (tmp_path / "chat.txt").write_text(EXPORT)
    config, out = tmp_path / "semilla.toml", tmp_path / "seeds.jsonl"
    config.write_text('[detector]\nengine = "regex"\n[seeds]\ndomain = "support"\n')
    command = ["seed", str(tmp_path / "chat.txt"), "-o", str(out), "--config", str(config)]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert json.loads(out.read_text())["domain"] == "support"
