"""Metric: a named number for a set, with its range and its good end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from evaluator.config import EvaluatorConfig
from evaluator.embedding import Embed
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

if TYPE_CHECKING:
    from evaluator.soundness import Soundness

__all__ = ["Embed", "Evidence", "Likelihood", "Metric"]

# Log probability in nats and number of tokens of each text.
Likelihood = Callable[[Sequence[str]], list[tuple[float, int]]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a metric may look at.

    Attributes:
        conversations: the set.
        config: sizes and bounds.
        seeds: by id; empty when none were given.
        embed: sentence embedding; None when it should not be paid for.
        reference: real conversations to be close to; empty when none were given.
        likelihood: log probability (nats) and tokens of texts by a reference language model; None when it should not be
            paid for.
        judged: soundness of each conversation of `judged_sample`; empty without an embedding.
    """

    conversations: Sequence[Conversation]
    config: EvaluatorConfig
    seeds: Mapping[str, Seed] = field(default_factory=dict)
    embed: Embed | None = None
    reference: Sequence[Conversation] = ()
    likelihood: Likelihood | None = None
    judged: Sequence[Soundness] = ()

    @property
    def judged_sample(self) -> Sequence[Conversation]:
        """The conversations that are judged one by one: all, or `config.judged` of them, evenly spread."""
        count, most = len(self.conversations), self.config.judged
        if count <= most:
            return self.conversations
        return [self.conversations[number * count // most] for number in range(most)]


@dataclass(frozen=True, slots=True)
class Metric:
    """One measure of quality.

    Attributes:
        name: as in scores.json.
        range: lowest and highest possible value.
        better: which end is good.
        measure: the value, or None when the evidence has nothing to measure it on.
    """

    name: str
    range: tuple[float, float]
    better: Literal["higher", "lower"]
    measure: Callable[[Evidence], float | None]
