"""A certificate as an in-toto Statement, and back: files are its subjects, all else is its predicate.

Source: in-toto attestation framework v1 (github.com/in-toto/attestation).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.envelope import Envelope, open_envelope
from flows.errors import CertificateError

IN_TOTO, STATEMENT_TYPE, PREDICATE_TYPE = (
    "application/vnd.in-toto+json",
    "https://in-toto.io/Statement/v1",
    "urn:semilla:certificate:1",
)


def to_statement(certificate: dict[str, Any]) -> dict[str, Any]:
    """A certificate as an in-toto Statement (in-toto attestation framework v1): its files are the subjects."""
    subjects = [
        {"name": file["path"], "digest": {"sha256": file["sha256"]}, "annotations": {"size": file["size"]}}
        for file in certificate["files"]
    ]
    predicate = {name: value for name, value in certificate.items() if name != "files"}
    return {"_type": STATEMENT_TYPE, "subject": subjects, "predicateType": PREDICATE_TYPE, "predicate": predicate}


def from_statement(statement: dict[str, Any]) -> dict[str, Any]:
    """The inverse of `to_statement`.

    Raises:
        CertificateError: the statement is not one of ours.
    """
    try:
        ours = (statement["_type"], statement["predicateType"]) == (STATEMENT_TYPE, PREDICATE_TYPE)
        files = [
            {"path": row["name"], "sha256": row["digest"]["sha256"], "size": row["annotations"]["size"]}
            for row in statement["subject"]
        ]
        if ours and "files" not in statement["predicate"]:
            return {**statement["predicate"], "files": files}
    except (KeyError, TypeError):
        pass
    raise CertificateError("not the statement of a certificate")


def read_certificate(path: Path) -> tuple[Envelope, dict[str, Any]]:
    """A certificate and the envelope that it came in; its signature is not checked.

    Raises:
        CertificateError: the file cannot be read or is none.
    """
    try:
        raw = path.read_bytes() if path.is_file() else b""
    except OSError:
        raw = b""
    envelope = open_envelope(raw)
    if envelope.payload_type != IN_TOTO:
        raise CertificateError("the envelope holds no in-toto statement")
    return envelope, from_statement(envelope.statement())
