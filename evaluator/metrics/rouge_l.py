"""ROUGE-L: how much of the wording of the nearest real conversation comes back in a synthetic one, in order.

Lin 2004, "ROUGE: a package for automatic evaluation of summaries", F1 over words by longest common subsequence. The
nearest is sought in a sample of the reference. It is no goal to be high: between unrelated conversations of one domain
it is about 0.2 to 0.35, and towards 1 a set copies its reference.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.lcs import lcs_length
from evaluator.metrics.metric import Evidence, Metric
from seed_engine.conversation import Conversation
from seed_engine.fold import words

# All pairs of the two samples are compared; these many take a few seconds.
SAMPLE = 60


def rouge_l(one: Sequence[str], two: Sequence[str]) -> float:
    """F1 of the longest common subsequence of two word sequences, [0, 1]."""
    if not one or not two:
        return 0.0
    return 2 * lcs_length(one, two) / (len(one) + len(two))


def _measure(evidence: Evidence) -> float | None:
    texts = [_words(conversation) for conversation in evidence.conversations[:SAMPLE]]
    real = [_words(conversation) for conversation in evidence.reference[:SAMPLE]]
    if not texts or not real:
        return None
    return sum(max(rouge_l(text, other) for other in real) for text in texts) / len(texts)


def _words(conversation: Conversation) -> list[str]:
    return [word for turn in conversation.turns for word in words(turn.text)]


ROUGE_L = Metric("rouge_l", (0.0, 1.0), "higher", _measure)
