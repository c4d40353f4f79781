"""Finds planted words in whatever a program wrote: as they stand, and in everything that can be unpacked.

Unpacked, one in another, `DEPTH` deep: JSON and Python escapes, HTML entities, percent signs, base64 (Prefect stores
results as base64 of a pickle), hexadecimal, gzip and zlib wherever they begin, zip members, UTF-16, and rows of SQLite
databases with their write-ahead logs (a value may be spread over pages).
"""

from __future__ import annotations

import base64
import html
import io
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

DEPTH = 3
_MOST = 64 * 1024 * 1024

_UNICODE = re.compile(rb"\\u([0-9a-fA-F]{4})")
_HEXADECIMAL = re.compile(rb"\\x([0-9a-fA-F]{2})")
_PERCENT = re.compile(rb"%[0-9a-fA-F]{2}")
_ENTITY = re.compile(rb"&(?:#\d+|#x[0-9a-fA-F]+|[a-z]+);")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){8,}")
_STREAMS = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")


class Sweep:
    """A search for any of some words, without regard to case."""

    def __init__(self, words: Iterable[str]) -> None:
        spellings = {word.lower().encode() for word in words}
        self._pattern = re.compile(b"|".join(re.escape(word) for word in sorted(spellings)))

    def holds(self, data: bytes) -> bool:
        """Whether a word stands in these bytes or in what they hold packed."""
        return any(self._pattern.search(piece.lower()) for piece in unpacked(data, DEPTH))

    def below(self, folder: Path) -> list[str]:
        """Files below a folder in which a word stands, and paths that hold one."""
        found = []
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if self.holds(name.encode("utf-8", "surrogateescape")):
                found.append(f"{len(found)}: a name")
            if path.is_file() and any(self.holds(piece) for piece in (path.read_bytes(), *rows(path))):
                found.append(name)
        return found


def unpacked(data: bytes, depth: int) -> Iterator[bytes]:
    """The bytes themselves and what they hold packed."""
    yield data
    if b"\x00" in data:
        yield data.replace(b"\x00", b"")  # UTF-16 of ASCII
    if depth:
        for piece in _inside(data):
            yield from unpacked(piece, depth - 1)


def rows(path: Path) -> Iterator[bytes]:
    """Every value of a SQLite database, with what stands in its write-ahead log only; nothing for another file."""
    with path.open("rb") as file:
        if file.read(16) != b"SQLite format 3\x00":
            return
    with tempfile.TemporaryDirectory() as copy:  # opening a database changes it
        for part in path.parent.glob(f"{path.name}*"):
            shutil.copy(part, copy)
        connection = sqlite3.connect(Path(copy) / path.name)
        connection.text_factory = bytes
        try:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (table,) in tables:
                for row in connection.execute(f'SELECT * FROM "{table.decode()}"'):
                    yield b"\n".join(value for value in row if isinstance(value, bytes))
        finally:
            connection.close()


def _inside(data: bytes) -> Iterator[bytes]:
    escaped = _HEXADECIMAL.sub(lambda match: bytes([int(match[1], 16)]), data)
    escaped = _UNICODE.sub(lambda match: chr(int(match[1], 16)).encode("utf-8", "surrogatepass"), escaped)
    if escaped != data:
        yield escaped
    if _PERCENT.search(data):
        yield unquote_to_bytes(data)
    if _ENTITY.search(data):
        yield html.unescape(data.decode("utf-8", "replace")).encode("utf-8", "replace")
    for match in _STREAMS.finditer(data):
        yield from _inflated(data[match.start() :])
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    for match in _HEX.finditer(data):
        yield bytes.fromhex(match[0].decode())
    for match in _BASE64.finditer(data):
        text = match[0].replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
        for offset in range(4):  # what stands before it may be letters too
            piece = text[offset:]
            yield base64.b64decode(piece[: len(piece) // 4 * 4])


def _inflated(data: bytes) -> Iterator[bytes]:
    try:
        found = zlib.decompressobj(wbits=47).decompress(data, _MOST)
    except zlib.error:
        return
    if found:
        yield found
