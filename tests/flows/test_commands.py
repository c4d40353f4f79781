"""Verbs refuse what they do not know, publish whole or not at all, and read no file that could run away."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.commands.data import DOMAINS, ENGINES
from seed_engine.config import Engine
from seed_engine.conversation import Conversation, Turn
from seed_engine.seed_population import population
from seed_engine.vocabulary import vocabulary

RUNNER = CliRunner()
DEEP = "[" * 100_000


def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    turns = [{"role": "customer", "text": "my order is late"}, {"role": "agent", "text": "let me look"}]
    path.write_text(json.dumps({"id": "c1", "turns": turns}) + "\n")
    return path


@pytest.mark.parametrize("verb", ["detect", "deidentify", "seed"])
@pytest.mark.parametrize(
    ("option", "given", "known"),
    [("--language", "xx", ("en", "es")), ("--language", "EN", ("en",)), ("--language", "", ("en",)),
     ("--domain", "suport", ("medical", "support", "tutoring")), ("--domain", "../support", ("general",))],
)  # fmt: skip
def test_an_unknown_name_is_misuse_and_the_known_ones_are_listed(
    tmp_path: Path, verb: str, option: str, given: str, known: tuple[str, ...]
) -> None:
    result = RUNNER.invoke(app, [verb, str(source(tmp_path)), "-o", str(tmp_path / "out"), option, given])
    assert result.exit_code == 2, result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert option.strip("-") in result.stderr
    assert all(name in result.stderr.split("known: ")[1] for name in known)
    assert [item.name for item in tmp_path.iterdir()] == ["in.jsonl"]


def synthetic(tmp_path: Path) -> Path:
    path = tmp_path / "synthetic.jsonl"
    item = Conversation(id="seed-000001-0", turns=(Turn(role="agent", text="hello"),), seed_id="seed-000001")
    path.write_text(item.model_dump_json() + "\n")
    return path


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt, MemoryError])
def test_a_training_that_ends_early_leaves_no_adapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    seen: list[Path] = []

    def train(_: Any, __: Any, output: Path, **___: Any) -> None:
        (output / "adapter_model.safetensors").write_bytes(b"half")
        seen.append(output)
        assert not (tmp_path / "adapter").exists()
        raise fault

    monkeypatch.setattr("training.train.train", train)
    result = RUNNER.invoke(app, ["train", str(synthetic(tmp_path)), "-o", str(tmp_path / "adapter")])
    assert result.exit_code == (130 if fault is KeyboardInterrupt else 2)
    assert seen
    assert [item.name for item in tmp_path.iterdir()] == ["synthetic.jsonl"]


def test_canaries_that_are_no_json_object_are_misuse(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    for content in (DEEP, "[]", "{", '{"members": NaN}', "\ufeff", '{"members": [], "members": []}'):
        (adapter / "canaries.json").write_text(content, "utf-8")
        result = RUNNER.invoke(app, ["attack", "--model", str(adapter)])
        assert result.exit_code == 2, content[:20]
        assert "canaries.json: not a JSON object" in result.stderr


@pytest.mark.parametrize(
    "content", ["x = " + DEEP, "x = " + "{a=" * 20_000, 'x = "\x00"', "x = nan", "[generator]\ntemperature = inf\n"]
)
def test_a_configuration_that_runs_away_is_misuse(tmp_path: Path, content: str) -> None:
    (tmp_path / "semilla.toml").write_text(content)
    result = RUNNER.invoke(app, ["doctor", "--config", str(tmp_path / "semilla.toml")])
    assert result.exit_code == 2
    assert "semilla.toml" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("content", [DEEP, '{"a":' * 50_000, '{"turns": ' + DEEP, '{"id": NaN}', '{"id": 1, "id": 2}'])
@pytest.mark.parametrize("verb", ["validate", "generate", "evaluate", "train"])
def test_records_that_run_away_are_bad_input(tmp_path: Path, verb: str, content: str) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(content + "\n")
    output = [] if verb == "validate" else ["-o", str(tmp_path / "out")]
    result = RUNNER.invoke(app, [verb, str(path), *output])
    assert result.exit_code == 2, result.stdout
    # What begins as an array is read as one, and has no lines.
    assert "records.jsonl:1: " in result.stderr or (content.startswith("[") and "records.jsonl: " in result.stderr)
    assert len(result.stderr.strip().splitlines()) == 1
    assert [item.name for item in tmp_path.iterdir()] == ["records.jsonl"]


def test_the_help_lists_every_domain_and_engine() -> None:
    assert set(DOMAINS.removeprefix("Domain profile: ").removesuffix(", or an own one.").split(", ")) == set(
        vocabulary().domains
    )
    assert set(re.findall(r"\w+", ENGINES)) - {"or"} == set(get_args(Engine))


@pytest.mark.parametrize("pattern", ["/tmp/*", "../*"])
def test_a_bench_stays_in_its_folder(tmp_path: Path, pattern: str) -> None:
    done = CliRunner().invoke(app, ["bench", "pii", "--data", str(tmp_path), "--sets", pattern])
    assert done.exit_code == 2
    assert "within the folder" in done.output + done.stderr


def test_a_bench_of_a_broken_seed_names_its_line(tmp_path: Path) -> None:
    (_, seed), *_ = population(2, np.random.default_rng(0))
    path = tmp_path / "seeds.jsonl"
    path.write_text(
        seed.model_dump_json() + "\n" + seed.model_copy(update={"tone": "Zebulon"}).model_dump_json() + "\n"
    )
    done = CliRunner().invoke(app, ["bench", "seeds", "--seeds", str(path)])
    assert done.exit_code == 2
    assert "seeds.jsonl:2: not a valid seed" in done.output
    assert "Zebulon" not in done.output


def test_a_bench_of_no_seeds_is_inconclusive(tmp_path: Path) -> None:
    (tmp_path / "seeds.jsonl").write_text("")
    done = CliRunner().invoke(app, ["bench", "seeds", "--seeds", str(tmp_path / "seeds.jsonl")])
    assert done.exit_code == 3
