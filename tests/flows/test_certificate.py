from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

from attacks.verdict import conclude
from flows.certificate import build_certificate, certify
from flows.claims import NOT_CLAIMED
from flows.envelope import canonical
from flows.errors import CertificateError
from flows.records import GateRecord, StageRecord
from flows.rundir import write_json
from flows.signing import SigningKey, config_home, key_id, load_or_create_key, verify_signature
from flows.statements import read_certificate
from tests.flows.staged import SCORES, SOURCE, attacks, run_record, stage


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return load_or_create_key(tmp_path / "signing.key")


def _certified(tmp_path: Path, key: SigningKey) -> dict[str, Any]:
    return read_certificate(certify(stage(tmp_path / "run"), run_record(), SOURCE, key))[1]


def test_every_file_is_covered_but_the_certificate_itself(tmp_path: Path, key: SigningKey) -> None:
    certificate = _certified(tmp_path, key)
    listed = {file["path"]: file for file in certificate["files"]}
    files = {p.relative_to(tmp_path / "run").as_posix(): p for p in (tmp_path / "run").rglob("*") if p.is_file()}
    assert {"run.json", "report.html", "synthetic.jsonl", "adapter/training.json"} < set(listed)
    assert set(listed) == set(files) - {"certificate.json"}
    for name, row in listed.items():
        data = files[name].read_bytes()
        assert (row["sha256"], row["size"]) == (hashlib.sha256(data).hexdigest(), len(data))


def test_an_auditor_needs_nothing_of_ours_to_check_the_signature(tmp_path: Path, key: SigningKey) -> None:
    """With two published formats and a key: DSSE around an in-toto statement."""
    _certified(tmp_path, key)
    value = json.loads((tmp_path / "run/certificate.json").read_bytes())
    payload, kind = base64.b64decode(value["payload"]), value["payloadType"]
    message = f"DSSEv1 {len(kind)} {kind} {len(payload)} ".encode() + payload
    (signature,) = value["signatures"]
    assert verify_signature(key.public, message, base64.b64decode(signature["sig"]))
    assert signature["keyid"] == hashlib.sha256(key.public).hexdigest()
    statement = json.loads(payload)
    assert (kind, statement["_type"]) == ("application/vnd.in-toto+json", "https://in-toto.io/Statement/v1")
    run = {item["name"]: item["digest"]["sha256"] for item in statement["subject"]}
    assert run["seeds.jsonl"] == hashlib.sha256((tmp_path / "run/seeds.jsonl").read_bytes()).hexdigest()
    assert statement["predicate"]["signer"]["public_key"] == key.public.hex()


def test_the_library_that_others_use_agrees(tmp_path: Path, key: SigningKey) -> None:
    _certified(tmp_path, key)
    value = json.loads((tmp_path / "run/certificate.json").read_bytes())
    public = SSlibKey(key_id(key.public), "ed25519", "ed25519", {"public": key.public.hex()})
    assert Envelope.from_dict(value).verify([public], 1)


def test_it_says_when_it_expires(tmp_path: Path, key: SigningKey) -> None:
    path = certify(stage(tmp_path / "run"), run_record(), SOURCE, key, valid_days=30)
    issued, expires = (datetime.fromisoformat(read_certificate(path)[1][name]) for name in ("issued", "expires"))
    assert timedelta(days=30) <= expires - issued < timedelta(days=30, minutes=1)


def test_it_says_what_was_measured_and_what_is_not_claimed(tmp_path: Path, key: SigningKey) -> None:
    certificate = _certified(tmp_path, key)
    assert certificate["training"]["epsilon"] == 7.997
    assert certificate["training"]["accountants"] == {"prv": 7.997, "rdp": 8.61, "pld": 7.991}
    assert certificate["training"]["epsilon_limit"] == 8.0
    assert certificate["contents"] == {"seeds": 60, "synthetic_conversations": 4, "adapter_files": 2}
    assert [gate["name"] for gate in certificate["gates"]] == [gate.name for gate in run_record().gates]
    extraction = certificate["attacks"]["attacks"][1]
    assert (extraction["successes"], extraction["trials"], extraction["threshold"]) == (0, 650, 0.01)
    assert certificate["not_claimed"] == list(NOT_CLAIMED)
    assert any("HIPAA Safe Harbor' is false" in line for line in NOT_CLAIMED)


def test_the_salt_is_kept_by_the_runner_and_published_nowhere(tmp_path: Path, key: SigningKey) -> None:
    """With the salt, whoever has a conversation file could test whether it was an input."""
    salt = "5a17" * 8
    certify(stage(tmp_path / "run"), run_record(id="e" * 32), SOURCE.model_copy(update={"salt": salt}), key)
    for path in (tmp_path / "run").rglob("*"):
        assert path.is_dir() or salt.encode() not in path.read_bytes()
    kept = config_home() / "salts" / ("e" * 32)
    assert kept.read_text("ascii").strip() == salt
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


REFUSED_RUNS: dict[str, tuple[dict[str, Any], str]] = {
    "running": ({"status": "running"}, "the run is running"),
    "halted": ({"status": "halted"}, "the run is halted"),
    "no gate": ({"gates": ()}, "no gate was passed"),
    "failed gate": (
        {"gates": (GateRecord(name="leak", figure=1, threshold=0, verdict="fail"),)},
        "gate leak: fail",
    ),
    "blind gate": (
        {"gates": (GateRecord(name="schema", figure=0, threshold=0, verdict="inconclusive"),)},
        "gate schema: inconclusive",
    ),
}


@pytest.mark.parametrize("name", REFUSED_RUNS)
def test_a_run_that_did_not_pass_is_refused(tmp_path: Path, key: SigningKey, name: str) -> None:
    changes, reason = REFUSED_RUNS[name]
    directory = stage(tmp_path / "run")
    with pytest.raises(CertificateError, match=reason):
        certify(directory, run_record(**changes), SOURCE, key)
    assert not (directory / "certificate.json").exists()


REFUSED_TRAININGS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"epsilon": 8.001}, "epsilon"),
    ({"epsilon": "Infinity"}, "epsilon"),
    ({"epsilon": float("inf")}, "not a JSON object"),
    ({"epsilon": float("nan")}, "not a JSON object"),
    ({"epsilon": 0}, "epsilon"),
    ({"epsilon": -1}, "epsilon"),
    ({"epsilon": True}, "epsilon"),
    ({"epsilon": None}, "epsilon"),
    ({"private": False}, "without privacy"),
    ({"private": None}, "without privacy"),
    ({"noise_generator": "seeded"}, "seed"),
)


def test_no_claim_denies_what_a_private_release_promises() -> None:
    for line in NOT_CLAIMED:
        assert "spends no budget" not in line
        assert "seeds" not in line or "not differentially private" not in line or "only where `release` says dp" in line
    (private,) = (line for line in NOT_CLAIMED if line.startswith("Where `release` says dp"))
    assert all(
        words in private for words in ("the subject or the conversation", "are not counted", "beginning and end")
    )


@pytest.mark.parametrize(("training", "reason"), REFUSED_TRAININGS)
def test_a_training_that_carries_no_claim_is_refused(
    tmp_path: Path, key: SigningKey, training: dict[str, Any], reason: str
) -> None:
    with pytest.raises(CertificateError, match=reason):
        certify(stage(tmp_path / "run", **training), run_record(), SOURCE, key)


@pytest.mark.parametrize(
    "change",
    [{"verdict": "fail"}, {"verdict": "inconclusive"}, {"privacy_score": 1e-9}, {"privacy_score": None},
     {"unchecked": ["leak"]}],
)  # fmt: skip
def test_scores_that_did_not_pass_are_refused(tmp_path: Path, key: SigningKey, change: dict[str, Any]) -> None:
    directory = stage(tmp_path / "run")
    (directory / "scores.json").write_text(json.dumps(SCORES | change), "utf-8")
    with pytest.raises(CertificateError, match=r"scores\.json"):
        certify(directory, run_record(), SOURCE, key)


def test_attacks_that_succeeded_are_refused(tmp_path: Path, key: SigningKey) -> None:
    with pytest.raises(CertificateError, match=r"attacks\.json: (fail|inconclusive)"):
        certify(stage(tmp_path / "run", attacks(successes=40)), run_record(), SOURCE, key)


def test_a_forged_pass_is_refused(tmp_path: Path, key: SigningKey) -> None:
    directory = stage(tmp_path / "run")
    report = json.loads((directory / "attacks.json").read_text("utf-8"))
    report["attacks"][0]["successes"] = 40
    (directory / "attacks.json").write_text(json.dumps(report), "utf-8")
    with pytest.raises(CertificateError, match="do not carry"):
        certify(directory, run_record(), SOURCE, key)


@pytest.mark.parametrize(
    "name", ["scores.json", "attacks.json", "adapter/training.json", "seeds.jsonl", "synthetic.jsonl"]
)
def test_a_missing_file_is_refused(tmp_path: Path, key: SigningKey, name: str) -> None:
    directory = stage(tmp_path / "run")
    (directory / name).unlink()
    with pytest.raises(CertificateError, match="missing"):
        certify(directory, run_record(), SOURCE, key)


def test_a_link_is_refused(tmp_path: Path, key: SigningKey) -> None:
    """What a link points to could be another thing tomorrow."""
    directory = stage(tmp_path / "run")
    (directory / "adapter/extra.bin").symlink_to(directory / "scores.json")
    with pytest.raises(CertificateError, match=r"adapter/extra\.bin: not a regular file"):
        certify(directory, run_record(), SOURCE, key)


def test_signing_again_covers_the_same_files(tmp_path: Path, key: SigningKey) -> None:
    first = _certified(tmp_path, key)
    again = read_certificate(certify(tmp_path / "run", run_record(), SOURCE, key))[1]
    covered = [[row for row in c["files"] if row["path"] != "report.html"] for c in (first, again)]
    assert covered[0] == covered[1]


def test_the_limit_can_be_lowered(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"\(0, 3\]"):
        build_certificate(stage(tmp_path / "run"), run_record(), SOURCE, max_epsilon=3.0)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(CertificateError):
        canonical({"figure": value})


def test_a_loosened_attack_is_not_certified(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="looser"):
        build_certificate(stage(tmp_path / "run"), run_record(), SOURCE, max_attack_rate=0.001)


@pytest.mark.parametrize("name", ["source_canaries", "membership", "extraction"])
def test_without_an_attack_that_must_run_nothing_is_certified(tmp_path: Path, name: str) -> None:
    """Sources are always at hand in a run, so what seeding lets through must have been measured as well."""
    report = conclude([row for row in attacks().attacks if row.name != name])
    with pytest.raises(CertificateError, match=f"attack {name} was not run"):
        build_certificate(stage(tmp_path / "run", report), run_record(), SOURCE)


def test_it_says_what_ran_and_on_how_much_of_the_inputs(tmp_path: Path, key: SigningKey) -> None:
    models = {"detector/detector.onnx": "d1" * 32, "minilm/model/model.safetensors": "53" * 32, "provider": "openai/x"}
    run = run_record(models=models, limit=50, skip_bad=True)
    certificate = read_certificate(certify(stage(tmp_path / "run"), run, SOURCE, key))[1]
    assert certificate["models"] == models
    assert (certificate["run"]["limit"], certificate["run"]["skip_bad"]) == (50, True)


def test_a_name_that_is_no_text_is_refused_and_told_in_ascii(tmp_path: Path, key: SigningKey) -> None:
    directory = stage(tmp_path / "run")
    (directory / os.fsdecode(b"a\xff\n.bin")).write_bytes(b"x")
    with pytest.raises(CertificateError, match=r"a\\udcff\\n\.bin: not a regular file"):
        certify(directory, run_record(), SOURCE, key)
    assert not (directory / "certificate.json").exists()


@pytest.mark.parametrize("figure", [float("inf"), float("-inf"), float("nan")])
def test_no_record_takes_a_figure_that_json_cannot_say(figure: float) -> None:
    with pytest.raises(ValidationError):
        GateRecord(name="epsilon", figure=figure, threshold=8, verdict="fail")
    with pytest.raises(ValidationError):
        GateRecord(name="epsilon", figure=1, threshold=figure, verdict="fail")
    with pytest.raises(ValidationError):
        StageRecord(name="train", seconds=figure, cpu_seconds=0)
    with pytest.raises(ValidationError):
        StageRecord(name="train", seconds=0, cpu_seconds=0, counts={"steps": figure})
    with pytest.raises(ValidationError):
        run_record(overhead_share=figure)
    with pytest.raises(ValueError, match="JSON"):
        write_json(Path("never.json"), {"figure": figure})
    assert not Path("never.json").exists()
