"""Stretches of a corpus: a piece is what one task reads, a block is what one process judges at a time."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any, Literal

from flows.errors import UsageError
from seed_engine.errors import InputError

Kind = Literal["jsonl", "gzip", "parquet"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one file.

    Attributes:
        path: local path, or an address that fsspec knows (`s3://...`).
        kind: of the file, found by its first bytes.
        start: first byte of the stretch (`jsonl`) or first row group (`parquet`); the lines that begin in
            [start, end) belong to it.
        end: one past its last byte or row group; None for the end of the file.
        line: number of the first line or row, 1-based.
        size: bytes of the whole file.
        prefix: put before ids that are made of line numbers; files would share them.
    """

    path: str
    kind: Kind
    start: int = 0
    end: int | None = None
    line: int = 1
    size: int = 0
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reading stands: `offset` in unpacked bytes (rows of Parquet) of the piece, and the next line's number."""

    offset: int = 0
    line: int = 1


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, or rows as an Arrow stream.

    Attributes:
        path: the file, for messages.
        rows: whether `content` is an Arrow stream with the columns `id`, where the file has one, and `text`.
        line: number of the first line or row, 1-based.
        content: as bytes.
        after: where the reading stands behind it.
        read: bytes of the file (packed, where it is) that have been read so far.
        prefix: as the piece's.
    """

    path: str
    rows: bool
    line: int
    content: bytes
    after: Place
    read: int
    prefix: str


def open_any(path: str) -> IO[bytes]:
    """Open a local file or an fsspec address for reading.

    Raises:
        InputError: it cannot be opened; told with the operating system's reason or the fault's class name.
        UsageError: no such file system is installed.
    """
    try:
        found: IO[bytes] = library("fsspec").open(path, "rb").open()
        return found
    except OSError as error:
        reason = error.strerror or type(error).__name__
    except (ImportError, ValueError):
        reason = ""
    if not reason:
        raise UsageError(f"{path.partition(':')[0]}: fsspec has no such file system here")
    raise InputError(path, None, f"cannot be opened ({reason})")


def place_of(path: str) -> tuple[Any, str]:
    """The file system of a path or address, and the path in it.

    Raises:
        UsageError: no such file system is installed.
    """
    try:
        found: tuple[Any, str] = library("fsspec").core.url_to_fs(path)
        return found
    except (ImportError, ValueError):
        pass
    raise UsageError(f"{path.partition(':')[0]}: fsspec has no such file system here")


def library(name: str) -> Any:
    """A library that carries no types, imported when it is first asked for."""
    return import_module(name)
