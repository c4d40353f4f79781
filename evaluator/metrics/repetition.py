"""Repetition: share of turns that say again what was said before in the same conversation.

A turn repeats when at least 80% of its words, counted with their number, stand in one earlier turn of at least four
words; short turns ("Yes, please.") may come back and are not counted.
"""

from __future__ import annotations

from collections import Counter

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.conversation import Conversation
from seed_engine.fold import words

SHARE = 0.8
FEWEST_WORDS = 4


def repetition(conversation: Conversation) -> float:
    """Repeating turns / turns of four words or more, [0, 1]; 0.0 when there is none so long."""
    said: list[Counter[str]] = []
    repeated = 0
    for turn in conversation.turns:
        counts = Counter(words(turn.text))
        if counts.total() < FEWEST_WORDS:
            continue
        repeated += any(_repeats(counts, earlier) for earlier in said)
        said.append(counts)
    return repeated / len(said) if said else 0.0


def _repeats(counts: Counter[str], earlier: Counter[str]) -> bool:
    # Words that the earlier turn lacks altogether settle most pairs, ten times faster than counting does.
    lacking = len(counts.keys() - earlier.keys())
    needed = SHARE * counts.total()
    return counts.total() - lacking >= needed and (counts & earlier).total() >= needed


def _measure(evidence: Evidence) -> float | None:
    shares = [repetition(conversation) for conversation in evidence.conversations]
    return sum(shares) / len(shares) if shares else None


REPETITION = Metric("repetition", (0.0, 1.0), "lower", _measure)
