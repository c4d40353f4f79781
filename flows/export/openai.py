"""OpenAI chat JSONL (`messages`), as fine-tuning takes it: it ends with the assistant, and holds at least one reply."""

from __future__ import annotations

import json
from pathlib import Path

from flows.export.chat import instruction, messages
from flows.export.source import Export
from flows.records_io import write_lines
from seed_engine.conversation import Conversation


def write(export: Export, target: Path) -> int:
    """Write the file; returns how many conversations it holds, without those in which nobody replies."""
    return write_lines(target, (line for item in export.conversations if (line := _line(item))))


def _line(conversation: Conversation) -> str:
    said = messages(conversation)
    # What the user says last is answered by nobody, so nothing can be learned from it, and fine-tuning refuses it.
    if said[-1][0] == "user":
        said = said[:-1]
    if not said:
        return ""
    record = [("system", instruction(conversation)), *said]
    return json.dumps({"messages": [{"role": role, "content": text} for role, text in record]}, ensure_ascii=False)
