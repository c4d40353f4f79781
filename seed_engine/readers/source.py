"""Files as lines: gzip, byte order mark and UTF-8 are dealt with here, in constant memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from seed_engine.errors import InputError
from seed_engine.readers.record import Line

HEAD_BYTES = 65_536
# A line is held in memory as a whole; what is longer is an accident or an attack, not a conversation.
MAX_LINE_BYTES = 256 * 1024 * 1024

_GZIP, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, through gzip when its first bytes say so.

    Raises:
        InputError: the file cannot be opened; the message names the operating system's reason.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(2)
        return cast(IO[bytes], gzip.open(path, "rb") if magic == _GZIP else path.open("rb"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise InputError(str(path), None, f"cannot be opened ({reason})")


def head(path: Path) -> bytes:
    """The first bytes of a file, unpacked, without a byte order mark."""
    with open_bytes(path) as file:
        return _guarded(path, file, HEAD_BYTES).removeprefix(_BOM)


def lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a text file; a line that is not UTF-8 comes with its fault instead of its text."""
    with open_bytes(path) as file:
        number = 0
        while raw := _guarded(path, file, MAX_LINE_BYTES, line=True):
            number += 1
            if len(raw) >= MAX_LINE_BYTES:
                raise InputError(str(path), number, "a line longer than 256 MiB")
            yield _decoded(number, raw.removeprefix(_BOM) if number == 1 else raw)


def _decoded(number: int, raw: bytes) -> Line:
    try:
        return Line(number, raw.decode("utf-8").rstrip("\r\n"))
    except UnicodeDecodeError:
        return Line(number, None, "not UTF-8")


def _guarded(path: Path, file: IO[bytes], size: int, *, line: bool = False) -> bytes:
    try:
        return file.readline(size) if line else file.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        rule = "broken or cut-off gzip"
    except OSError as error:
        rule = f"cannot be read ({error.strerror or type(error).__name__})"
    raise InputError(str(path), None, rule)
