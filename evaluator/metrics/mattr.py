"""MATTR: distinct words in a moving window, the lexical diversity that does not fall with length.

Covington and McFall 2010, "Cutting the Gordian knot: the moving-average type-token ratio". A set that is shorter than
the window is measured whole.
"""

from __future__ import annotations

from collections import Counter

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.fold import words


def mattr(tokens: list[str], window: int) -> float | None:
    """Mean share of distinct tokens over all windows, in (0, 1]; None without tokens. Linear time.

    Args:
        tokens: in order.
        window: tokens a window, >= 1.
    """
    if not tokens:
        return None
    window = min(window, len(tokens))
    counts = Counter(tokens[:window])
    total = len(counts)
    for leaving, entering in zip(tokens, tokens[window:], strict=False):
        counts[leaving] -= 1
        if not counts[leaving]:
            del counts[leaving]
        counts[entering] += 1
        total += len(counts)
    return total / (window * (len(tokens) - window + 1))


def _measure(evidence: Evidence) -> float | None:
    tokens = [word for c in evidence.conversations for turn in c.turns for word in words(turn.text)]
    return mattr(tokens, evidence.config.window)


MATTR = Metric("mattr", (0.0, 1.0), "higher", _measure)
