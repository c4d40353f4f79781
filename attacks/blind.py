"""The blind baseline: can members be told from non-members by their words or their length, without any model?

If they can, the two sides do not come from one distribution, and a membership attack would measure that difference
instead of what the model remembers (Das et al. 2024, arXiv:2406.16201). The verdict is then `inconclusive`.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from attacks.roc import auc
from attacks.target import Float64

_BUCKETS = 4096
_FOLDS = 5
_MOST = 2000
_SHARED = 1.5
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class BlindBaseline:
    """How well words, or mere length, tell the sides apart; the one of the two that stands higher in its own range.

    Attributes:
        auc: of words cross-validated, of length in whichever direction it tells; in [0, 1], 0.5 = guessing.
        limit: largest AUC still taken for guessing, at half of the asked level.
    """

    auc: float
    limit: float

    @property
    def at_chance(self) -> bool:
        """Whether words and length do no better than guessing."""
        return self.auc <= self.limit


def blind_baseline(members: Sequence[str], nonmembers: Sequence[str], *, level: float, seed: int) -> BlindBaseline:
    """Five-fold naive Bayes over words and letter trigrams, and the length of the texts beside it.

    Args:
        members: at least 5 texts; of more than 2,000 a random 2,000.
        nonmembers: the same.
        level: false-alarm rate in (0, 1), by the normal limit of the Mann-Whitney statistic, widened for the folds.
        seed: of the folds.
    """
    rng = np.random.default_rng(seed)
    sides = _sample(members, rng), _sample(nonmembers, rng)
    told = (_by_words(*sides, level / 2, rng), _by_length(*sides, level / 2))
    return max(told, key=lambda found: (found.auc - 0.5) / (found.limit - 0.5))


def _by_words(
    members: Sequence[str], nonmembers: Sequence[str], level: float, rng: np.random.Generator
) -> BlindBaseline:
    inside, outside = _features(members), _features(nonmembers)
    folds_in, folds_out = (rng.permutation(len(side)) % _FOLDS for side in (inside, outside))
    # Judged per feature: a sum over a longer text would only repeat its length, and hide the words.
    shares_in, shares_out = (side / np.maximum(side.sum(axis=1, keepdims=True), 1.0) for side in (inside, outside))
    found = []
    for fold in range(_FOLDS):
        weights = _log_odds(inside[folds_in != fold]) - _log_odds(outside[folds_out != fold])
        found.append(auc(shares_in[folds_in == fold] @ weights, shares_out[folds_out == fold] @ weights))
    n, m = len(inside), len(outside)
    # Folds are ranked apart, so the variance is that of five small comparisons averaged, not of one large one.
    # The folds share their training texts, which spreads their mean further: measured at 1.35 to 1.45 times.
    deviation = _SHARED * _deviation(n / _FOLDS, m / _FOLDS) / math.sqrt(_FOLDS)
    return BlindBaseline(float(np.mean(found)), 0.5 + NormalDist().inv_cdf(1.0 - level) * deviation)


def _by_length(members: Sequence[str], nonmembers: Sequence[str], level: float) -> BlindBaseline:
    longer = auc(*(np.array([float(len(text)) for text in side]) for side in (members, nonmembers)))
    deviation = _deviation(len(members), len(nonmembers))
    return BlindBaseline(max(longer, 1.0 - longer), 0.5 + NormalDist().inv_cdf(1.0 - level / 2) * deviation)


def _deviation(n: float, m: float) -> float:
    """Standard deviation of the AUC of n and m exchangeable scores."""
    return math.sqrt((n + m + 1) / (12 * n * m))


def _sample(texts: Sequence[str], rng: np.random.Generator) -> list[str]:
    if len(texts) <= _MOST:
        return list(texts)
    return [texts[i] for i in rng.choice(len(texts), _MOST, replace=False)]


def _features(texts: Sequence[str]) -> Float64:
    counts = np.zeros((len(texts), _BUCKETS))
    for row, text in enumerate(texts):
        lowered = text.casefold()
        parts = _WORD.findall(lowered) + [lowered[i : i + 3] for i in range(len(lowered) - 2)]
        for part in parts:
            counts[row, zlib.crc32(part.encode()) % _BUCKETS] += 1
    return counts


def _log_odds(counts: Float64) -> Float64:
    smoothed = counts.sum(axis=0) + 0.5
    return np.asarray(np.log(smoothed / smoothed.sum()), dtype=np.float64)
