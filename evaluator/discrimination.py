"""Discrimination: how well a measure tells good conversations from spoilt ones, as AUC.

AUC is the chance that a good conversation scores higher than a spoilt one, ties half (Hanley and McNeil 1982): 0.5 sees
nothing, 1.0 everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import ArrayLike

from evaluator.corruptions import CORRUPTIONS
from seed_engine.conversation import Conversation

# A score for each conversation, higher = better.
Measure = Callable[[Sequence[Conversation]], Sequence[float]]

# With fewer turns a corruption may change nothing.
FEWEST_TURNS = 4


def corruption_auc(
    conversations: Sequence[Conversation], measures: Mapping[str, Measure], *, seed: int = 0
) -> dict[str, dict[str, float]]:
    """AUC of every measure against every corruption of `evaluator.corruptions.CORRUPTIONS`.

    Args:
        conversations: good ones; those under 4 turns are left out; at least two must remain. Strangers are taken from
            the same set, so a set of one domain is the harder test.
        measures: by name.
        seed: of the random stream.

    Returns:
        AUC in [0, 1] by measure, by corruption.
    """
    good = [conversation for conversation in conversations if len(conversation.turns) >= FEWEST_TURNS]
    stream = Random(seed)
    shift = stream.randrange(1, len(good))
    spoilt = {
        name: [corrupt(talk, good[(i + shift) % len(good)], stream) for i, talk in enumerate(good)]
        for name, corrupt in CORRUPTIONS.items()
    }
    table: dict[str, dict[str, float]] = {}
    for name, measure in measures.items():
        high = measure(good)
        table[name] = {corruption: auc(high, measure(talks)) for corruption, talks in spoilt.items()}
    return table


def auc(high: ArrayLike, low: ArrayLike) -> float:
    """Chance that one of `high` exceeds one of `low`, ties half, [0, 1]; n log n.

    Examples:
        >>> auc([3, 2], [1, 2])
        0.875
    """
    values, order = np.asarray(high, dtype=float), np.sort(np.asarray(low, dtype=float))
    below, upto = np.searchsorted(order, values, "left"), np.searchsorted(order, values, "right")
    return float((below + upto).mean() / (2 * len(order)))
