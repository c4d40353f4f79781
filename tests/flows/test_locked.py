"""Encrypted review tasks: without the key nothing of them is read or changed, with it the round trip is the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from typer.testing import CliRunner

from flows.cli import app
from flows.errors import UsageError
from flows.locked import read_locked, write_locked
from tests.chaos.world import NAME, SWEEP, conversations

RUNNER = CliRunner()
TEXT = f"{NAME}\u2028ünï\n"


def test_what_is_locked_is_read_with_its_key_alone(tmp_path: Path) -> None:
    path, key, other = (tmp_path / name for name in ("tasks.json", "keys/key", "other"))
    write_locked(path, [TEXT.removesuffix("\n")], key)
    assert read_locked(path, key).decode() == TEXT
    assert SWEEP.below(tmp_path) == []
    assert {os.stat(item).st_mode & 0o077 for item in (path, key)} == {0}
    other.write_bytes(Fernet.generate_key())
    (tmp_path / "none").write_text("no key")
    for wrong, told in ((None, "--key"), (other, "another key"), (tmp_path / "none", "no Fernet key"), (path, "no ")):
        with pytest.raises(UsageError, match=told):
            read_locked(path, wrong)
    with pytest.raises(UsageError, match="No such file"):
        read_locked(path, tmp_path / "missing")


@pytest.mark.parametrize("at", [0.1, 0.5, 0.999])
def test_a_changed_byte_is_told(tmp_path: Path, at: float) -> None:
    path, key = tmp_path / "tasks.json", tmp_path / "key"
    write_locked(path, [TEXT], key)
    data = bytearray(path.read_bytes())
    place = int(at * len(data.rstrip(b"=")))
    data[place] = ord("A") if data[place] != ord("A") else ord("B")
    path.write_bytes(data)
    with pytest.raises(UsageError, match="changed since"):
        read_locked(path, key)


def test_without_a_key_nothing_is_encrypted_and_one_that_is_there_is_kept(tmp_path: Path) -> None:
    path, key = tmp_path / "tasks.json", tmp_path / "key"
    write_locked(path, ["[]"], None)
    assert path.read_text() == "[]\n"
    assert read_locked(path, None) == b"[]\n"
    write_locked(path, ["[]"], key)
    before = key.read_bytes()
    write_locked(path, ["[1]"], key)
    assert key.read_bytes() == before


@pytest.mark.parametrize("redacted", [(), ("--redacted",)])
def test_a_review_can_go_there_and_back_encrypted(tmp_path: Path, redacted: tuple[str, ...]) -> None:
    private, out = tmp_path / "private", tmp_path / "out"
    private.mkdir()
    source, config, key = private / "in.jsonl", private / "semilla.toml", private / "key"
    text = conversations(3)
    source.write_text(text.replace("Last week", "On [REDACTED]") if redacted else text)
    config.write_text('[detector]\nengine = "regex"\n')

    def review(*arguments: str | Path, code: int = 0) -> str:
        done = RUNNER.invoke(app, ["review", *map(str, arguments)])
        assert done.exit_code == code, done.output
        return done.output

    def exported(name: str, *more: str | Path) -> Path:
        review("export", source, "-o", out / name, "--config", config, *redacted, *more)
        return out / name

    locked = exported("locked.json", "--key", key)
    assert SWEEP.below(out) == [], "only in the clear may it be read"
    review("unlock", locked, "--key", key, "-o", private / "tasks.json")
    plain = exported("plain.json")
    assert (private / "tasks.json").read_bytes() == plain.read_bytes()
    tasks = json.loads(plain.read_text())
    plain.unlink()
    reviewed = [task | {"annotations": [{"result": task["predictions"][0]["result"]}]} for task in tasks]
    (private / "reviewed.json").write_text(json.dumps(reviewed))
    review("lock", private / "reviewed.json", "--key", key, "-o", out / "back.json")
    assert SWEEP.below(out) == []
    assert "--key" in review("import", out / "back.json", "--source", source, *redacted, code=2)
    assert f"{len(tasks)} reviewed" in review("import", out / "back.json", "--source", source, "--key", key, *redacted)
    assert "no such file" in review("lock", plain, "--key", private / "nobodys", "-o", out / "x", code=2)
