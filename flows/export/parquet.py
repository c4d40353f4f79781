"""Parquet, a row a turn, with the columns that `semilla` reads back; needs pyarrow."""

from __future__ import annotations

from pathlib import Path

from flows.export.source import Export
from seed_engine.atomic import atomic_path
from seed_engine.readers.parquet import write_parquet


def write(export: Export, target: Path) -> int:
    """Write the file; returns the number of conversations.

    Raises:
        InputError: pyarrow is not installed.
    """
    with atomic_path(target) as path:
        write_parquet(target, export.conversations, path)
    return len(export.conversations)
