"""Metric: a named number for a set, with its range and its good end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluator.config import EvaluatorConfig
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

# Texts to unit vectors, float32[texts, dimension].
Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a metric may look at.

    Attributes:
        conversations: the set.
        config: sizes and bounds.
        seeds: by id; empty when none were given.
        embed: sentence embedding; None when it should not be paid for.
    """

    conversations: Sequence[Conversation]
    config: EvaluatorConfig
    seeds: Mapping[str, Seed] = field(default_factory=dict)
    embed: Embed | None = None


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
