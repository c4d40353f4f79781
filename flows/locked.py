"""Files that only the holder of a key can read: a review's tasks hold the source's text, and need not lie open.

Fernet (AES-128-CBC with HMAC-SHA-256, `cryptography`): one changed byte and nothing is read. What is encrypted is in
memory as a whole, and on disk only as it will stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from flows.errors import UsageError
from flows.records_io import write_lines
from flows.signing import write_private
from seed_engine.atomic import atomic_path

# How every Fernet token begins: version 128 and the first bytes of a time stamp of this century.
_TOKEN = b"gAAAAA"


def write_locked(path: Path, lines: Iterable[str], key: Path | None) -> None:
    """Write lines, encrypted; in the clear without a key, as `write_lines` does.

    Args:
        path: of the output; readable by its owner alone.
        lines: text.
        key: file of the key; made (0600) where there is none.

    Raises:
        UsageError: the file holds no key.
    """
    if key is None:
        write_lines(path, lines)
        return
    if not key.exists():
        write_private(key, Fernet.generate_key())
    token = _fernet(key).encrypt("".join(f"{line}\n" for line in lines).encode())
    with atomic_path(path) as part:
        part.write_bytes(token)


def read_locked(path: Path, key: Path | None) -> bytes:
    """What a file holds, decrypted; a file in the clear is read as it is.

    Raises:
        UsageError: it is encrypted, and the key is missing, no key, or not its own.
    """
    data = path.read_bytes()
    if not data.startswith(_TOKEN):
        return data
    if key is None:
        raise UsageError(f"{path}: encrypted; --key names the file of its key")
    try:
        return _fernet(key).decrypt(data)
    except InvalidToken:
        pass
    raise UsageError(f"{path}: encrypted with another key than {key}'s, or changed since")


def _fernet(key: Path) -> Fernet:
    try:
        return Fernet(key.read_bytes().strip())
    except OSError as error:
        fault = error.strerror or "unreadable"
    except ValueError:
        fault = "no Fernet key"
    raise UsageError(f"{key}: {fault}")
