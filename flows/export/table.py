"""A conversation as a record of fixed columns, for formats that declare their features."""

from __future__ import annotations

from typing import Any

from seed_engine.conversation import Conversation


def record(conversation: Conversation) -> dict[str, Any]:
    """`id`, `seed_id`, `domain`, `language` and `turns`; every column is there, and none is null."""
    return {
        "id": conversation.id,
        "seed_id": conversation.seed_id or "",
        "domain": conversation.domain or "",
        "language": conversation.language or "",
        "turns": [{"role": turn.role, "text": turn.text} for turn in conversation.turns],
    }
