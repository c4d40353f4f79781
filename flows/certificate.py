"""Certificates: a readable statement of what passed, on which files, signed.

certificate.json is an in-toto Statement (v1) in a DSSE envelope. Its subjects are all other files of the run's
directory by SHA-256 and size: run.json in its last form, and report.html, which is made from the statement before it
is signed and so shows all of it but its own digest and the signature. Everything else is its predicate.
"""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from attacks.verdict import GateReport
from flows.claims import NOT_CLAIMED, STATEMENT
from flows.detectors_used import detectors_used
from flows.envelope import seal
from flows.errors import CertificateError
from flows.legal import legal_mapping
from flows.listing import CERTIFICATE, digest_files, walk_files
from flows.records import RunRecord, SourceCommitment
from flows.releasing import RELEASE
from flows.report import render_report
from flows.rundir import write_json
from flows.signing import ALGORITHM, SigningKey, config_home, key_id, write_private
from flows.statements import IN_TOTO, to_statement
from seed_engine.atomic import atomic_path
from seed_engine.strict_json import strict_json

REPORT, RUN = "report.html", "run.json"

# A configuration may leave attacks out or loosen them, to look around; what it makes is not certified.
REQUIRED_ATTACKS, CONFIDENCE = ("source_canaries", "membership", "extraction"), 0.95

# What was run, and on how much of the inputs.
RUN_FIELDS = ("id", "started", "finished", "config_digest", "limit", "skip_bad")

# As training.json spells them; a field that a trainer does not write is left out.
TRAINING_FIELDS = (
    "epsilon", "delta", "unit", "units", "member_canaries", "sampler", "noise_generator", "noise_multiplier",
    "sample_rate", "steps", "max_grad_norm", "accountants", "audit", "base_sha256", "frozen_sha256", "adapter_sha256",
)  # fmt: skip


def certify(
    directory: Path,
    run: RunRecord,
    source: SourceCommitment,
    key: SigningKey,
    *,
    max_epsilon: float = 8.0,
    max_attack_rate: float = 0.01,
    valid_days: int = 365,
) -> Path:
    """Write run.json, report.html and certificate.json into a directory whose gates have all passed.

    The salt of the source commitment is not published, since with it anybody who has a file could test whether it was
    an input; it is kept, 0600, in the user's configuration folder (`semilla/salts/<run id>`).

    Args:
        directory: the staged run; everything in it is covered.
        run: the final record, as it will stand in run.json.
        source: commitment to the inputs.
        key: who signs.
        max_epsilon: the largest epsilon that is certified, > 0.
        max_attack_rate: the loosest threshold of an attack that is certified, in (0, 1); stated on the certificate.
        valid_days: until it expires, >= 1.

    Returns:
        The path of certificate.json.

    Raises:
        CertificateError: a gate, the training or the attacks do not carry a certificate; nothing is signed.
    """
    limits = {"max_epsilon": max_epsilon, "max_attack_rate": max_attack_rate}
    build_certificate(directory, run, source, **limits)  # refuses, if it must, before anything is touched
    (directory / REPORT).unlink(missing_ok=True)
    write_json(directory / RUN, run.model_dump(mode="json"))
    statement = build_certificate(directory, run, source, **limits)
    render_report(directory, run, statement)
    statement["files"] = digest_files(directory)
    if source.salt is not None:
        _keep_salt(run.id, source.salt)
    issued = datetime.now(UTC)
    statement["expires"] = (issued + timedelta(days=valid_days)).isoformat(timespec="seconds")
    statement["signer"] = {"algorithm": ALGORITHM, "key_id": key_id(key.public), "public_key": key.public.hex()}
    path = directory / CERTIFICATE
    with atomic_path(path) as part:
        part.write_bytes(seal(IN_TOTO, to_statement(statement), key))
    return path


def build_certificate(
    directory: Path,
    run: RunRecord,
    source: SourceCommitment,
    *,
    max_epsilon: float = 8.0,
    max_attack_rate: float = 0.01,
) -> dict[str, Any]:
    """The statement that is signed, without its signature.

    Args:
        directory: see `certify`.
        run: see `certify`.
        source: see `certify`.
        max_epsilon: see `certify`.
        max_attack_rate: see `certify`.

    Raises:
        CertificateError: as `certify`.
    """
    training, scores = read_object(directory / "adapter/training.json"), read_object(directory / "scores.json")
    attacks = read_attacks(directory / "attacks.json")
    refused = refusals(run, training, scores, attacks, max_epsilon, max_attack_rate)
    if refused:
        raise CertificateError("not certified: " + "; ".join(refused))
    return {
        "schema_version": "1",
        "type": "semilla certificate",
        "statement": STATEMENT,
        "issued": datetime.now(UTC).isoformat(timespec="seconds"),
        "run": {name: getattr(run, name) for name in RUN_FIELDS},
        "code": {**_commit(), "versions": run.versions},
        "models": run.models,
        "detectors": detectors_used(run.models, run.versions),
        "release": _release(directory),
        "source": source.model_dump(mode="json", exclude={"salt"}),
        "contents": _contents(directory),
        "training": {name: training[name] for name in TRAINING_FIELDS if name in training}
        | {"epsilon_limit": max_epsilon},
        "data": {name: scores.get(name) for name in ("privacy_score", "memorization_rate", "verdict")},
        "gates": [gate.model_dump(mode="json") for gate in run.gates],
        "attacks": attacks.model_dump(mode="json", exclude={"plots": True, "attacks": {"__all__": {"details"}}}),
        "attack_limit": max_attack_rate,
        "not_claimed": list(NOT_CLAIMED),
        "legal_mapping": legal_mapping(),
        "files": digest_files(directory),
    }


def refusals(
    run: RunRecord,
    training: dict[str, Any],
    scores: dict[str, Any],
    attacks: GateReport,
    max_epsilon: float,
    max_attack_rate: float,
) -> tuple[str, ...]:
    """Every reason why these figures carry no certificate; empty if they do."""
    epsilon = training.get("epsilon")
    checks = (
        (run.status == "certified", f"the run is {run.status}"),
        (bool(run.gates), "no gate was passed"),
        *((gate.verdict == "pass", f"gate {gate.name}: {gate.verdict}") for gate in run.gates),
        (scores.get("verdict") == "pass", "scores.json: the verdict is not pass"),
        (scores.get("privacy_score") == 0, "scores.json: the privacy score is not 0"),
        (not scores.get("unchecked"), "scores.json: a check was left out"),
        (attacks.verdict == "pass", f"attacks.json: {attacks.verdict}"),
        *((name in {row.name for row in attacks.attacks}, f"attack {name} was not run") for name in REQUIRED_ATTACKS),
        *(
            (
                row.threshold <= max_attack_rate and row.confidence >= CONFIDENCE,
                f"attack {row.name}: looser than certified",
            )
            for row in attacks.attacks
        ),
        (training.get("private") is True, "the adapter was trained without privacy"),
        (training.get("noise_generator", "os") == "os", "the training's noise follows from a seed"),
        (
            isinstance(epsilon, int | float) and not isinstance(epsilon, bool) and 0 < epsilon <= max_epsilon,
            f"epsilon is missing, or not within (0, {max_epsilon:g}]",
        ),
    )
    return tuple(reason for holds, reason in checks if not holds)


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        CertificateError: the file is missing or is not one.
    """
    try:
        value = strict_json(path.read_bytes()) if path.is_file() else None
    except (OSError, ValueError):
        value = None
    if not isinstance(value, dict):
        raise CertificateError(f"{path.name}: missing, or not a JSON object")
    return value


def read_attacks(path: Path) -> GateReport:
    """Read attacks.json.

    Raises:
        CertificateError: it is missing, or its figures do not carry its verdict.
    """
    report: GateReport | None
    try:
        report = GateReport.model_validate(read_object(path))
    except ValidationError:
        report = None
    if report is None:
        raise CertificateError(f"{path.name}: its figures do not carry its verdict, or it is not a gate report")
    return report


def _release(directory: Path) -> dict[str, Any]:
    """What is promised to the subjects of the source; runs from before there were releases made none."""
    path = directory / RELEASE
    return read_object(path) if path.is_file() else {"release": "none"}


def _contents(directory: Path) -> dict[str, int]:
    return {
        "seeds": _count_lines(directory / "seeds.jsonl"),
        "synthetic_conversations": _count_lines(directory / "synthetic.jsonl"),
        "adapter_files": sum(1 for _ in walk_files(directory / "adapter")),
    }


def _count_lines(path: Path) -> int:
    if not path.is_file():
        raise CertificateError(f"{path.name}: missing")
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())


def _keep_salt(run_id: str, salt: str) -> None:
    path, fault = config_home() / "salts" / run_id, ""
    try:
        write_private(path, f"{salt}\n".encode())
    except OSError as error:
        fault = error.strerror or "cannot be written"
    if fault:
        raise CertificateError(f"{path}: {fault}; the salt of the source commitment must be kept")


def _commit() -> dict[str, str | bool | None]:
    """The checkout's commit, and whether files differ from it; None for an installed package."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return {"commit": None, "modified": None}
    try:
        head, status = (
            subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=True, timeout=20)
            for arguments in (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
        )
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "modified": None}
    return {"commit": head.stdout.strip(), "modified": bool(status.stdout.strip())}
