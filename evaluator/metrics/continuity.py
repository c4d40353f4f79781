"""Topic continuity: how much closer a turn is to the turns before it than to turns of other conversations.

For every turn after the first, the cosine between its sentence embedding and the mean of the three before it, ranked
among turns of other conversations: the share it beats. 0.5 is chance. It tells off-topic replies and crossed
conversations, but not the order of turns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.metric import Evidence, Metric
from evaluator.turn_features import read_aloud
from seed_engine.conversation import Conversation

CONTEXT = 3
# Foreign turns that each turn is ranked among; 64 give a step of 1.6%.
FOREIGN = 64


def continuity(talks: list[NDArray[np.float32]]) -> list[float]:
    """Of each conversation, the mean share of foreign turns that its turns beat, [0, 1].

    Args:
        talks: unit vectors of the turns of each conversation, float32[turns, dimension]; one of a single turn has 0.5.
    """
    owners = np.repeat(np.arange(len(talks)), [len(talk) for talk in talks])
    pool = np.concatenate(talks)
    stream = np.random.default_rng(0)
    shares: list[float] = []
    for owner, talk in enumerate(talks):
        foreign = stream.permutation(np.flatnonzero(owners != owner))[:FOREIGN]
        beaten = [0.5] if len(talk) < 2 or not len(foreign) else []
        for turn in range(1, len(talk) if len(foreign) else 0):
            context = talk[max(0, turn - CONTEXT) : turn].mean(axis=0)
            beaten.append(float((pool[foreign] @ context < talk[turn] @ context).mean()))
        shares.append(sum(beaten) / len(beaten))
    return shares


def _measure(evidence: Evidence) -> float | None:
    sample: list[Conversation] = list(evidence.conversations[: evidence.config.sample])
    if evidence.embed is None or len(sample) < 2:
        return None
    vectors = evidence.embed([read_aloud(turn.text) for conversation in sample for turn in conversation.turns])
    cuts = np.cumsum([len(conversation.turns) for conversation in sample])[:-1]
    shares = continuity(np.split(vectors, cuts))
    return sum(shares) / len(shares)


CONTINUITY = Metric("topic_continuity", (0.0, 1.0), "higher", _measure)
