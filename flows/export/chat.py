"""A conversation as a chat between a user and an assistant, which both chat formats are made from."""

from __future__ import annotations

from generator.scene import side
from seed_engine.conversation import Conversation


def messages(conversation: Conversation) -> list[tuple[str, str]]:
    """`(user|assistant, text)` in turn: who comes with the matter is the user; neighbours are joined."""
    found: list[tuple[str, str]] = []
    for turn in conversation.turns:
        role = "user" if side(turn.role) == "asks" else "assistant"
        if found and found[-1][0] == role:
            found[-1] = (role, f"{found[-1][1]}\n{turn.text}")
        else:
            found.append((role, turn.text))
    return found


def instruction(conversation: Conversation) -> str:
    """The system message: the domain and the language, which the chat formats have no fields for."""
    return f"Domain: {conversation.domain or 'general'}. Language: {conversation.language or 'en'}."
