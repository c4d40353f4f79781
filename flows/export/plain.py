"""Conversation JSONL: the house's own format, one conversation a line, as `semilla generate` writes it."""

from __future__ import annotations

from pathlib import Path

from flows.export.source import Export
from flows.records_io import write_records
from generator.render import Rendered
from seed_engine.conversation import Conversation


def write(export: Export, target: Path) -> int:
    """Write the file; returns the number of conversations."""
    return write_records(target, map(_as_generated, export.conversations))


def _as_generated(item: Rendered) -> Conversation:
    """Without surrogates the record is the one of synthetic.jsonl, which has no such field."""
    return item if item.surrogates else Conversation(**item.model_dump(exclude={"surrogates"}))
