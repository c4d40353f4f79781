"""Synthetic conversations in UNCASE's form, as JSON objects or CSV rows (the readers take both back in)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seed_engine.conversation import Conversation
from seed_engine.uncase.records import DOMAINS

CSV_COLUMNS = ("conversation_id", "turn_number", "role", "content", "seed_id", "domain")


def to_uncase_conversation(conversation: Conversation) -> dict[str, Any]:
    """The conversation as UNCASE writes it; a domain that UNCASE lacks keeps its own name.

    Raises:
        ValueError: the conversation is not synthetic: only what may be published is handed on.
    """
    if conversation.provenance != "synthetic":
        raise ValueError("only synthetic conversations are written in another's form")
    turns: list[dict[str, Any]] = [
        {
            "turno": number,
            "rol": turn.role,
            "contenido": turn.text,
            "herramientas_usadas": [],
            "tool_calls": None,
            "tool_results": None,
            "metadata": {},
        }
        for number, turn in enumerate(conversation.turns, 1)
    ]
    return {
        "conversation_id": conversation.id,
        "seed_id": conversation.seed_id or "",
        "dominio": _domain(conversation),
        "idioma": conversation.language or "",
        "turnos": turns,
        "es_sintetica": True,
        "metadata": {},
    }


def csv_rows(conversation: Conversation) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a synthetic conversation, in the order of `CSV_COLUMNS`."""
    record = to_uncase_conversation(conversation)
    for turn in record["turnos"]:
        number, role, text = str(turn["turno"]), turn["rol"], turn["contenido"]
        yield record["conversation_id"], number, role, text, record["seed_id"], record["dominio"]


def _domain(conversation: Conversation) -> str:
    own = conversation.domain or ""
    return next((name for name, known in DOMAINS.items() if known == own), own)
