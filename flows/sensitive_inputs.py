"""What a scan is given, as files: a file, a folder, a pattern, on disk or wherever fsspec reads; and as pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from flows.errors import UsageError
from flows.sensitive_blocks import count_lines, whole_file
from flows.sensitive_pieces import Piece, place_of
from flows.sensitive_rows import group_rows

SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".parquet")
# Large enough that a task's start costs nothing, small enough that a lost machine costs little.
PIECE_BYTES = 64 << 20


def whole_files(inputs: Sequence[str]) -> list[Piece]:
    """Every file of the inputs, one piece each, in the order given and by name within a folder.

    Raises:
        UsageError: nothing is there.
        InputError: a file cannot be read as JSONL, Parquet or gzipped JSONL.
    """
    paths = [path for name in inputs for path in _paths(name)]
    prefixes = [f"{number}/" for number in range(1, len(paths) + 1)] if len(paths) > 1 else [""]
    return [whole_file(path, prefix) for path, prefix in zip(paths, prefixes, strict=True)]


def pieces_of(files: Sequence[Piece], size: int | None = None) -> Iterator[Piece]:
    """Files cut for many machines: JSONL by bytes, Parquet by row groups; gzip cannot be cut."""
    size = size or PIECE_BYTES
    for file in files:
        if file.kind == "jsonl":
            for start in range(0, file.size, size):
                yield replace(file, start=start, end=min(start + size, file.size))
        elif file.kind == "parquet":
            row = 1
            for number, rows in enumerate(group_rows(file)):
                yield replace(file, start=number, end=number + 1, line=row)
                row += rows
        else:
            yield file


def numbered(pieces: Sequence[Piece], counts: Sequence[int]) -> list[Piece]:
    """Pieces with the number of their first line.

    Args:
        pieces: in order.
        counts: lines of each, as `piece_lines` tells.
    """
    found: list[Piece] = []
    path, line = None, 1
    for piece, count in zip(pieces, counts, strict=True):
        if piece.path != path:
            path, line = piece.path, 1
        found.append(replace(piece, line=line) if piece.kind == "jsonl" else piece)
        line += count
    return found


def piece_lines(piece: Piece) -> int:
    """Lines of a piece, where another's numbers hang on it; 0 where none do."""
    return count_lines(piece) if piece.kind == "jsonl" and piece.end != piece.size else 0


def fingerprint(files: Sequence[Piece], settings: str) -> str:
    """Hex SHA-256 of what the lines of a scan follow from: files as their file system tells them apart, and settings.

    Args:
        files: whole.
        settings: of the scan, model digest included.
    """
    digest = hashlib.sha256(settings.encode())
    for file in files:
        system, path = place_of(file.path)
        digest.update(f"\0{file.path}\0{file.prefix}\0{system.ukey(path)}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _paths(name: str) -> list[str]:
    system, path = place_of(name)
    local = "://" not in name
    if system.isfile(path):
        return [name]
    if system.isdir(path):
        found = [item for item in system.find(path) if item.endswith(SUFFIXES)]
    else:
        found = [item for item in system.glob(path) if system.isfile(item)] if set(name) & set("*?[") else []
    if not found:
        raise UsageError(f"{name}: no file of JSONL, Parquet or gzipped JSONL there")
    return sorted(found if local else map(system.unstrip_protocol, found))
