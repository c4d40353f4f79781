"""Every export is read back by its format's own loader or rules, says what went in, and lets nothing else through."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.export.formats import FOLDERS, FORMATS
from flows.records_io import dump_record, read_records, write_records
from generator.config import GeneratorConfig
from generator.generate import generate
from generator.render import render
from seed_engine.conversation import Conversation, Turn
from seed_engine.readers import read_conversations
from tests.generator.seeds import domain_seed

RUNNER = CliRunner()


def no_model(_: object) -> str:
    raise AssertionError("strategy `template` asked a model")


def made() -> list[Conversation]:
    config = GeneratorConfig(strategy="template")
    seeds = [domain_seed(d, lang, i) for i, (d, lang) in enumerate((("support", "en"), ("medical", "es")), 1)]
    found = [generate(seed, config, no_model, variant=v).conversation for seed in seeds for v in range(3)]
    return [item for item in found if item is not None]


@pytest.fixture(scope="module")
def conversations() -> list[Conversation]:
    return made()


@pytest.fixture
def source(tmp_path: Path, conversations: list[Conversation]) -> Path:
    path = tmp_path / "synthetic.jsonl"
    write_records(path, conversations)
    return path


def export(source: Path, target: Path, to: str, *more: str) -> dict[str, Any]:
    result = RUNNER.invoke(app, ["export", str(source), "--format", to, "-o", str(target), "--json", *more])
    payload: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    assert payload.get("exit_code") == result.exit_code
    return payload


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_list_and_folder_name_the_same_formats() -> None:
    folder = Path(__file__).parents[2] / "flows" / "export"
    rooms = {path.stem for path in folder.glob("*.py")} - {"__init__", "source", "chat", "table", "formats"}
    assert rooms == {write.__module__.rpartition(".")[2] for write in FORMATS.values()}
    assert set(FORMATS) >= FOLDERS


def test_jsonl_is_what_was_generated(source: Path, tmp_path: Path, conversations: list[Conversation]) -> None:
    target = tmp_path / "out.jsonl"
    assert export(source, target, "jsonl")["conversations"] == len(conversations)
    assert target.read_bytes() == source.read_bytes()


def test_openai_keeps_to_the_rules_of_fine_tuning(
    source: Path, tmp_path: Path, conversations: list[Conversation]
) -> None:
    target = tmp_path / "out.jsonl"
    export(source, target, "openai")
    for record, item in zip(lines(target), conversations, strict=True):
        assert set(record) == {"messages"}
        roles = [message["role"] for message in record["messages"]]
        assert roles[0] == "system"
        assert roles[-1] == "assistant"
        assert set(roles[1:]) == {"user", "assistant"}
        assert all(one != other for one, other in pairwise(roles))
        assert all(set(m) == {"role", "content"} and m["content"].strip() for m in record["messages"])
        said = "\n".join(message["content"] for message in record["messages"][1:])
        whole = "\n".join(turn.text for turn in item.turns)
        assert whole.startswith(said)


def test_sharegpt_alternates_and_loses_nothing(source: Path, tmp_path: Path, conversations: list[Conversation]) -> None:
    target = tmp_path / "out.jsonl"
    export(source, target, "sharegpt")
    for record, item in zip(lines(target), conversations, strict=True):
        names = [message["from"] for message in record["conversations"]]
        assert set(names) == {"human", "gpt"}
        assert all(one != other for one, other in pairwise(names))
        said = "\n".join(message["value"] for message in record["conversations"])
        assert said == "\n".join(turn.text for turn in item.turns)
        assert item.domain in record["system"]


@pytest.mark.parametrize("to", ["openai", "sharegpt"])
def test_the_house_reads_its_own_chat_exports(source: Path, tmp_path: Path, to: str) -> None:
    target = tmp_path / "out.jsonl"
    export(source, target, to)
    read = list(read_conversations(target))
    assert len(read) == 6
    assert all(turn.text in "".join(lines_of(target)) for turn in read[0].turns)


def lines_of(path: Path) -> list[str]:
    return [json.dumps(record, ensure_ascii=False).replace("\\n", "\n") for record in lines(path)]


def test_parquet_is_read_back(source: Path, tmp_path: Path, conversations: list[Conversation]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow not installed")
    target = tmp_path / "out.parquet"
    export(source, target, "parquet")
    rows = parquet.read_table(target).to_pylist()
    assert [row["text"] for row in rows] == [turn.text for item in conversations for turn in item.turns]
    assert [turn.text for item in read_conversations(target) for turn in item.turns] == [row["text"] for row in rows]


def test_without_pyarrow_parquet_is_told_and_leaves_nothing(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: str) -> Any:
        raise ModuleNotFoundError

    monkeypatch.setattr("seed_engine.readers.parquet.importlib.import_module", missing)
    payload = export(source, tmp_path / "out.parquet", "parquet")
    assert payload["exit_code"] == 2
    assert "pip install pyarrow" in payload["error"]
    assert {path.name for path in tmp_path.iterdir()} == {"synthetic.jsonl"}


def front_matter(card: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML not installed")
    match = re.match(r"---\n(.*?)\n---\n", card, re.DOTALL)
    assert match
    found: dict[str, Any] = yaml.safe_load(match[1])
    return found


def test_hugging_face_card_describes_the_data_beside_it(
    source: Path, tmp_path: Path, conversations: list[Conversation]
) -> None:
    target = tmp_path / "set"
    export(source, target, "huggingface", "--name", "my-talks", "--license", "cc-by-4.0")
    card = (target / "README.md").read_text("utf-8")
    head = front_matter(card)
    assert head["license"] == "cc-by-4.0"
    assert head["language"] == ["en", "es"]
    assert head["size_categories"] == ["n<1K"]
    (split,) = head["configs"][0]["data_files"]
    records = lines(target / split["path"])
    assert [record["id"] for record in records] == [item.id for item in conversations]
    assert [feature["name"] for feature in head["dataset_info"]["features"]] == list(records[0])
    assert "| support | 3 | 36 |" in card
    from huggingface_hub import DatasetCard

    assert DatasetCard(card).data.pretty_name == "my-talks"


def test_hugging_face_loads_the_folder(source: Path, tmp_path: Path, conversations: list[Conversation]) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets not installed")
    target = tmp_path / "set"
    export(source, target, "huggingface")
    loaded = datasets.load_dataset(str(target), split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded[0]["turns"][0]["text"] == conversations[0].turns[0].text
    assert len(loaded) == len(conversations)


def test_croissant_describes_the_file_beside_it(
    source: Path, tmp_path: Path, conversations: list[Conversation]
) -> None:
    target = tmp_path / "set"
    export(source, target, "croissant", "--license", "cc-by-4.0")
    metadata = json.loads((target / "croissant.json").read_text("utf-8"))
    (file,) = metadata["distribution"]
    content = (target / file["contentUrl"]).read_bytes()
    assert file["sha256"] == hashlib.sha256(content).hexdigest()
    rows = [json.loads(line) for line in content.decode().splitlines()]
    (records,) = metadata["recordSet"]
    assert [field["name"] for field in records["field"]] == list(rows[0])
    assert len(rows) == sum(len(item.turns) for item in conversations)
    assert metadata["conformsTo"] == "http://mlcommons.org/croissant/1.0"


def test_croissant_passes_its_own_validator(source: Path, tmp_path: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant not installed")
    target = tmp_path / "set"
    export(source, target, "croissant", "--license", "cc-by-4.0")
    loaded = mlcroissant.Dataset(str(target / "croissant.json"))
    assert not loaded.metadata.issues.errors
    assert len(list(loaded.records("turns"))) == 72


def test_rendered_sets_of_a_run_are_exported_too(tmp_path: Path, conversations: list[Conversation]) -> None:
    run = tmp_path / "run"
    run.mkdir()
    write_records(run / "synthetic.jsonl", conversations)
    filled = [render(item, seed=1, forbidden=lambda _: False) for item in conversations]
    write_records(run / "rendered.jsonl", filled)
    export(run, tmp_path / "plain.jsonl", "jsonl")
    export(run, tmp_path / "filled.jsonl", "sharegpt", "--rendered")
    assert list(read_records(tmp_path / "plain.jsonl", Conversation)) == conversations
    assert "[CUSTOMER_1]" in (tmp_path / "plain.jsonl").read_text()
    assert "[CUSTOMER_1]" not in (tmp_path / "filled.jsonl").read_text()


@pytest.mark.parametrize("to", list(FORMATS))
def test_a_source_is_never_exported(tmp_path: Path, to: str) -> None:
    real = Conversation(id="x", turns=(Turn(role="customer", text="I am Brenda."),), domain="support", language="en")
    path = tmp_path / "real.jsonl"
    path.write_text(dump_record(real) + "\n")
    payload = export(path, tmp_path / "out", to)
    assert payload["exit_code"] == 2
    assert "Brenda" not in json.dumps(payload)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--format", "xml"], "known: jsonl"),
        (["--name", "a/../b"], "--name"),
        (["--license", "x\nlicense: y"], "--license"),
    ],
)
def test_misuse_is_told(source: Path, tmp_path: Path, more: list[str], told: str) -> None:
    result = RUNNER.invoke(app, ["export", str(source), "-o", str(tmp_path / "out"), *more])
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize("to", sorted(FOLDERS))
def test_a_folder_that_is_there_is_left_alone(source: Path, tmp_path: Path, to: str) -> None:
    target = tmp_path / "set"
    target.mkdir()
    (target / "mine.txt").write_text("kept")
    assert export(source, target, to)["exit_code"] == 2
    assert [path.name for path in target.iterdir()] == ["mine.txt"]
