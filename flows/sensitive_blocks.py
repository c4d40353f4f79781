"""A corpus as blocks of about a mebibyte: JSONL, Parquet or gzipped JSONL, from disk or any place fsspec can read.

A block holds whole lines (or rows) and knows the number of its first one, so that it can be read by any process, and a
broken line is reported by its number in the file.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any

from flows.sensitive_pieces import Block, Piece, Place, open_any
from flows.sensitive_rows import row_blocks
from seed_engine.errors import InputError
from seed_engine.readers.source import MAX_LINE_BYTES

BLOCK_BYTES = 1 << 20
_GZIP, _PARQUET, _BOM = b"\x1f\x8b", b"PAR1", b"\xef\xbb\xbf"


def whole_file(path: str, prefix: str = "") -> Piece:
    """A file as one piece.

    Raises:
        InputError: it is empty, cannot be opened, or is no JSONL, Parquet or gzipped JSONL.
    """
    with open_any(path) as file:
        head = file.read(4096)
        size = file.seek(0, 2)
    if head.startswith(_GZIP):
        return Piece(path, "gzip", size=size, prefix=prefix)
    if head.startswith(_PARQUET):
        return Piece(path, "parquet", size=size, prefix=prefix)
    if not head.strip():
        raise InputError(path, None, "an empty file")
    # A first line that is broken is a fault of that line; what cannot be JSON lines at all is one of the file.
    if head.removeprefix(_BOM).lstrip()[:1] == b"[":
        raise InputError(path, None, "a JSON array; the scan reads JSON lines, Parquet, or JSON lines in gzip")
    return Piece(path, "jsonl", size=size, prefix=prefix)


def blocks(piece: Piece, place: Place | None = None, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """The piece's blocks, in order; none of them cuts a line.

    Args:
        piece: what to read.
        place: where an earlier reading of the same piece stood.
        size: bytes of a block, about; a longer line is a block of its own.

    Raises:
        InputError: the file is cut off, or a line is longer than 256 MiB.
    """
    place = Place(0, piece.line) if place is None else place
    if piece.kind == "parquet":
        yield from row_blocks(piece, place)
        return
    with open_any(piece.path) as raw:
        if piece.kind == "gzip":
            with gzip.open(raw, "rb") as unpacked:
                _guarded(piece.path, unpacked.seek, place.offset)
                yield from _line_blocks(piece, unpacked, raw, place, None, size)  # type: ignore[arg-type]
            return
        if piece.start and not place.offset:
            place = Place(_first_line_start(piece, raw) - piece.start, place.line)
        raw.seek(piece.start + place.offset)
        yield from _line_blocks(piece, raw, raw, place, _end(piece) - piece.start, size)


def count_lines(piece: Piece) -> int:
    """Lines that begin in a `jsonl` piece; the numbers of a later piece's lines follow from it."""
    count, at, end = (0, piece.start - 1, _end(piece) - 1) if piece.start else (1, 0, _end(piece) - 1)
    with open_any(piece.path) as file:
        file.seek(at)
        while at < end and (chunk := file.read(min(BLOCK_BYTES, end - at))):
            count += chunk.count(b"\n")
            at += len(chunk)
    return count


def _end(piece: Piece) -> int:
    return piece.size if piece.end is None else piece.end


def _first_line_start(piece: Piece, raw: IO[bytes]) -> int:
    """The first byte, from the piece's start on, at which a line begins."""
    at = piece.start - 1
    raw.seek(at)
    while chunk := raw.read(BLOCK_BYTES):
        found = chunk.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(chunk)
    return piece.size


def _line_blocks(
    piece: Piece, file: IO[bytes], raw: IO[bytes], place: Place, end: int | None, size: int
) -> Iterator[Block]:
    """Blocks from here on; of the lines that begin before `end` only, where there is one."""
    while end is None or place.offset < end:
        wanted = size if end is None else min(size, end - place.offset)
        content: bytes = _guarded(piece.path, file.read, wanted)
        if not content:
            return
        if not content.endswith(b"\n"):
            content += _guarded(piece.path, file.readline, MAX_LINE_BYTES)
        lines = content.count(b"\n") + (not content.endswith(b"\n"))
        if len(content) >= MAX_LINE_BYTES:
            raise InputError(piece.path, place.line + lines - 1, "a line longer than 256 MiB")
        after = Place(place.offset + len(content), place.line + lines)
        yield Block(piece.path, False, place.line, content, after, raw.tell(), piece.prefix)
        place = after


def _guarded(path: str, read: Callable[[int], Any], count: int) -> Any:
    try:
        return read(count)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        rule = "broken or cut-off gzip"
    except OSError as error:
        rule = f"cannot be read ({error.strerror or type(error).__name__})"
    raise InputError(path, None, rule)
