"""Signed statements: a DSSE envelope with one Ed25519 signature, in the one form in which we write it.

Source: DSSE v1.0.2 (github.com/secure-systems-lab/dsse); the signature is over the pre-authentication encoding of the
payload's type and bytes, so that a payload of one type can never pass for another.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any

from flows.errors import CertificateError
from flows.signing import SigningKey, key_id, verify_signature
from seed_engine.strict_json import strict_json

_FIELDS, _SIGNATURE_FIELDS = {"payload", "payloadType", "signatures"}, {"keyid", "sig"}


@dataclass(frozen=True, slots=True)
class Envelope:
    """What an envelope holds; that it parsed says nothing about its signature.

    Attributes:
        payload_type: how to read the payload, a media type.
        payload: the signed bytes.
        keyid: hex SHA-256 of the signer's raw public key, as the envelope claims it.
        signature: 64 bytes.
    """

    payload_type: str
    payload: bytes
    keyid: str
    signature: bytes

    def signed_by(self, public: bytes) -> bool:
        """Whether the holder of `public` (32 raw bytes) signed exactly this payload, as one of this type."""
        return self.keyid == key_id(public) and verify_signature(
            public, _encoding(self.payload_type, self.payload), self.signature
        )

    def statement(self) -> dict[str, Any]:
        """The payload as a JSON object.

        Raises:
            CertificateError: it is none.
        """
        try:
            value = strict_json(self.payload)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise CertificateError("the signed payload is not a JSON object")
        return value


def seal(payload_type: str, statement: dict[str, Any], key: SigningKey) -> bytes:
    """The bytes of a file that holds a signed statement.

    Args:
        payload_type: media type of the statement.
        statement: a JSON object; signed in canonical form.
        key: who signs.

    Raises:
        CertificateError: a value has no JSON form.
    """
    payload = canonical(statement)
    signature = key.sign(_encoding(payload_type, payload))
    return _written(Envelope(payload_type, payload, key_id(key.public), signature))


def open_envelope(raw: bytes) -> Envelope:
    """Parse a file that `seal` wrote; the signature is not checked.

    Raises:
        CertificateError: it is no such envelope, or not in the form that was written: spaces, key order and spellings
            of Base64 are outside the signature, and without this a changed byte could go unnoticed.
    """
    try:
        value = strict_json(raw)
        (signature,) = value["signatures"]
        whole = set(value) == _FIELDS and set(signature) == _SIGNATURE_FIELDS
        parts = [value["payload"], signature["sig"], value["payloadType"], signature["keyid"]]
        if whole and all(isinstance(part, str) for part in parts):
            payload, sig = (base64.b64decode(part, validate=True) for part in parts[:2])
            envelope = Envelope(parts[2], payload, parts[3], sig)
            if _written(envelope) == raw:
                return envelope
    except (ValueError, KeyError, TypeError):
        pass
    raise CertificateError("not a signed envelope in the form that was written")


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no whitespace, in UTF-8.

    Raises:
        CertificateError: a value has no JSON form (infinity, not a number, half a surrogate pair).
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        pass
    raise CertificateError("a figure is not a finite number, or a name is not Unicode")


def _encoding(payload_type: str, payload: bytes) -> bytes:
    from securesystemslib.dsse import Envelope as Dsse

    encoded: bytes = Dsse(payload, payload_type, {}).pae()
    return encoded


def _written(envelope: Envelope) -> bytes:
    value = {
        "payloadType": envelope.payload_type,
        "payload": base64.b64encode(envelope.payload).decode("ascii"),
        "signatures": [{"keyid": envelope.keyid, "sig": base64.b64encode(envelope.signature).decode("ascii")}],
    }
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
