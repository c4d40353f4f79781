"""The list of formats that a synthetic set is exported in, each with the room that writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flows.errors import UsageError
from flows.export import croissant, hugging_face, openai, parquet, plain, sharegpt
from flows.export.source import Export

Write = Callable[[Export, Path], int]

FORMATS: dict[str, Write] = {
    "jsonl": plain.write,
    "openai": openai.write,
    "sharegpt": sharegpt.write,
    "parquet": parquet.write,
    "huggingface": hugging_face.write,
    "croissant": croissant.write,
}
# These make a folder; the others a file.
FOLDERS = frozenset({"huggingface", "croissant"})


def export_to(export: Export, name: str, target: Path) -> int:
    """Write a set in a format; returns how many conversations were written.

    Raises:
        UsageError: no such format (the known ones are listed), or the folder to write is not empty.
        InputError: the format needs a package that is not installed.
    """
    if name not in FORMATS:
        raise UsageError(f"no such format; known: {', '.join(FORMATS)}")
    if name in FOLDERS and target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target}: is there already; this format writes a new folder")
    return FORMATS[name](export, target)
