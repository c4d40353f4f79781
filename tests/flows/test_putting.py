"""A certified run in object storage: whole under its certificate, or without one."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from typer.testing import CliRunner

from flows.certificate import certify
from flows.cli import app
from flows.errors import CertificateError, UsageError
from flows.putting import put_run
from flows.signing import SigningKey, load_or_create_key
from flows.verify import verify
from tests.flows.staged import SOURCE, run_record, stage


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return load_or_create_key(tmp_path / "signing.key")


@pytest.fixture
def run(tmp_path: Path, key: SigningKey) -> Path:
    directory = stage(tmp_path / "run")
    certify(directory, run_record(), SOURCE, key)
    return directory


@pytest.fixture
def bucket() -> str:
    return f"memory://{uuid.uuid4().hex}/sets/one"


def fetched(bucket: str, to: Path) -> Path:
    MemoryFileSystem().get(bucket.removeprefix("memory:/"), str(to), recursive=True)
    return to


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_fetched_again_verifies(run: Path, key: SigningKey, bucket: str, tmp_path: Path) -> None:
    public = key.path.with_suffix(".pub")
    assert put_run(run, bucket, public) == len(files(run))
    copy = fetched(bucket, tmp_path / "copy")
    assert files(copy) == files(run)
    assert verify(copy, public).ok
    assert put_run(run, (tmp_path / "folder").as_uri(), public) == len(files(run))
    assert verify(tmp_path / "folder", public).ok


def test_the_certificate_stands_only_where_all_stands(
    run: Path, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, room = MemoryFileSystem.put_file, iter(range(3))

    def full(self: Any, *args: Any, **more: Any) -> None:
        if next(room, None) is None:
            raise OSError("a secret key stands in this message")
        put(self, *args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(MemoryFileSystem, "put_file", full)
        with pytest.raises(UsageError, match=r"not whole: OSError") as caught:
            put_run(run, bucket, None)
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None
    found = files(fetched(bucket, tmp_path / "half"))
    assert len(found) == 3
    assert "certificate.json" not in found
    put_run(run, bucket, None)
    assert verify(fetched(bucket, tmp_path / "whole")).ok


def test_no_certified_set_is_replaced_and_none_that_does_not_verify_is_copied(
    run: Path, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = load_or_create_key(tmp_path / "other.key")
    with pytest.raises(CertificateError, match="nothing was written"):
        put_run(run, bucket, other.path.with_suffix(".pub"))
    assert not MemoryFileSystem().exists(bucket.removeprefix("memory:/"))
    put_run(run, bucket, None)
    with pytest.raises(UsageError, match="already"):
        put_run(run, bucket, None)
    (run / "seeds.jsonl").write_text("{}\n")
    with pytest.raises(CertificateError, match=r"seeds\.jsonl"):
        put_run(run, f"{bucket}-2", None)
    with pytest.raises(UsageError, match="no such run"):
        put_run(tmp_path / "nowhere", bucket, None)
    with pytest.raises(UsageError, match=r"^nosuch: fsspec has no such file system"):
        put_run(stage_again(tmp_path, other), "nosuch://key:word@host/x", None)


def stage_again(tmp_path: Path, key: SigningKey) -> Path:
    directory = stage(tmp_path / "again")
    certify(directory, run_record(), SOURCE, key)
    return directory


def test_the_command_says_how_many(run: Path, bucket: str) -> None:
    done = CliRunner().invoke(app, ["publish", str(run), bucket, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout.splitlines()[-1])["files"] == len(files(run))
    again = CliRunner().invoke(app, ["publish", str(run), bucket])
    assert again.exit_code == 2
