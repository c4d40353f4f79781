"""Revocation: a signed list of certificates that no longer hold, and a mark beside a revoked one.

The list is the signer's to publish; auditors give it to `semilla verify --revocations`. The mark in the run's folder is
for whoever holds the folder: it can be deleted, the list cannot be shortened without the key.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from flows.envelope import open_envelope, seal
from flows.errors import CertificateError, UsageError
from flows.listing import CERTIFICATE, REVOKED
from flows.signing import SigningKey, config_home
from flows.statements import read_certificate
from seed_engine.atomic import atomic_path
from seed_engine.conversation import Boundary

PAYLOAD_TYPE = "application/vnd.semilla.revocations+json"


class Revocation(Boundary):
    """One certificate that no longer holds.

    Attributes:
        certificate: hex SHA-256 of its signed statement.
        run: the run's id.
        at: ISO 8601, UTC.
        reason: one line, given by whoever revoked; it is published.
    """

    certificate: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    run: Annotated[str, Field(max_length=64)]
    at: Annotated[str, Field(max_length=40)]
    reason: Annotated[str, Field(min_length=1, max_length=200)]


class Revocations(Boundary):
    """The list; entries are only ever added.

    Attributes:
        entries: in the order they were revoked.
    """

    schema_version: Literal["1"] = "1"
    entries: tuple[Revocation, ...] = ()

    def of(self, statement: bytes) -> Revocation | None:
        """The entry about a certificate, by its signed bytes; None if it was not revoked."""
        digest = hashlib.sha256(statement).hexdigest()
        return next((entry for entry in self.entries if entry.certificate == digest), None)


def default_list() -> Path:
    """Where the signer's own list is kept."""
    return config_home() / "revocations.json"


def revoke(target: Path, reason: str, key: SigningKey, listed: Path | None = None) -> Revocation:
    """Add a certificate to the signer's list, and mark the run's folder when the certificate stands in one.

    A certificate that is on the list already stays there as it is.

    Args:
        target: the certificate, or a run's directory.
        reason: one printable line of at most 200 characters, without personal data: it is published.
        key: who signed the certificate.
        listed: the list; None for the signer's own.

    Raises:
        UsageError: the reason cannot be published.
        CertificateError: no certificate, somebody else's, or the list is not this key's.
    """
    _check(reason)
    path = target / CERTIFICATE if target.is_dir() else target
    envelope, certificate = read_certificate(path)
    if not envelope.signed_by(key.public):
        raise CertificateError(f"{path}: not signed by this key; only the signer can revoke")
    listed = listed or default_list()
    listed.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(listed):
        known = read_revocations(listed, key.public) if listed.exists() else Revocations()
        entry = known.of(envelope.payload)
        if entry is None:
            entry = Revocation(
                certificate=hashlib.sha256(envelope.payload).hexdigest(),
                run=str(certificate.get("run", {}).get("id", "")),
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                reason=reason,
            )
            _write(listed, Revocations(entries=(*known.entries, entry)), key)
    if path.name == CERTIFICATE:
        _write(path.parent / REVOKED, Revocations(entries=(entry,)), key)
    return entry


def read_revocations(path: Path, public: bytes) -> Revocations:
    """A list, if the holder of `public` (32 raw bytes) signed it.

    Raises:
        CertificateError: it cannot be read, was changed, or is somebody else's.
    """
    known = None
    try:
        envelope = open_envelope(path.read_bytes() if path.is_file() else b"")
        if envelope.payload_type == PAYLOAD_TYPE and envelope.signed_by(public):
            known = Revocations.model_validate_json(envelope.payload, strict=True)
    except (OSError, CertificateError, ValidationError):
        pass
    if known is None:
        raise CertificateError(f"{path.name}: not a list of revocations that the certificate's signer signed")
    return known


def _check(reason: str) -> None:
    from seed_engine.config import DetectorConfig
    from seed_engine.detect import Detector

    if not reason.strip() or len(reason) > 200 or not reason.isprintable():
        raise UsageError("--reason: one printable line of 1 to 200 characters")
    if Detector(DetectorConfig(engine="regex")).detect(reason):
        raise UsageError("--reason: it seems to hold personal data, and it will be published")


def _write(path: Path, revocations: Revocations, key: SigningKey) -> None:
    with atomic_path(path) as part:
        part.write_bytes(seal(PAYLOAD_TYPE, revocations.model_dump(mode="json"), key))
    path.chmod(0o644)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
