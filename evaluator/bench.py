"""Bench: which measure sees which corruption, on conversations that are known to be good."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluator.discrimination import Measure, corruption_auc
from evaluator.metrics.continuity import continuity
from evaluator.metrics.mattr import mattr
from evaluator.metrics.metric import Embed
from evaluator.metrics.repetition import repetition
from seed_engine.conversation import Conversation
from seed_engine.fold import words


def quality_bench(
    conversations: Sequence[Conversation], embed: Embed, *, window: int = 50, seed: int = 0
) -> dict[str, dict[str, float]]:
    """AUC by measure, by corruption; 0.5 sees nothing, 1.0 everything.

    Args:
        conversations: good ones, at least two of four turns or more; one domain at a time is the harder test.
        embed: sentence embedding (`evaluator.embedding.embed`).
        window: words in the window of lexical diversity.
        seed: of the corruptions.
    """
    measures: dict[str, Measure] = {
        "topic_continuity": lambda talks: _continuity(talks, embed),
        "no_repetition": lambda talks: [1.0 - repetition(talk) for talk in talks],
        "mattr": lambda talks: [mattr(_words(talk), window) or 0.0 for talk in talks],
    }
    return corruption_auc(conversations, measures, seed=seed)


def _continuity(talks: Sequence[Conversation], embed: Embed) -> list[float]:
    vectors = embed([turn.text for talk in talks for turn in talk.turns])
    return continuity(np.split(vectors, np.cumsum([len(talk.turns) for talk in talks])[:-1]))


def _words(talk: Conversation) -> list[str]:
    return [word for turn in talk.turns for word in words(turn.text)]
