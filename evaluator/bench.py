"""Bench: which measure sees which corruption, on conversations that are known to be good."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.config import EvaluatorConfig
from evaluator.discrimination import Auc, discrimination
from evaluator.embedding import remembering
from evaluator.metrics.composite import passes
from evaluator.metrics.continuity import continuity
from evaluator.metrics.mattr import mattr
from evaluator.metrics.metric import Embed
from evaluator.metrics.repetition import repetition
from evaluator.metrics.soundness import PARTS
from evaluator.soundness import CoherenceModel, soundness
from seed_engine.conversation import Conversation
from seed_engine.fold import words

Half = Literal["all", "seen", "unseen"]


@dataclass(frozen=True, slots=True)
class QualityBench:
    """What the measures saw in one set.

    Attributes:
        conversations: good ones with at least four turns.
        passing: share of them that pass, [0, 1].
        table: AUC by measure, by corruption.
    """

    conversations: int
    passing: float
    table: dict[str, dict[str, Auc]]


def quality_bench(
    conversations: Sequence[Conversation],
    embed: Embed,
    *,
    config: EvaluatorConfig | None = None,
    strangers: Sequence[Conversation] = (),
    seed: int = 0,
    model: CoherenceModel | None = None,
) -> QualityBench:
    """AUC of the composite and of every measure that looks at one conversation, with intervals.

    Args:
        conversations: good ones, at least two of four turns or more.
        embed: sentence embedding (`evaluator.embedding.embed`).
        config: sizes, and what makes up the composite.
        strangers: whose turns are mixed in; the set itself without them, the harder test.
        seed: of the corruptions.
        model: of soundness; the shipped one unless given.
    """
    settings, embed = config or EvaluatorConfig(), remembering(embed)
    passed: list[float] = []

    def measures(talks: Sequence[Conversation]) -> dict[str, list[float]]:
        judged = soundness(talks, embed, model)
        found = [passes(talk, None, one, settings) for talk, one in zip(talks, judged, strict=True)]
        # The good ones are measured first.
        passed.append(sum(good for _, good in found) / len(found))
        return {
            "composite": [score for score, _ in found],
            **{name: [part(one) for one in judged] for name, part in PARTS.items()},
            "topic_continuity": _continuity(talks, embed),
            "no_repetition": [1.0 - repetition(talk) for talk in talks],
            "mattr": [mattr(_words(talk), settings.window) or 0.0 for talk in talks],
        }

    table = discrimination(conversations, measures, strangers=strangers, seed=seed)
    return QualityBench(sum(len(talk.turns) >= 4 for talk in conversations), passed[0], table)


def half_of(conversations: Sequence[Conversation], half: Half) -> list[Conversation]:
    """The conversations that the shipped network could have learnt from, or those that it never saw, by their ids.

    Halves are told by a digest of the id, as `scripts/train_coherence.py` tells them.
    """
    odd = {talk.id: hashlib.sha256(talk.id.encode()).digest()[0] % 2 == 1 for talk in conversations}
    return [talk for talk in conversations if half == "all" or odd[talk.id] == (half == "unseen")]


def _continuity(talks: Sequence[Conversation], embed: Embed) -> list[float]:
    vectors = embed([turn.text for talk in talks for turn in talk.turns])
    return continuity(np.split(vectors, np.cumsum([len(talk.turns) for talk in talks])[:-1]))


def _words(talk: Conversation) -> list[str]:
    return [word for turn in talk.turns for word in words(turn.text)]
