"""`semilla generate --model FOLDER`: an adapter that was trained here chooses the wordings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.generation import writer
from flows.models_used import provider_models
from flows.records_io import write_records
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.models import file_sha256
from tests.generator.seeds import support_seed
from training.gguf_file import GGUF

RUNNER = CliRunner()


def call(*arguments: object) -> tuple[int, Any, str]:
    result = RUNNER.invoke(app, [*map(str, arguments), "--json"])
    return result.exit_code, json.loads(result.stdout.splitlines()[-1]), result.stderr


def adapter(folder: Path) -> Path:
    folder.mkdir()
    for name in (GGUF, "training.json"):
        (folder / name).write_text(name)
    return folder


def test_a_folder_is_an_adapter_and_all_else_a_name(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a")
    assert writer(None) == {}
    assert writer("openai/double") == {"model": "openai/double"}
    assert writer(str(folder)) == {"model": EMBEDDED_MODEL, "lora": folder.resolve() / GGUF}
    config = GeneratorConfig.model_validate(writer(str(folder)))
    assert (config.plan, config.pays) == ("choose", False)
    assert provider_models(config)["adapter"] == file_sha256(folder / GGUF)


@pytest.mark.parametrize("name", ["./no_such", "no_adapter", "file.txt"])
def test_what_is_no_adapter_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "seeds.jsonl", [support_seed(4)])
    (tmp_path / "no_adapter").mkdir()
    (tmp_path / "file.txt").write_text("")
    before = sorted(tmp_path.iterdir())
    exit_code, payload, told = call("generate", "seeds.jsonl", "-o", "out.jsonl", "--model", name)
    assert exit_code == 2
    assert name.removeprefix("./") in payload["error"]
    assert "adapter" in told
    assert sorted(tmp_path.iterdir()) == before


def test_a_strategy_that_asks_no_model_is_refused_with_an_adapter(tmp_path: Path) -> None:
    write_records(tmp_path / "seeds.jsonl", [support_seed(4)])
    (tmp_path / "semilla.toml").write_text('[generator]\nstrategy = "template"\n')
    folder, config = adapter(tmp_path / "a"), tmp_path / "semilla.toml"
    arguments = ("generate", tmp_path / "seeds.jsonl", "-o", tmp_path / "o.jsonl", "--config", config)
    exit_code, payload, _ = call(*arguments, "--model", folder)
    assert exit_code == 2
    assert "asks no model" in payload["error"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_an_adapter_that_train_wrote_writes_otherwise_than_the_base(tmp_path: Path) -> None:
    turns = tuple(Turn(role=role, text="No no no no no!") for role in ("customer", "agent"))
    write_records(tmp_path / "synthetic.jsonl", [Conversation(id=str(i), turns=turns) for i in range(16)])
    seeds = [support_seed(8).model_copy(update={"id": f"seed-{i:06d}"}) for i in range(1, 4)]
    write_records(tmp_path / "seeds.jsonl", seeds)
    (tmp_path / "semilla.toml").write_text(
        "[training]\ncanaries = 0\ncanary_controls = 0\nbatch_size = 8\nlearning_rate = 1e-2\n"
        "[generator]\nmodel_share = 0.5\nredraws = 0\n"
    )
    common = ("--config", tmp_path / "semilla.toml")
    train = ("train", tmp_path / "synthetic.jsonl", "-o", tmp_path / "a", "--epsilon", "inf", "--epochs", 10)
    assert call(*train, *common)[0] == 0
    generate = ("generate", tmp_path / "seeds.jsonl", *common)
    assert call(*generate, "-o", tmp_path / "with.jsonl", "--model", tmp_path / "a")[1]["conversations"] == 3
    assert call(*generate, "-o", tmp_path / "without.jsonl")[1]["conversations"] == 3
    assert (tmp_path / "with.jsonl").read_text() != (tmp_path / "without.jsonl").read_text()
