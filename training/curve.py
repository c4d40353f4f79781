"""A learning curve that costs no privacy: the loss, step by step, of texts that were public before the training.

Guarantees:
    The accountant of DP-SGD covers every iterate, not the last alone, and a loss of an iterate on texts fixed
    beforehand is post-processing. A loss on the training data would be a release of its own, outside the account; so
    would the norm of a gradient before the noise.
"""

from __future__ import annotations

from typing import Any

from seed_engine.conversation import Conversation, Turn
from training.compute import Precision, products
from training.dataset import Tokenizer, conversation_windows
from training.loss import padded, record_loss

# Losses taken beside the one before the first step; each costs a forward pass over some 150 tokens.
POINTS = 10
_SPOKEN = {
    ("customer", "agent"): (
        "Hello, my parcel hasn't come yet. Can you look where it is?",
        "I'm sorry about that. It left the depot this morning and should be with you tomorrow.",
    ),
    ("student", "tutor"): (
        "I don't see why the two fractions are equal.",
        "Try to divide both numbers of the first one by three. What do you get?",
    ),
    ("doctor", "patient"): (
        "How long have you had the cough?",
        "For about two weeks. It's worse at night, and I can hardly sleep.",
    ),
}
PUBLIC = tuple(
    Conversation(id=f"public {place}", turns=tuple(Turn(role=r, text=t) for r, t in zip(roles, texts, strict=True)))
    for place, (roles, texts) in enumerate(_SPOKEN.items())
)


def public_windows(tokenizer: Tokenizer, max_length: int) -> list[tuple[int, ...]]:
    """The first window of each public conversation."""
    return [conversation_windows(conversation, tokenizer, max_length)[0] for conversation in PUBLIC]


def due(step: int, steps: int) -> bool:
    """Whether the loss is taken after this step: `POINTS` times at most, and at the end."""
    return step == steps or step % -(-steps // POINTS) == 0


def public_loss(model: Any, windows: list[tuple[int, ...]], precision: Precision) -> float:
    """Mean over the windows of their mean negative log likelihood a token, nats; the lower, the likelier."""
    import torch

    with torch.no_grad(), products(precision):
        return float(record_loss(model)(*padded(windows)).mean())
