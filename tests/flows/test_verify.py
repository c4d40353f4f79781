from __future__ import annotations

import base64
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.certificate import certify
from flows.cli import app
from flows.envelope import seal
from flows.errors import CertificateError
from flows.listing import digest_files
from flows.signing import SigningKey, load_or_create_key
from flows.statements import IN_TOTO, read_certificate, to_statement
from flows.verify import verify
from tests.flows.staged import SOURCE, run_record, stage


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return load_or_create_key(tmp_path_factory.mktemp("keys") / "signing.key")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    directory = stage(tmp_path_factory.mktemp("published") / "run")
    certify(directory, run_record(), SOURCE, key)
    return directory


@pytest.fixture
def run(published: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(published, tmp_path / "run"))


NO_LIST = "no list of revocations was given: whether it was revoked since is not known"


def _faulty(directory: Path) -> set[str]:
    return {fault.path for fault in verify(directory).faults}


def _resign(directory: Path, key: SigningKey, change: Callable[[dict[str, Any]], None]) -> None:
    """What a dishonest or careless signer could do: any statement, over the files as they are, well signed."""
    path = directory / "certificate.json"
    certificate = read_certificate(path)[1]
    certificate["files"] = digest_files(directory)
    statement = to_statement(certificate)
    change(statement)
    path.write_bytes(seal(IN_TOTO, statement, key))


def test_what_was_certified_verifies(run: Path, key: SigningKey) -> None:
    for target in (run, run / "certificate.json"):
        assert verify(target, key.path.with_suffix(".pub")).ok
        assert verify(target, key.path.with_suffix(".pub")).notes == (NO_LIST,)


def test_an_unpinned_key_is_said(run: Path) -> None:
    result = verify(run)
    assert result.ok
    assert "unknown key (embedded" in result.notes[0]


def test_another_signer_is_not_the_pinned_one(run: Path, tmp_path: Path) -> None:
    other = load_or_create_key(tmp_path / "other.key")
    result = verify(run, other.path.with_suffix(".pub"))
    assert [fault.rule for fault in result.faults] == ["signed by another key than the one given"]


def test_a_run_signed_again_by_a_stranger_fails_against_the_pinned_key(
    run: Path, key: SigningKey, tmp_path: Path
) -> None:
    certify(run, run_record(), SOURCE, load_or_create_key(tmp_path / "stranger.key"))
    assert verify(run).ok
    assert not verify(run, key.path.with_suffix(".pub")).ok


def test_each_of_two_hundred_changed_bytes_is_named(run: Path) -> None:
    """Any byte of any file to any other value; the files are chosen evenly, so that small ones are not spared."""
    rng = random.Random(20261202)
    files = sorted(path for path in run.rglob("*") if path.is_file())
    assert {"certificate.json", "run.json", "report.html"} <= {path.name for path in files}
    for _ in range(200):
        path = rng.choice(files)
        original = path.read_bytes()
        place = rng.randrange(len(original))
        changed = bytearray(original)
        changed[place] = (changed[place] + rng.randrange(1, 256)) % 256
        path.write_bytes(changed)
        name = path.relative_to(run).as_posix()
        assert name in _faulty(run), f"{name}: byte {place} of {len(original)} went unnoticed"
        path.write_bytes(original)
    assert verify(run).ok


def test_every_byte_of_the_signature_counts(run: Path, tmp_path: Path) -> None:
    """Also the case of a hex digit and the spaces around it, which a lenient parser would let through."""
    path = tmp_path / "certificate.json"
    original = (run / "certificate.json").read_bytes()
    for place in range(original.rindex(b'"signatures"'), len(original)):
        for flip in (0x01, 0x20):
            changed = bytearray(original)
            changed[place] ^= flip
            path.write_bytes(changed)
            assert not verify(path).ok, f"byte {place}, flip {flip}"


@pytest.mark.parametrize("edit", ["truncate", "append", "insert"])
def test_a_changed_length_is_named(run: Path, edit: str) -> None:
    for path in sorted(path for path in run.rglob("*") if path.is_file()):
        original = path.read_bytes()
        half = len(original) // 2
        path.write_bytes(
            {"truncate": original[:-1], "append": original + b"\n", "insert": original[:half] + b" " + original[half:]}[
                edit
            ]
        )
        assert path.relative_to(run).as_posix() in _faulty(run)
        path.write_bytes(original)


def test_a_removed_file_and_an_added_one_are_named(run: Path) -> None:
    (run / "seeds.jsonl").unlink()
    (run / "adapter/payload.py").write_text("x = 1\n", "utf-8")
    (run / ".hidden").write_bytes(b"")
    rules = {(fault.path, fault.rule) for fault in verify(run).faults}
    assert rules == {
        ("seeds.jsonl", "missing"),
        ("adapter/payload.py", "not listed in the certificate"),
        (".hidden", "not listed in the certificate"),
    }


def test_a_file_swapped_for_a_link_to_the_same_bytes_is_named(run: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    (run / "synthetic.jsonl").rename(moved)
    (run / "synthetic.jsonl").symlink_to(moved)
    assert _faulty(run) == {"synthetic.jsonl"}


def test_a_folder_swapped_for_a_link_is_named(run: Path, tmp_path: Path) -> None:
    (run / "adapter").rename(tmp_path / "adapter")
    (run / "adapter").symlink_to(tmp_path / "adapter")
    assert "adapter" in _faulty(run)


def test_two_files_swapped_are_both_named(run: Path) -> None:
    one, two = run / "seeds.jsonl", run / "scores.json"
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    assert {"seeds.jsonl", "scores.json"} <= _faulty(run)


def test_a_certificate_names_no_file_outside_its_folder(run: Path, key: SigningKey, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"x")
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    row = {"name": "../outside", "digest": {"sha256": digest}, "annotations": {"size": 1}}
    _resign(run, key, lambda statement: statement["subject"].append(row))
    assert [(fault.path, fault.rule) for fault in verify(run).faults] == [("../outside", "missing")]


def _set(*path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(statement: dict[str, Any]) -> None:
        statement = statement["predicate"]
        for name in path[:-1]:
            statement = statement[name]
        statement[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_set("training", "epsilon", value=1.0), "adapter/training.json"),
        (_set("training", "delta", value=1e-9), "adapter/training.json"),
        (_set("training", "epsilon_limit", value=1.0), "certificate.json"),
        (_set("training", "epsilon_limit", value="8"), "certificate.json"),
        (_set("data", "verdict", value="fail"), "scores.json"),
        (_set("attacks", "verdict", value="fail"), "attacks.json"),
        (_set("gates", value=[]), "run.json"),
        (_set("run", "id", value="0" * 32), "run.json"),
        (_set("run", "limit", value=10), "run.json"),
        (_set("run", "skip_bad", value=True), "run.json"),
        (_set("models", value={}), "run.json"),
        (_set("models", "provider", value="another"), "run.json"),
        (_set("training", value=None), "adapter/training.json"),
        (_set("issued", value="2999-01-01T00:00:00+00:00"), "certificate.json"),
        (_set("expires", value="2026-01-01T00:00:00+00:00"), "certificate.json"),
        (_set("expires", value="never"), "certificate.json"),
        (_set("expires", value="2999-01-01T00:00:00"), "certificate.json"),
        (_set("signer", value={}), "certificate.json"),
        (_set("files", value=[]), "certificate.json"),
        (lambda statement: statement.update(subject="none"), "certificate.json"),
        (lambda statement: statement.update(predicateType="urn:other"), "certificate.json"),
    ],
)
def test_a_well_signed_claim_that_the_files_do_not_carry_is_named(
    run: Path, key: SigningKey, change: Callable[[dict[str, Any]], None], named: str
) -> None:
    _resign(run, key, change)
    assert named in _faulty(run)


def test_files_changed_and_signed_again_by_the_holder_must_still_carry_the_claim(run: Path, key: SigningKey) -> None:
    training = json.loads((run / "adapter/training.json").read_text("utf-8")) | {"private": False}
    (run / "adapter/training.json").write_text(json.dumps(training), "utf-8")
    _resign(run, key, lambda _: None)
    assert [fault.rule for fault in verify(run).faults] == ["the adapter was trained without privacy"]


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"signatures": [{}]}', b'{"signatures": 1}', b"[" * 100_000, b"\xff\xfe", b'{"a": NaN}'],
)
def test_nonsense_for_a_certificate_is_a_fault_not_a_crash(run: Path, content: bytes) -> None:
    (run / "certificate.json").write_bytes(content)
    assert "certificate.json" in _faulty(run)


def test_an_extra_key_in_the_signature_is_a_fault(run: Path) -> None:
    path = run / "certificate.json"
    certificate = json.loads(path.read_bytes())
    certificate["signatures"][0]["comment"] = "trust me"
    path.write_text(json.dumps(certificate, indent=1) + "\n", "utf-8")
    assert _faulty(run) == {"certificate.json"}


def test_a_certificate_alone_says_that_only_the_signature_was_checked(run: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone/certificate.json"
    alone.parent.mkdir()
    shutil.copy(run / "certificate.json", alone)
    result = verify(alone)
    assert result.ok
    assert any("only the signature was checked" in note for note in result.notes)
    value = json.loads(alone.read_bytes())
    claimed = base64.b64decode(value["payload"])
    lowered = claimed.replace(b'"delta":1e-05', b'"delta":1e-15')
    assert lowered != claimed
    alone.write_text(json.dumps(value | {"payload": base64.b64encode(lowered).decode()}, indent=1) + "\n", "utf-8")
    assert [fault.rule for fault in verify(alone).faults] == [
        "the signature does not match: the certificate was changed after signing"
    ]


def test_a_directory_without_certificate_does_not_verify(run: Path) -> None:
    (run / "certificate.json").unlink()
    assert _faulty(run) == {"certificate.json"}


def test_a_path_that_does_not_exist_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="no such file"):
        verify(tmp_path / "none")


@pytest.mark.parametrize("name", ["certificate.json", "scores.json", "seeds.jsonl"])
def test_a_pipe_in_place_of_a_file_is_named_and_not_waited_for(run: Path, name: str) -> None:
    (run / name).unlink()
    os.mkfifo(run / name)
    assert name in _faulty(run)


HOSTILE = ("a\nverified", "a\r\x1b[2J\x1b[1mverified", "a\u202egnp.txt", "\ud800", "a\\nb", "\x9b2J")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_a_stranger_chose_is_one_harmless_line(run: Path, tmp_path: Path, name: str) -> None:
    """In the certificate, and on disk: the reader must not take a stranger's words for the tool's."""
    stranger = load_or_create_key(tmp_path / "stranger.key")
    row = {"name": name, "digest": {"sha256": "0" * 64}, "annotations": {"size": 1}}
    if name == "\ud800":
        with pytest.raises(CertificateError):
            _resign(run, stranger, lambda statement: statement["subject"].append(row))
    else:
        _resign(run, stranger, lambda statement: statement["subject"].append(row))
    (run / "adapter" / os.fsdecode(name.encode("utf-8", "surrogatepass"))).write_bytes(b"x")
    result = CliRunner().invoke(app, ["verify", str(run)])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[-1] == "NOT verified"
    assert all(line.isprintable() for line in lines)
    assert all(": " in line or line.startswith("signed by") for line in lines[:-1])
    shown = CliRunner().invoke(app, ["verify", str(run), "--show"]).stdout.splitlines()
    assert all(line.isprintable() for line in shown)
    assert shown.count("verified") == 0
    payload = json.loads(CliRunner().invoke(app, ["verify", str(run), "--json"]).stdout.splitlines()[-1])
    assert all(fault["path"].isprintable() and fault["rule"].isprintable() for fault in payload["faults"])
    assert any(fault["path"].startswith("adapter/") for fault in payload["faults"])


def test_two_names_that_are_no_text_are_two_faults(run: Path) -> None:
    for raw in (b"a\xff", b"a\xfe"):
        (run / os.fsdecode(raw)).write_bytes(b"x")
    assert {fault.path for fault in verify(run).faults} == {"a\\udcff", "a\\udcfe"}


def test_a_gate_that_a_stranger_named_is_harmless_too(run: Path, key: SigningKey) -> None:
    record = json.loads((run / "run.json").read_bytes())
    record["gates"][0] |= {"name": "x\nverified\x1b[1m", "verdict": "fail"}
    (run / "run.json").write_text(json.dumps(record), "utf-8")
    _resign(run, key, lambda statement: statement["predicate"].update(gates=record["gates"]))
    faults = verify(run).faults
    assert faults
    assert all(fault.rule.isprintable() for fault in faults)
