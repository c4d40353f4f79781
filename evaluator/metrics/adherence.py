"""Seed adherence: whether a conversation does what its seed asks, turn by turn.

Of every step of a seed's flow: is there a turn, is it the right speaker's, and does it hold the step's role markers
(and no marker that the seed does not have)? Slot labels and acts are not read from the text: that takes a model.
"""

from __future__ import annotations

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.conversation import Conversation
from seed_engine.markers import iter_markers
from seed_engine.seed import Seed


def adherence(conversation: Conversation, seed: Seed) -> float:
    """Share of steps and turns that agree, [0, 1]; a missing or a surplus turn agrees with nothing."""
    known = {slot for step in seed.flow for slot in step.slots if slot.startswith("[")}
    agreeing = 0
    for turn, step in zip(conversation.turns, seed.flow, strict=False):
        markers = {str(marker) for _, _, marker in iter_markers(turn.text)}
        asked = {slot for slot in step.slots if slot.startswith("[")}
        agreeing += turn.role == step.role and asked <= markers <= known and bool(turn.text.strip())
    return agreeing / max(len(conversation.turns), len(seed.flow))


def role_order(conversation: Conversation, seed: Seed) -> float:
    """Share of turns said by the speaker whom the seed names, [0, 1]."""
    right = sum(turn.role == step.role for turn, step in zip(conversation.turns, seed.flow, strict=False))
    return right / max(len(conversation.turns), len(seed.flow))


def _mean(measured: list[float]) -> float | None:
    return sum(measured) / len(measured) if measured else None


def _pairs(evidence: Evidence) -> list[tuple[Conversation, Seed]]:
    found = ((conversation, evidence.seeds.get(conversation.seed_id or "")) for conversation in evidence.conversations)
    return [(conversation, seed) for conversation, seed in found if seed is not None]


SEED_ADHERENCE = Metric(
    "seed_adherence", (0.0, 1.0), "higher", lambda evidence: _mean([adherence(c, s) for c, s in _pairs(evidence)])
)
ROLE_ORDER = Metric(
    "role_order", (0.0, 1.0), "higher", lambda evidence: _mean([role_order(c, s) for c, s in _pairs(evidence)])
)
