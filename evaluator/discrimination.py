"""Discrimination: how well a measure tells good conversations from spoilt ones, as AUC.

AUC is the chance that a good conversation scores higher than a spoilt one, ties half (Hanley and McNeil 1982): 0.5 sees
nothing, 1.0 everything. Its interval is DeLong, DeLong and Clarke-Pearson's (1988) for two independent samples; good
and spoilt conversations come in pairs, which makes it wider than it need be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from evaluator.corruptions import CORRUPTIONS
from seed_engine.conversation import Conversation

# A score for each conversation, higher = better.
Measure = Callable[[Sequence[Conversation]], Sequence[float]]
# Scores of the same conversations by several measures, by name.
Measures = Callable[[Sequence[Conversation]], Mapping[str, Sequence[float]]]

# With fewer turns a corruption may change nothing.
FEWEST_TURNS = 4


@dataclass(frozen=True, slots=True)
class Auc:
    """An AUC with its interval, all in [0, 1]."""

    value: float
    low: float
    high: float


def discrimination(
    conversations: Sequence[Conversation],
    measures: Measures,
    *,
    strangers: Sequence[Conversation] = (),
    seed: int = 0,
    confidence: float = 0.95,
) -> dict[str, dict[str, Auc]]:
    """AUC of every measure against every corruption of `evaluator.corruptions.CORRUPTIONS`.

    Args:
        conversations: good ones; those under 4 turns are left out; at least two must remain.
        measures: scores conversations, higher = better.
        strangers: whose turns are mixed in; the conversations themselves without them, which for a set of one domain
            is the harder test.
        seed: of the random stream.
        confidence: of the intervals, (0, 1).

    Returns:
        AUC by measure, by corruption.
    """
    good = [conversation for conversation in conversations if len(conversation.turns) >= FEWEST_TURNS]
    stream = Random(seed)
    shift = stream.randrange(1, len(good))
    others = [stream.choice(strangers) for _ in good] if strangers else [*good[shift:], *good[:shift]]
    high = measures(good)
    table: dict[str, dict[str, Auc]] = {name: {} for name in high}
    for name, corrupt in CORRUPTIONS.items():
        low = measures([corrupt(talk, other, stream) for talk, other in zip(good, others, strict=True)])
        for measure in table:
            table[measure][name] = auc_interval(high[measure], low[measure], confidence)
    return table


def corruption_auc(
    conversations: Sequence[Conversation], measures: Mapping[str, Measure], *, seed: int = 0
) -> dict[str, dict[str, float]]:
    """`discrimination` of single measures, without intervals."""

    def together(talks: Sequence[Conversation]) -> dict[str, Sequence[float]]:
        return {name: measure(talks) for name, measure in measures.items()}

    table = discrimination(conversations, together, seed=seed)
    return {name: {corruption: auc.value for corruption, auc in row.items()} for name, row in table.items()}


def auc(high: ArrayLike, low: ArrayLike) -> float:
    """Chance that one of `high` exceeds one of `low`, ties half, [0, 1]; n log n.

    Examples:
        >>> auc([3, 2], [1, 2])
        0.875
    """
    return float(_beaten(high, low).mean())


def auc_interval(high: ArrayLike, low: ArrayLike, confidence: float = 0.95) -> Auc:
    """`auc` with a two-sided interval, clipped to [0, 1]; one conversation on a side gives the whole range.

    Where the samples are wholly apart, DeLong's variance is 0 and says nothing: the bound is then the exact one of
    Clopper and Pearson (1934) for no miss among as many trials as the smaller sample has.
    """
    wins, losses = _beaten(high, low), _beaten(np.negative(low), np.negative(high))
    value = float(wins.mean())
    if len(wins) < 2 or len(losses) < 2:
        return Auc(value, 0.0, 1.0)
    if value in (0.0, 1.0):
        reach = 1 - float(((1 - confidence) / 2) ** (1 / min(len(wins), len(losses))))
        return Auc(value, max(0.0, value - reach), min(1.0, value + reach))
    variance = wins.var(ddof=1) / len(wins) + losses.var(ddof=1) / len(losses)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * float(np.sqrt(variance))
    return Auc(value, max(0.0, value - reach), min(1.0, value + reach))


def _beaten(high: ArrayLike, low: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of each of `high`, the share of `low` that it exceeds, ties half."""
    values, order = np.asarray(high, dtype=float), np.sort(np.asarray(low, dtype=float))
    below, upto = np.searchsorted(order, values, "left"), np.searchsorted(order, values, "right")
    shares: np.ndarray[tuple[int], np.dtype[np.float64]] = (below + upto) / (2 * len(order))
    return shares
