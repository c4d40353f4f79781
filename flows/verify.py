"""Checks a certificate offline, and every file it covers; names what changed.

Guarantees:
    If the result is `ok`, the holder of the private key (pinned by `public_key`, otherwise whoever embedded it) signed
    exactly this certificate, and the directory holds exactly the files it lists, byte for byte. Nothing is executed or
    unpickled, and no path that a certificate names is opened: only files found below its own folder are.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.certificate import RUN, RUN_FIELDS, canonical, read_attacks, read_object, readable, refusals
from flows.errors import CertificateError
from flows.listing import CERTIFICATE, printable, walk_files
from flows.records import RunRecord
from flows.signing import ALGORITHM, key_id, load_public_key, verify_signature
from seed_engine.models import file_sha256

_SIGNATURE_FIELDS = {"algorithm", "key_id", "public_key", "value"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it was signed.

    Attributes:
        path: the file, relative to the run's directory; whoever made the certificate or the folder chose it, so what
            could act on a terminal or break a line is escaped.
        rule: what is wrong with it, in words.
    """

    path: str
    rule: str


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """What a verification found.

    Attributes:
        faults: everything that is wrong, files in order of their path; empty if nothing is.
        notes: what a reader should know beside that, whether or not there are faults.
    """

    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def verify(path: Path, public_key: Path | None = None) -> VerifyResult:
    """Check a run directory, or a certificate and the files that stand beside it.

    Args:
        path: the directory, or its certificate.json; a certificate that stands alone has its signature checked only.
        public_key: the signer's public key (PEM), from elsewhere; None trusts the embedded one, with a note.

    Raises:
        CertificateError: `public_key` is not usable, or `path` does not exist.
    """
    if not path.exists():
        raise CertificateError(f"{path}: no such file or directory")
    pinned = load_public_key(public_key) if public_key else None
    file = path / CERTIFICATE if path.is_dir() else path
    try:
        raw, certificate = file.read_bytes() if file.is_file() else b"", read_object(file)
    except (OSError, CertificateError):
        return VerifyResult((Fault(CERTIFICATE, "missing, or not a JSON object"),))
    faults, notes = _signature_faults(raw, certificate, pinned)
    if path.is_dir() or _stands_beside(file.parent, certificate):
        faults += _file_faults(file.parent, certificate)
        faults += _claim_faults(file.parent, certificate)
    else:
        notes.append("none of the run's files stands beside the certificate: only the signature was checked")
    return VerifyResult(tuple(faults), tuple(notes))


def _signature_faults(raw: bytes, certificate: dict[str, Any], pinned: bytes | None) -> tuple[list[Fault], list[str]]:
    statement = {name: value for name, value in certificate.items() if name != "signature"}
    signature = certificate.get("signature")
    if not isinstance(signature, dict) or set(signature) != _SIGNATURE_FIELDS:
        return [Fault(CERTIFICATE, "carries no signature")], []
    public, value = _hex(signature["public_key"]), _hex(signature["value"])
    rules = []
    if signature["algorithm"] != ALGORITHM:
        rules.append(f"the signature is not {ALGORITHM}")
    elif signature["key_id"] != key_id(public):
        rules.append("the key id is not that of the embedded public key")
    elif not _signed(public, statement, value):
        rules.append("the signature does not match: the certificate was changed after signing")
    elif not _as_written(raw, certificate):
        # Spaces and escapes are outside the signature; without this a changed byte could go unnoticed.
        rules.append("the bytes are not in the form that was written")
    if pinned is not None and public != pinned:
        rules.append("signed by another key than the one given")
    notes = (
        [] if pinned else [f"signed by an unknown key (embedded, {key_id(public)[:16]}); give --public-key to pin it"]
    )
    return [Fault(CERTIFICATE, rule) for rule in rules], notes


def _hex(value: Any) -> bytes:
    """Bytes of lower-case hex; empty if it is anything else, so that every value has one spelling."""
    try:
        decoded = bytes.fromhex(value)
    except (TypeError, ValueError):
        return b""
    return decoded if decoded.hex() == value else b""


def _signed(public: bytes, statement: dict[str, Any], value: bytes) -> bool:
    try:
        return verify_signature(public, canonical(statement), value)
    except CertificateError:
        return False


def _as_written(raw: bytes, certificate: dict[str, Any]) -> bool:
    try:
        return raw == readable(certificate).encode()
    except ValueError:
        return False


def _listed(certificate: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    files = certificate.get("files")
    rows = [row for row in files if isinstance(row, dict)] if isinstance(files, list) else []
    return {str(row.get("path")): (row.get("sha256"), row.get("size")) for row in rows}


def _stands_beside(directory: Path, certificate: dict[str, Any]) -> bool:
    return any(relative in _listed(certificate) for relative, _ in walk_files(directory))


def _file_faults(directory: Path, certificate: dict[str, Any]) -> list[Fault]:
    listed, found = _listed(certificate), dict(walk_files(directory))
    faults = []
    for relative in sorted(listed.keys() | found.keys()):
        rule = _file_rule(found.get(relative), listed.get(relative))
        if rule:
            faults.append(Fault(printable(relative), rule))
    return faults


def _file_rule(path: Path | None, expected: tuple[Any, Any] | None) -> str:
    if path is None:
        return "missing"
    if expected is None:
        return "not listed in the certificate"
    if path.is_symlink() or not path.is_file():
        return "not a regular file"
    try:
        size, digest = path.stat().st_size, file_sha256(path)
    except OSError:
        return "cannot be read"
    if size != expected[1]:
        return "changed: its size differs"
    return "" if digest == expected[0] else "changed: its SHA-256 differs"


def _claim_faults(directory: Path, certificate: dict[str, Any]) -> list[Fault]:
    """The certificate's figures against the files they come from: what a signer could have got wrong."""
    training = _read(directory / "adapter/training.json")
    scores = _read(directory / "scores.json")
    claimed_training, claimed_data = _section(certificate, "training"), _section(certificate, "data")
    faults = [
        Fault("adapter/training.json", f"{name} is not the certificate's")
        for name in ("epsilon", "delta", "unit")
        if training.get(name) != claimed_training.get(name)
    ]
    faults += [
        Fault("scores.json", f"{name} is not the certificate's")
        for name in ("privacy_score", "verdict")
        if scores.get(name) != claimed_data.get(name)
    ]
    return faults + _gate_faults(directory, certificate, training, scores)


def _gate_faults(
    directory: Path, certificate: dict[str, Any], training: dict[str, Any], scores: dict[str, Any]
) -> list[Fault]:
    try:
        run = RunRecord.model_validate(read_object(directory / RUN))
        attacks = read_attacks(directory / "attacks.json")
    except CertificateError as error:
        return [Fault(CERTIFICATE, str(error))]
    except ValidationError:
        return [Fault(RUN, "not a run's record")]
    faults = []
    claimed = _section(certificate, "run")
    faults += [
        Fault(RUN, f"{name} is not the certificate's") for name in RUN_FIELDS if getattr(run, name) != claimed.get(name)
    ]
    if run.models != certificate.get("models"):
        faults.append(Fault(RUN, "models are not the certificate's"))
    if [gate.model_dump(mode="json") for gate in run.gates] != certificate.get("gates"):
        faults.append(Fault(RUN, "gates are not the certificate's"))
    if attacks.verdict != _section(certificate, "attacks").get("verdict"):
        faults.append(Fault("attacks.json", "verdict is not the certificate's"))
    limit, loosest = _section(certificate, "training").get("epsilon_limit"), certificate.get("attack_limit")
    # A limit that is no number allows nothing.
    limit, loosest = (value if isinstance(value, int | float) else 0.0 for value in (limit, loosest))
    return faults + [
        Fault(CERTIFICATE, printable(reason)) for reason in refusals(run, training, scores, attacks, limit, loosest)
    ]


def _section(certificate: dict[str, Any], name: str) -> dict[str, Any]:
    section = certificate.get(name)
    return section if isinstance(section, dict) else {}


def _read(path: Path) -> dict[str, Any]:
    """A JSON object of the run; empty if it is none, which is then a fault of its digest."""
    try:
        return read_object(path)
    except CertificateError:
        return {}
