"""Perplexity: how surprising a reference language model finds what is said, a token.

exp of the mean negative log likelihood of the tokens of whole conversations, role markers read as words (Jelinek et al.
1977). Worth little alone: stock phrases said again and again have the lowest. So that of the reference set stands
beside it, where one is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from evaluator.metrics.metric import Evidence, Metric
from evaluator.turn_features import read_aloud
from seed_engine.conversation import Conversation

# Beyond this, text is noise to the model, and how much of it no longer matters.
HIGHEST = 10_000.0


def _measure(evidence: Evidence) -> float | None:
    return _perplexity(evidence, evidence.conversations)


def _of_reference(evidence: Evidence) -> float | None:
    return _perplexity(evidence, evidence.reference)


def _perplexity(evidence: Evidence, conversations: Sequence[Conversation]) -> float | None:
    if evidence.likelihood is None or not conversations:
        return None
    count = min(len(conversations), evidence.config.read)
    chosen = (conversations[number * len(conversations) // count] for number in range(count))
    scored = evidence.likelihood(["\n".join(read_aloud(turn.text) for turn in talk.turns) for talk in chosen])
    tokens = sum(size for _, size in scored)
    if not tokens:
        return None
    surprise = -sum(nats for nats, _ in scored) / tokens
    return min(HIGHEST, math.exp(min(surprise, math.log(HIGHEST))))


PERPLEXITY = Metric("perplexity", (1.0, HIGHEST), "lower", _measure)
REFERENCE_PERPLEXITY = Metric("reference_perplexity", (1.0, HIGHEST), "lower", _of_reference)
