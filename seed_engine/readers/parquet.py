"""Parquet with the columns of the CSV form; the one door to pyarrow, which is optional."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from seed_engine.conversation import Conversation
from seed_engine.errors import InputError
from seed_engine.readers.record import Fault, Read
from seed_engine.readers.table import COLUMNS, Row, column_names, rows_to_records

MAGIC = b"PAR1"
_BATCH = 4096


def parse_parquet(path: Path) -> Iterator[Read | Fault]:
    """Read a Parquet file in batches of rows; `line` counts rows from 1.

    Raises:
        InputError: pyarrow is not installed, or the file is not whole.
    """
    engine = _engine(path, "pyarrow.parquet")
    try:
        file = engine.ParquetFile(path)
    except (OSError, ValueError):
        file = None
    if file is None:
        raise InputError(str(path), None, "a broken or cut-off Parquet file")
    names = column_names(file.schema_arrow.names)
    if not {"conversation_id", "role", "text"} <= set(names):
        raise InputError(str(path), None, f"the columns {', '.join(COLUMNS)} are expected")
    yield from rows_to_records(_rows(file, names))


def write_parquet(path: Path, conversations: Iterable[Conversation], target: Path) -> None:
    """Write conversations as a Parquet file of the same columns; `path` is the source, for the error's sake."""
    arrow, engine = _engine(path, "pyarrow"), _engine(path, "pyarrow.parquet")
    said = ((item.id, i, turn.role, turn.text) for item in conversations for i, turn in enumerate(item.turns, 1))
    columns = list(zip(*said, strict=True)) or [()] * len(COLUMNS)
    engine.write_table(arrow.table(dict(zip(COLUMNS, map(list, columns), strict=True))), target)


def _engine(path: Path, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        pass
    raise InputError(str(path), None, "Parquet needs pyarrow; run: pip install pyarrow")


def _rows(file: Any, names: list[str]) -> Iterator[Row | Fault]:
    number = 0
    for batch in file.iter_batches(batch_size=_BATCH):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            number += 1
            yield number, dict(zip(names, values, strict=True))
