"""Files of seeds in both schemas: told apart by content, turned into each other, validated with every fault at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows import cli, seed_files
from flows.errors import UsageError
from flows.seed_files import convert_seeds, read_seed_objects, seed_faults, seed_schema
from seed_engine.errors import InputError
from tests.seed_engine.test_schema import GOOD
from tests.seed_engine.test_uncase import FULL, nobody, zebulon

TWO = [GOOD, GOOD | {"id": "seed-000002"}]


def write(path: Path, records: Any, *, lines: bool) -> Path:
    text = "".join(json.dumps(record) + "\n" for record in records) if lines else json.dumps(records, indent=1)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(autouse=True)
def undetected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed_files, "_find", lambda config: nobody)


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize(("records", "schema"), [(TWO, "semilla"), ([FULL], "uncase")])
def test_a_file_of_seeds_is_told_by_its_content(tmp_path: Path, lines: bool, records: Any, schema: str) -> None:
    path = write(tmp_path / "f", records, lines=lines)
    assert seed_schema(path) == schema
    assert [record for _, record in read_seed_objects(path)] == records
    assert seed_faults(path, None) == []


def test_conversations_are_no_seeds(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "turns": [{"role": "a", "text": "dominio, pasos_turnos"}]}\n', "utf-8")
    assert seed_schema(path) is None


@pytest.mark.parametrize("name", ["u.json", "u.jsonl"])
def test_to_uncase_and_back(tmp_path: Path, name: str) -> None:
    source = write(tmp_path / "seeds.jsonl", TWO, lines=True)
    assert convert_seeds(source, tmp_path / name, "uncase") == {"seeds": 2}
    assert seed_faults(tmp_path / name, None) == []
    assert isinstance(json.loads((tmp_path / "u.json").read_text("utf-8")), list) if name == "u.json" else True
    convert_seeds(tmp_path / name, tmp_path / "back.jsonl", "semilla")
    assert [record for _, record in read_seed_objects(tmp_path / "back.jsonl")] == TWO


def test_uncase_passes_through_unchanged(tmp_path: Path) -> None:
    source = write(tmp_path / "a.json", [FULL, FULL | {"seed_id": "b"}], lines=False)
    convert_seeds(source, tmp_path / "b.json", "uncase")
    assert json.loads((tmp_path / "b.json").read_text("utf-8")) == [FULL, FULL | {"seed_id": "b"}]


def test_a_domain_without_counterpart_is_counted(tmp_path: Path) -> None:
    flow = [
        {"role": "user", "act": "inform", "topic": "media"},
        {"role": "assistant", "act": "inform", "topic": "media"},
    ]
    general = GOOD | {"domain": "general", "roles": ["user", "assistant"], "objective": "play_media", "flow": flow}
    source = write(tmp_path / "s.jsonl", [GOOD, general | {"id": "seed-000002"}], lines=True)
    assert convert_seeds(source, tmp_path / "u.json", "uncase") == {"seeds": 1, "skipped_no_uncase_domain": 1}


def test_what_is_at_fault_is_converted_nowhere_and_named_by_place(tmp_path: Path) -> None:
    source = write(tmp_path / "s.jsonl", [GOOD, GOOD | {"tone": "Zebulon", "id": "Zebulon"}], lines=True)
    with pytest.raises(UsageError, match=r"s\.jsonl:2: not a valid seed") as caught:
        convert_seeds(source, tmp_path / "u.json", "uncase")
    assert "Zebulon" not in str(caught.value)
    assert not (tmp_path / "u.json").exists()
    assert [(fault["line"], fault["path"]) for fault in seed_faults(source, None)] == [(2, "id"), (2, "tone")]


def test_twice_the_same_id_and_keys_that_stand_twice(tmp_path: Path) -> None:
    assert seed_faults(write(tmp_path / "s", [GOOD, GOOD], lines=True), None)[0]["rule"].startswith("another seed")
    assert seed_faults(write(tmp_path / "u", [FULL, FULL], lines=False), None)[0]["path"] == "id"
    path = tmp_path / "twice.jsonl"
    path.write_text(json.dumps(GOOD)[:-1] + ', "tone": "neutral"}\n', "utf-8")
    with pytest.raises(InputError, match="a key stands twice"):
        seed_faults(path, None)
    (tmp_path / "broken.json").write_text("[1,", "utf-8")
    with pytest.raises(UsageError, match="not JSON"):
        seed_faults(tmp_path / "broken.json", None)
    (tmp_path / "empty").write_text("", "utf-8")
    with pytest.raises(UsageError, match="holds no seed"):
        seed_faults(tmp_path / "empty", None)


def test_personal_data_in_uncases_free_text_fails_validation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed_files, "_find", lambda config: zebulon)
    path = write(tmp_path / "u.json", [FULL | {"objetivo": "Hablar con Zebulon"}], lines=False)
    done = CliRunner().invoke(cli.app, ["validate", str(path), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["violations"] == [{"line": 1, "path": "objetivo", "rule": "free text holds PERSON"}]


def test_personal_data_in_free_text_does_not_pass_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed_files, "_find", lambda config: zebulon)
    path = write(tmp_path / "u.json", [FULL, FULL | {"objetivo": "Hablar con Zebulon"}], lines=False)
    with pytest.raises(UsageError, match=r"u\.json:2: free text holds personal data"):
        convert_seeds(path, tmp_path / "v.json", "uncase")
    assert not (tmp_path / "v.json").exists()
    assert convert_seeds(path, tmp_path / "own.jsonl", "semilla") == {"seeds": 2, "free_text_findings": 1}
    assert "Zebulon" not in (tmp_path / "own.jsonl").read_text("utf-8")


def test_free_text_is_searched_wherever_it_stands_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that opens with 64 KB of our own seeds, then holds one of UNCASE's."""
    monkeypatch.setattr(seed_files, "_find", lambda config: zebulon)
    own = [GOOD | {"id": f"seed-{number:06d}"} for number in range(1, 400)]
    path = write(tmp_path / "mixed.jsonl", [*own, FULL | {"objetivo": "Hablar con Zebulon"}], lines=True)
    assert path.stat().st_size > 3 * 65_536 / 2
    with pytest.raises(UsageError, match=r"mixed\.jsonl:400: free text holds personal data"):
        convert_seeds(path, tmp_path / "v.json", "uncase")
    assert not (tmp_path / "v.json").exists()
    assert convert_seeds(path, tmp_path / "own.jsonl", "semilla")["free_text_findings"] == 1


@pytest.mark.parametrize("flags", [("--release", "dp", "--epsilon", "1"), ("--k", "5"), ("--epsilon", "1")])
@pytest.mark.parametrize(("records", "lines"), [(TWO, True), ([FULL], False)])
def test_seeds_are_not_copied_under_a_promise_that_nobody_keeps(
    tmp_path: Path, flags: tuple[str, ...], records: Any, lines: bool
) -> None:
    source, output = write(tmp_path / "s.jsonl", records, lines=lines), tmp_path / "o.jsonl"
    done = CliRunner().invoke(cli.app, ["seed", str(source), "-o", str(output), *flags])
    assert done.exit_code == 2
    assert flags[0] in done.stderr
    assert not output.exists()


def test_the_verb_reads_seeds_of_either_schema(tmp_path: Path) -> None:
    run = CliRunner().invoke
    source, own, back = write(tmp_path / "u.json", [FULL], lines=False), tmp_path / "own.jsonl", tmp_path / "b.json"
    assert run(cli.app, ["seed", str(source), "-o", str(own)]).exit_code == 0
    assert run(cli.app, ["validate", str(own)]).exit_code == 0
    done = run(cli.app, ["seed", str(own), "-o", str(back), "--schema", "uncase", "--json"])
    assert (done.exit_code, json.loads(done.stdout)["schema"]) == (0, "uncase")
    assert run(cli.app, ["validate", str(back)]).exit_code == 0
    assert run(cli.app, ["seed", str(own), "-o", str(back), "--schema", "zebulon"]).exit_code == 2
