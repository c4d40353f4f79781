"""ShareGPT JSONL (`conversations` of `from` and `value`), with `system` beside it, as trainers read it."""

from __future__ import annotations

import json
from pathlib import Path

from flows.export.chat import instruction, messages
from flows.export.source import Export
from flows.records_io import write_lines
from seed_engine.conversation import Conversation

_NAMES = {"user": "human", "assistant": "gpt"}


def write(export: Export, target: Path) -> int:
    """Write the file; returns the number of conversations."""
    return write_lines(target, map(_line, export.conversations))


def _line(conversation: Conversation) -> str:
    said = [{"from": _NAMES[role], "value": text} for role, text in messages(conversation)]
    record = {"id": conversation.id, "system": instruction(conversation), "conversations": said}
    return json.dumps(record, ensure_ascii=False)
