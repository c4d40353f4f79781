"""Checks a certificate offline, and every file it covers; names what changed.

Guarantees:
    If the result is `ok`, the holder of the private key (pinned by `public_key`, otherwise whoever embedded it) signed
    exactly this certificate, and the directory holds exactly the files it lists, byte for byte. Nothing is executed or
    unpickled, and no path that a certificate names is opened: only files found below its own folder are.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.certificate import RUN, RUN_FIELDS, read_attacks, read_object, refusals
from flows.envelope import Envelope
from flows.errors import CertificateError
from flows.inclusion import included
from flows.listing import CERTIFICATE, REVOKED, printable, walk_files
from flows.records import RunRecord
from flows.revocation import default_list, read_revocations
from flows.signing import key_id, load_public_key
from flows.statements import read_certificate
from seed_engine.models import file_sha256


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


def verify(
    path: Path,
    public_key: Path | None = None,
    revocations: Path | None = None,
    inclusion: tuple[Path, Path] | None = None,
) -> VerifyResult:
    """Check a run directory, or a certificate and the files that stand beside it.

    Args:
        path: the directory, or its certificate.json; a certificate that stands alone has its signature checked only.
        public_key: the signer's public key (PEM), from elsewhere; None trusts the embedded one, with a note.
        revocations: the signer's list of revoked certificates; None looks for this user's own, which is the signer's
            where both are one, and says so where there is none.
        inclusion: a proof, and the file of the conversation that it is about: it should have been an input.

    Raises:
        CertificateError: `public_key` or the proof is not usable, or `path` does not exist.
        UsageError: the conversation's file holds not exactly one.
    """
    if not path.exists():
        raise CertificateError(f"{path}: no such file or directory")
    pinned = load_public_key(public_key) if public_key else None
    file = path / CERTIFICATE if path.is_dir() else path
    try:
        envelope, certificate = read_certificate(file)
    except CertificateError as error:
        return VerifyResult((Fault(CERTIFICATE, str(error)),))
    public = _hex(_section(certificate, "signer").get("public_key"))
    faults, notes = _signature_faults(envelope, public, pinned)
    faults += _time_faults(certificate)
    faults += _revocation_faults(file.parent, envelope, pinned or public, revocations, notes)
    if inclusion is not None:
        reason = included(certificate, *inclusion)
        faults += [Fault(printable(inclusion[0].name), reason)] if reason else []
    if path.is_dir() or _stands_beside(file.parent, certificate):
        faults += _file_faults(file.parent, certificate)
        faults += _claim_faults(file.parent, certificate)
    else:
        notes.append("none of the run's files stands beside the certificate: only the signature was checked")
    return VerifyResult(tuple(faults), tuple(notes))


def statement_of(path: Path) -> dict[str, Any]:
    """The signed in-toto statement of a run or certificate, for a reader; nothing is checked.

    Raises:
        CertificateError: there is none.
    """
    envelope, _ = read_certificate(path / CERTIFICATE if path.is_dir() else path)
    return envelope.statement()


def _signature_faults(envelope: Envelope, public: bytes, pinned: bytes | None) -> tuple[list[Fault], list[str]]:
    rules = []
    if not envelope.signed_by(public):
        rules.append("the signature does not match: the certificate was changed after signing")
    if pinned is not None and public != pinned:
        rules.append("signed by another key than the one given")
    notes = (
        [] if pinned else [f"signed by an unknown key (embedded, {key_id(public)[:16]}); give --public-key to pin it"]
    )
    return [Fault(CERTIFICATE, rule) for rule in rules], notes


def _time_faults(certificate: dict[str, Any]) -> list[Fault]:
    try:
        issued, expires = (datetime.fromisoformat(certificate[name]) for name in ("issued", "expires"))
        if issued <= datetime.now(UTC) <= expires:
            return []
        rule = "expired" if issued <= datetime.now(UTC) else "issued in the future"
    except (KeyError, TypeError, ValueError):
        rule = "does not say when it was issued and when it expires"
    return [Fault(CERTIFICATE, rule)]


def _revocation_faults(
    directory: Path, envelope: Envelope, public: bytes, given: Path | None, notes: list[str]
) -> list[Fault]:
    own = default_list()
    places = [directory / REVOKED] if _exists(directory / REVOKED) else []
    places += [given] if given is not None else [own] if own.is_file() else []
    if given is None and not own.is_file():
        notes.append("no list of revocations was given: whether it was revoked since is not known")
    faults = []
    for place in places:
        try:
            entry = read_revocations(place, public).of(envelope.payload)
        except CertificateError as error:
            # This user's own list says nothing about what somebody else signed.
            if place != own:
                faults.append(Fault(printable(place.name), printable(str(error))))
            else:
                notes.append("this user's revocations are of another signer; give --revocations for this one's")
            continue
        if entry is not None:
            faults.append(Fault(CERTIFICATE, printable(f"revoked at {entry.at}: {entry.reason}")))
        elif place == directory / REVOKED:
            faults.append(Fault(REVOKED, "revokes another certificate"))
    return list(dict.fromkeys(faults))


def _exists(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _hex(value: Any) -> bytes:
    """Bytes of lower-case hex; empty if it is anything else, so that every value has one spelling."""
    try:
        decoded = bytes.fromhex(value)
    except (TypeError, ValueError):
        return b""
    return decoded if decoded.hex() == value else b""


def _listed(certificate: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    files = certificate.get("files")
    rows = [row for row in files if isinstance(row, dict)] if isinstance(files, list) else []
    return {str(row.get("path")): (row.get("sha256"), row.get("size")) for row in rows}


def _stands_beside(directory: Path, certificate: dict[str, Any]) -> bool:
    return any(relative in _listed(certificate) for relative, _ in walk_files(directory))


def _file_faults(directory: Path, certificate: dict[str, Any]) -> list[Fault]:
    listed, found = _listed(certificate), dict(walk_files(directory))
    found.pop(REVOKED, None)  # looked at for itself: whoever signed may add it later
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
