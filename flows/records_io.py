"""Reads and writes the house's own JSONL records: seeds and synthetic conversations."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from seed_engine.conversation import Conversation
from seed_engine.errors import InputError

Record = TypeVar("Record", bound=BaseModel)


def read_records(path: Path, kind: type[Record]) -> Iterator[Record]:
    """Yield one record a line.

    Raises:
        InputError: a line is not a record of that kind; gives its number, not its content.
    """
    for number, raw in _lines(path):
        record = _parse(kind, raw)
        if record is None:
            raise InputError(str(path), number, f"not a {kind.__name__} record")
        yield record


def read_objects(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield `(line number, JSON value)`.

    Raises:
        InputError: a line is not JSON.
    """
    for number, raw in _lines(path):
        try:
            value, broken = json.loads(raw), False
        except ValueError:
            value, broken = None, True
        if broken:
            raise InputError(str(path), number, "not JSON")
        yield number, value


def write_records(path: Path, records: Iterable[BaseModel]) -> int:
    """Write one record a line, as `write_lines` does; returns how many."""
    return write_lines(path, map(dump_record, records))


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines to a part file, flushed to disk and renamed at the end; a fault in between leaves no file.

    Returns:
        How many lines.
    """
    count = 0
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + "\n")
                count += 1
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return count


def dump_record(record: BaseModel) -> str:
    """One line of JSON, without the fields of a conversation that only a source has."""
    if isinstance(record, Conversation):
        return record.model_dump_json(exclude_none=True, exclude={"form", "subject"} if record.seed_id else set())
    return record.model_dump_json(exclude_none=True)


def _parse(kind: type[Record], raw: bytes) -> Record | None:
    try:
        return kind.model_validate_json(raw)
    except ValidationError:
        return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                yield number, raw
