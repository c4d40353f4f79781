"""Reads and writes the house's own JSONL records: seeds and synthetic conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from seed_engine.atomic import atomic_path
from seed_engine.conversation import Conversation
from seed_engine.errors import InputError
from seed_engine.strict_json import strict_json

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
        InputError: a line is not JSON, or holds a key twice, or nests too deeply.
    """
    for number, raw in _lines(path):
        try:
            value, fault = strict_json(raw), None
        except ValueError as error:
            value, fault = None, str(error)
        if fault is not None:
            raise InputError(str(path), number, fault)
        yield number, value


def write_records(path: Path, records: Iterable[BaseModel]) -> int:
    """Write one record a line, as `write_lines` does; returns how many."""
    return write_lines(path, map(dump_record, records))


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines to a file that appears whole or not at all; returns how many."""
    count = 0
    with atomic_path(path) as part, part.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(line + "\n")
            count += 1
    return count


def dump_record(record: BaseModel) -> str:
    """One line of JSON, without the fields of a conversation that only a source has."""
    if isinstance(record, Conversation):
        return record.model_dump_json(exclude_none=True, exclude={"form", "subject"} if record.seed_id else set())
    return record.model_dump_json(exclude_none=True)


def _parse(kind: type[Record], raw: bytes) -> Record | None:
    try:
        return kind.model_validate(strict_json(raw))
    except (ValidationError, ValueError):
        return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if raw.strip():
                yield number, raw
