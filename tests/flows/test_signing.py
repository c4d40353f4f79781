from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from flows.errors import CertificateError
from flows.signing import config_home, key_id, load_or_create_key, load_public_key, verify_signature, write_private


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "deep/er/signing.key"
    first, second = load_or_create_key(path), load_or_create_key(path)
    assert first.public == second.public
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert sorted(file.name for file in path.parent.iterdir()) == ["signing.key", "signing.pub"]


def test_the_public_key_stands_beside_it(tmp_path: Path) -> None:
    key = load_or_create_key(tmp_path / "signing.key")
    assert load_public_key(tmp_path / "signing.pub") == key.public


def test_a_stale_public_key_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "signing.pub").write_text("of another key", "ascii")
    key = load_or_create_key(tmp_path / "signing.key")
    assert load_public_key(tmp_path / "signing.pub") == key.public


def test_where_the_default_key_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEMILLA_SIGNING_KEY", raising=False)
    assert load_or_create_key(None).path == config_home() / "signing.key"
    monkeypatch.setenv("SEMILLA_SIGNING_KEY", str(tmp_path / "named.key"))
    assert load_or_create_key(None).path == tmp_path / "named.key"


@pytest.mark.parametrize("flipped", range(64))
def test_a_changed_signature_does_not_verify(tmp_path: Path, flipped: int) -> None:
    key = load_or_create_key(tmp_path / "signing.key")
    signature = bytearray(key.sign(b"message"))
    assert verify_signature(key.public, b"message", bytes(signature))
    signature[flipped] ^= 1
    assert not verify_signature(key.public, b"message", bytes(signature))


@pytest.mark.parametrize(("public", "signature"), [(b"", b""), (b"\x00" * 31, b"\x00" * 64), (b"\xff" * 32, b"")])
def test_nonsense_is_no_signature(public: bytes, signature: bytes) -> None:
    assert not verify_signature(public, b"message", signature)


def test_another_message_and_another_key_do_not_verify(tmp_path: Path) -> None:
    key, other = load_or_create_key(tmp_path / "a.key"), load_or_create_key(tmp_path / "b.key")
    assert not verify_signature(key.public, b"massage", key.sign(b"message"))
    assert not verify_signature(other.public, b"message", key.sign(b"message"))
    assert key_id(key.public) != key_id(other.public)


def _pem(key: Ed25519PrivateKey, password: bytes | None) -> bytes:
    encryption = BestAvailableEncryption(password) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


@pytest.mark.parametrize("content", ["empty", "text", "encrypted", "rsa", "public"])
def test_what_is_no_signing_key_is_refused_without_quoting_it(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.key"
    good = load_or_create_key(tmp_path / "good.key")
    rsa = generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    data = {
        "empty": b"",
        "text": b"hunter2",
        "encrypted": _pem(Ed25519PrivateKey.generate(), b"word"),
        "rsa": rsa,
        "public": good.path.with_suffix(".pub").read_bytes(),
    }[content]
    path.write_bytes(data)
    with pytest.raises(CertificateError, match="not an unencrypted Ed25519") as caught:
        load_or_create_key(path)
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None
    assert path.read_bytes() == data


@pytest.mark.parametrize("content", [None, b"", b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"])
def test_a_public_key_that_cannot_be_used_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "some.pub"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CertificateError):
        load_public_key(path)


def test_the_repr_shows_no_key(tmp_path: Path) -> None:
    key = load_or_create_key(tmp_path / "signing.key")
    assert repr(key) == f"SigningKey({key_id(key.public)[:16]})"


def test_an_existing_private_file_is_left_alone(tmp_path: Path) -> None:
    write_private(tmp_path / "salt", b"first")
    write_private(tmp_path / "salt", b"second")
    assert (tmp_path / "salt").read_bytes() == b"first"
    assert [file.name for file in tmp_path.iterdir()] == ["salt"]
