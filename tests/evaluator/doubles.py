"""Small conversations and a detector double; all text is the project's own."""

from __future__ import annotations

import re

from seed_engine.conversation import Conversation, Turn
from seed_engine.spans import EntitySpan

CLEAN = (
    "Good morning, I am [PATIENT_1] and my knee hurts since [DATE_1].",
    "Good morning. Did anything happen to the knee, or did the pain come by itself?",
    "It came by itself, after a long walk with [RELATIVE_1].",
    "Then let us look at it tomorrow. Please rest until then.",
)


def talk(*texts: str, ordinal: int = 1, roles: tuple[str, ...] = ("patient", "doctor")) -> Conversation:
    turns = tuple(Turn(role=roles[i % len(roles)], text=text) for i, text in enumerate(texts))
    return Conversation(id=f"syn-{ordinal:06d}", turns=turns, provenance="synthetic", seed_id=f"seed-{ordinal:06d}")


def detect_capitals(conversation: Conversation) -> tuple[tuple[EntitySpan, ...], ...]:
    """Calls every run of capitals personal data, role markers too: a detector that is as wrong as it can be."""
    return tuple(
        tuple(EntitySpan(m.start(), m.end(), "PERSON", 0.9, "capitals") for m in re.finditer(r"[A-Z_]{3,}", turn.text))
        for turn in conversation.turns
    )


def detect_nothing(conversation: Conversation) -> tuple[tuple[EntitySpan, ...], ...]:
    return tuple(() for _ in conversation.turns)
