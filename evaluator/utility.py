"""Utility: what a classifier learns from synthetic turns, beside what it learns from as many real ones.

Train on synthetic, test on real (TSTR; Esteban, Hyland and Rätsch 2017). The task is to name what a turn does from its
words and those of the turn before. The classifier is one linear layer over sentence embeddings, fitted one class
against the rest by ridge regression: it has one solution, so two runs differ only by their data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from evaluator.embedding import Embed, remembering
from evaluator.turn_features import read_aloud

RIDGE = 1.0
Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A turn and what it does.

    Attributes:
        text: its text.
        before: text of the turn before, empty for the first.
        label: any closed set of labels, the same for all sets.
    """

    text: str
    before: str
    label: str


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Share of test turns named right, with Wilson's 95% interval; all in [0, 1].

    The interval takes turns as independent; those of one conversation are alike, so it is narrower than it should be.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Utility:
    """Accuracy by training set.

    Attributes:
        synthetic: trained on synthetic turns.
        real: trained on as many real turns.
        guess: of always naming the most frequent label of the test set.
        ratio: synthetic / real.
        trained: turns of each training set.
        tested: turns of the test set.
    """

    synthetic: Accuracy
    real: Accuracy
    guess: float
    ratio: float
    trained: int
    tested: int


def utility(
    synthetic: Sequence[LabelledTurn],
    real: Sequence[LabelledTurn],
    test: Sequence[LabelledTurn],
    embed: Embed,
    *,
    most: int = 10_000,
    seed: int = 0,
) -> Utility:
    """Compare two training sets on one real test set.

    Args:
        synthetic: turns of a synthetic set; at least one.
        real: turns of real conversations that are not in `test`; at least one.
        test: turns of real conversations; at least one.
        embed: sentence embedding (`evaluator.embedding.embed`).
        most: turns of each training set, which are drawn equally many; > 0.
        seed: of the draw.
    """
    stream, embed = Random(seed), remembering(embed)
    size = min(most, len(synthetic), len(real))
    asked = [turn.label for turn in test]
    points = _points(test, embed)
    right = {}
    for name, turns in (("synthetic", synthetic), ("real", real)):
        drawn = stream.sample(list(turns), size)
        named = _name(_points(drawn, embed), [turn.label for turn in drawn], points)
        right[name] = sum(one == other for one, other in zip(named, asked, strict=True))
    found, ceiling = (_wilson(right[name], len(test)) for name in ("synthetic", "real"))
    return Utility(
        synthetic=found,
        real=ceiling,
        guess=Counter(asked).most_common(1)[0][1] / len(asked),
        ratio=found.value / ceiling.value if ceiling.value else 0.0,
        trained=size,
        tested=len(test),
    )


def _points(turns: Sequence[LabelledTurn], embed: Embed) -> NDArray[np.float64]:
    """The turn, the turn before, and a constant."""
    said, before = (embed([read_aloud(getattr(turn, part)) for turn in turns]) for part in ("text", "before"))
    return np.concatenate([said, before, np.ones((len(turns), 1))], axis=1).astype(np.float64)


def _name(points: NDArray[np.float64], labels: list[str], asked: NDArray[np.float64]) -> list[str]:
    names = sorted(set(labels))
    targets = np.array([[label == name for name in names] for label in labels], dtype=np.float64)
    weights = np.linalg.solve(points.T @ points + RIDGE * np.eye(points.shape[1]), points.T @ targets)
    return [names[best] for best in (asked @ weights).argmax(axis=1)]


def _wilson(right: int, trials: int) -> Accuracy:
    share, square = right / trials, Z95**2
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    reach = Z95 / (1 + square / trials) * (share * (1 - share) / trials + square / (4 * trials**2)) ** 0.5
    return Accuracy(share, max(0.0, centre - reach), min(1.0, centre + reach))
