"""Ed25519 signatures: the signer's key on disk, signing bytes, and checking a signature.

Source: RFC 8032; keys as PKCS8 (private) and SubjectPublicKeyInfo (public) in PEM, as every other tool reads them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from flows.errors import CertificateError
from seed_engine.atomic import atomic_path, atomic_text

ALGORITHM = "Ed25519"


@dataclass(frozen=True, slots=True, repr=False)
class SigningKey:
    """A private key that signs certificates.

    Attributes:
        path: its file; of a key that came out of a block, where only the public half is put (`.pub`).
        public: the public key, 32 raw bytes.
    """

    path: Path
    public: bytes
    _private: Ed25519PrivateKey

    def __repr__(self) -> str:
        return f"SigningKey({key_id(self.public)[:16]})"

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes; the same message always gives the same signature."""
        return self._private.sign(message)


def load_or_create_key(path: Path | None) -> SigningKey:
    """Read the signing key; make one, readable by its owner alone, where there is none.

    The public key is put beside it (`signing.pub`), for auditors, unless the folder cannot be written.

    Args:
        path: its file; None for `$SEMILLA_SIGNING_KEY`, else `semilla/signing.key` in the user's configuration folder.

    Raises:
        CertificateError: the file cannot be read or made, or holds no unencrypted Ed25519 key.
    """
    path = (path or _default_path()).expanduser().absolute()
    try:
        if not path.exists():
            _create(path)
        pem, fault = path.read_bytes(), ""
    except OSError as error:
        pem, fault = b"", error.strerror or "unreadable"
    if fault:
        raise CertificateError(f"{path}: {fault}")
    return key_of(pem, path, str(path))


def key_of(pem: bytes, path: Path, source: str) -> SigningKey:
    """A signing key from its PEM; its public half is put beside `path`.

    Args:
        pem: an unencrypted Ed25519 private key (PKCS8).
        path: as `SigningKey.path`.
        source: what an error calls it.

    Raises:
        CertificateError: it is none.
    """
    private = _parse_private(pem)
    if private is None:
        raise CertificateError(f"{source}: not an unencrypted Ed25519 private key in PEM")
    key = SigningKey(path, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw), private)
    _export_public(key)
    return key


def load_public_key(path: Path) -> bytes:
    """Read a public key in PEM; 32 raw bytes.

    Raises:
        CertificateError: the file cannot be read, or holds no Ed25519 public key.
    """
    try:
        key, fault = load_pem_public_key(path.read_bytes()), ""
    except OSError as error:
        key, fault = None, error.strerror or "unreadable"
    except (ValueError, UnsupportedAlgorithm):
        key, fault = None, ""
    if not isinstance(key, Ed25519PublicKey):
        raise CertificateError(f"{path}: {fault or 'not an Ed25519 public key in PEM'}")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def verify_signature(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of a message was made with the private half of `public` (32 raw bytes)."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(public: bytes) -> str:
    """Names a public key: hex SHA-256 of its 32 raw bytes."""
    return hashlib.sha256(public).hexdigest()


def config_home() -> Path:
    """Semilla's folder for what belongs to the user rather than to a run."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "semilla"


def user_key(name: str) -> bytes:
    """A secret of this user, 32 random bytes in the configuration folder; made at first use."""
    path = config_home() / name
    if not path.exists():
        write_private(path, os.urandom(32))
    return path.read_bytes()


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read (0600), whole or not at all; an existing one is left alone."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Of two processes that make the first key, one wins and the other reads the winner's.
    with atomic_path(path, replace=False) as part:
        part.write_bytes(data)


def _default_path() -> Path:
    named = os.environ.get("SEMILLA_SIGNING_KEY")
    return Path(named) if named else config_home() / "signing.key"


def _create(path: Path) -> None:
    private = Ed25519PrivateKey.generate()
    write_private(path, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _parse_private(pem: bytes) -> Ed25519PrivateKey | None:
    try:
        private = load_pem_private_key(pem, password=None)
    except (TypeError, ValueError, UnsupportedAlgorithm):
        return None
    return private if isinstance(private, Ed25519PrivateKey) else None


def _export_public(key: SigningKey) -> None:
    pem = Ed25519PublicKey.from_public_bytes(key.public).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    beside = key.path.with_suffix(".pub")
    # A key may be mounted read-only (a container's secret): the certificate embeds the public half anyway.
    with contextlib.suppress(OSError):
        beside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not beside.is_file() or beside.read_bytes() != pem:
            atomic_text(beside, pem.decode("ascii"))
