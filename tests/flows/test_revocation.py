"""Revoked certificates fail from then on; only the signer can revoke, and no byte of a list can be changed."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.certificate import certify
from flows.cli import app
from flows.config import CertificateConfig
from flows.envelope import seal
from flows.errors import CertificateError, UsageError
from flows.recertify import recertify
from flows.revocation import PAYLOAD_TYPE, Revocations, default_list, read_revocations, revoke
from flows.signing import SigningKey, load_or_create_key
from flows.statements import IN_TOTO
from flows.verify import verify
from tests.flows.staged import SOURCE, run_record, stage


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SigningKey:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return load_or_create_key(None)


@pytest.fixture
def run(tmp_path: Path, key: SigningKey) -> Path:
    directory = stage(tmp_path / "run")
    certify(directory, run_record(), SOURCE, key)
    return directory


def _rules(path: Path, **given: Path) -> list[tuple[str, str]]:
    return [(fault.path, fault.rule) for fault in verify(path, **given).faults]


def test_a_revoked_run_fails_and_says_why(run: Path, key: SigningKey) -> None:
    entry = revoke(run, "a leak was found", key)
    assert _rules(run) == [("certificate.json", f"revoked at {entry.at}: a leak was found")]
    (run / "revoked.json").unlink()
    assert _rules(run) == [("certificate.json", f"revoked at {entry.at}: a leak was found")]  # by the signer's own list


def test_an_auditor_elsewhere_sees_it_by_the_mark_or_by_the_list(
    run: Path, key: SigningKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    revoke(run, "superseded", key)
    listed = Path(shutil.copy(default_list(), tmp_path / "published.json"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "auditor"))
    assert len(_rules(run)) == 1
    (run / "revoked.json").unlink()
    assert _rules(run) == []
    assert any("no list of revocations was given" in note for note in verify(run).notes)
    assert len(_rules(run, revocations=listed)) == 1
    alone = Path(shutil.copy(run / "certificate.json", tmp_path / "alone.json"))
    assert len(_rules(alone, revocations=listed)) == 1


def test_every_changed_byte_of_a_list_is_named(run: Path, key: SigningKey, tmp_path: Path) -> None:
    revoke(run, "superseded", key)
    listed = Path(shutil.copy(default_list(), tmp_path / "published.json"))
    rng = random.Random(7)
    for path in (run / "revoked.json", listed):
        original = path.read_bytes()
        for _ in range(100):
            place = rng.randrange(len(original))
            changed = bytearray(original)
            changed[place] = (changed[place] + rng.randrange(1, 256)) % 256
            path.write_bytes(changed)
            assert path.name in {name for name, _ in _rules(run, revocations=listed)}, place
        path.write_bytes(original)


def test_a_second_revocation_keeps_the_first_and_others_stay_listed(run: Path, key: SigningKey, tmp_path: Path) -> None:
    other = stage(tmp_path / "other")
    certify(other, run_record(id="b" * 32), SOURCE, key)
    first = revoke(run, "superseded", key)
    revoke(other, "key lost", key)
    assert revoke(run / "certificate.json", "another reason", key) == first
    assert [entry.reason for entry in read_revocations(default_list(), key.public).entries] == [
        "superseded",
        "key lost",
    ]


def test_only_the_signer_can_revoke(run: Path, key: SigningKey, tmp_path: Path) -> None:
    stranger = load_or_create_key(tmp_path / "stranger.key")
    with pytest.raises(CertificateError, match="only the signer"):
        revoke(run, "trust me", stranger, tmp_path / "list.json")
    forged = Revocations().model_dump(mode="json")
    (run / "revoked.json").write_bytes(seal(PAYLOAD_TYPE, forged, stranger))
    assert _rules(run)[0][0] == "revoked.json"
    (run / "revoked.json").write_bytes(seal(PAYLOAD_TYPE, forged, key))
    assert _rules(run) == [("revoked.json", "revokes another certificate")]
    # A statement of another type, by the right key, is no list.
    (run / "revoked.json").write_bytes(seal(IN_TOTO, forged, key))
    assert _rules(run)[0][0] == "revoked.json"


def test_a_list_that_was_changed_is_not_written_over(run: Path, key: SigningKey, tmp_path: Path) -> None:
    listed = tmp_path / "list.json"
    listed.write_text("{}")
    with pytest.raises(CertificateError, match="not a list of revocations"):
        revoke(run, "superseded", key, listed)
    assert listed.read_text() == "{}"


@pytest.mark.parametrize("reason", ["", " ", "a\nb", "x" * 201, "mail ana.lopez@example.com", "\x1b[2J"])
def test_a_reason_that_cannot_be_published_is_refused(run: Path, key: SigningKey, reason: str) -> None:
    with pytest.raises(UsageError, match="--reason"):
        revoke(run, reason, key)
    assert not default_list().exists()
    assert _rules(run) == []


def test_a_revoked_run_is_not_signed_again(run: Path, key: SigningKey) -> None:
    revoke(run, "superseded", key)
    with pytest.raises(CertificateError, match="revoked"):
        recertify(run, CertificateConfig())


def test_the_verb_prints_the_list_to_publish(run: Path, key: SigningKey) -> None:
    result = CliRunner().invoke(app, ["revoke", str(run), "--reason", "superseded", "--json"])
    assert result.exit_code == 0
    told = json.loads(result.stdout.splitlines()[-1])
    assert told["list"] == str(default_list())
    assert told["revoked"]["reason"] == "superseded"
    assert CliRunner().invoke(app, ["verify", str(run)]).exit_code == 1
    assert CliRunner().invoke(app, ["revoke", str(run / "seeds.jsonl"), "--reason", "x"]).exit_code == 2
