"""Gold sets: both shapes are read, and a broken line is named by its number and never quoted."""

import json
from pathlib import Path

import pytest

from seed_engine.errors import InputError
from seed_engine.gold import read_gold

SPAN = {"start": 0, "end": 3, "entity_type": "PERSON"}
GOOD = {"id": "a", "text": "Zoe sings", "spans": [SPAN]}


def write(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "own.dev.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_documents_and_conversations(tmp_path: Path) -> None:
    turns = [{"role": "agent", "text": "hello"}, {"text": "Zoe here", "spans": [SPAN | {"ignore": True}]}]
    read = read_gold(write(tmp_path, {**GOOD, "language": "fr"}, {"id": 7, "turns": turns, "language": "fr"}))
    assert (read.name, read.language, read.is_marked) == ("own.dev", "fr", True)
    assert [document.form for document in read.documents] == ["document", "conversation"]
    assert [len(turns) for turns in read.gold] == [1, 2]
    assert read.gold[1][1][0].ignore
    assert not read.gold[0][0][0].ignore


def test_a_set_without_marks_says_so_and_is_english_by_default(tmp_path: Path) -> None:
    read = read_gold(write(tmp_path, {"id": "a", "text": "it rains"}))
    assert (read.language, read.is_marked) == ("en", False)


@pytest.mark.parametrize(
    "broken",
    [
        "Zoe Secret",
        {"text": "Zoe Secret"},
        {"id": "a", "text": 5},
        {"id": "a", "turns": []},
        {"id": "a", "turns": [{"text": "Zoe Secret", "spans": [5]}]},
        {"id": "a", "text": "Zoe Secret", "spans": [{"start": 0, "end": 11, "entity_type": "PERSON"}]},
        {"id": "a", "text": "Zoe Secret", "spans": [{"start": 4, "end": 4, "entity_type": "PERSON"}]},
        {"id": "a", "text": "Zoe Secret", "spans": [{"start": 0, "end": 3}]},
    ],
)
def test_a_broken_line_is_named_and_not_quoted(tmp_path: Path, broken: object) -> None:
    with pytest.raises(InputError, match=r"own.dev.jsonl:2: ") as caught:
        read_gold(write(tmp_path, GOOD, broken))
    assert "Secret" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_empty_file_is_no_set(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no document"):
        read_gold(path)
