"""How well chains of mentions agree with gold ones: MUC, B3, CEAF-e and their mean, the CoNLL score.

Sources: MUC, Vilain et al. 1995; B3, Bagga and Baldwin 1998; CEAF with the entity similarity phi4, Luo 2005; the mean,
Pradhan et al. 2012 (CoNLL-2012). Recall and precision are summed over conversations, as the reference scorer does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Chain = frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class Tally:
    """Numerators and denominators of recall and precision, so that conversations add up."""

    found: float = 0.0
    gold: float = 0.0
    right: float = 0.0
    predicted: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.found + other.found,
            self.gold + other.gold,
            self.right + other.right,
            self.predicted + other.predicted,
        )

    @property
    def recall(self) -> float:
        """In [0, 1], higher = fewer gold links missed; 1 when there were none."""
        return self.found / self.gold if self.gold else 1.0

    @property
    def precision(self) -> float:
        """In [0, 1], higher = fewer links wrong; 1 when none was made."""
        return self.right / self.predicted if self.predicted else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision, in [0, 1]."""
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


def conll_scores(pairs: Iterable[tuple[Sequence[Chain], Sequence[Chain]]]) -> dict[str, float]:
    """F1 of MUC, B3 and CEAF-e over all conversations, and their mean as `conll`; each in [0, 1], higher = better.

    Args:
        pairs: a conversation's gold chains and its predicted ones. A mention stands in at most one chain of each side.
    """
    muc, b3, ceaf = Tally(), Tally(), Tally()
    for gold, predicted in pairs:
        muc += Tally(*_muc(gold, predicted), *_muc(predicted, gold))
        b3 += Tally(*_b3(gold, predicted), *_b3(predicted, gold))
        overlap = _ceaf(gold, predicted)
        ceaf += Tally(overlap, len(gold), overlap, len(predicted))
    scores = {"muc": muc.f1, "b3": b3.f1, "ceaf_e": ceaf.f1}
    return {"conll": sum(scores.values()) / len(scores)} | scores


def _muc(key: Sequence[Chain], response: Sequence[Chain]) -> tuple[float, float]:
    """Links of the key that the response keeps, and all its links."""
    of = _chain_of(response)
    kept = links = 0
    for chain in key:
        parts = {of[mention] for mention in chain if mention in of}
        alone = sum(mention not in of for mention in chain)
        kept += len(chain) - len(parts) - alone
        links += len(chain) - 1
    return kept, links


def _b3(key: Sequence[Chain], response: Sequence[Chain]) -> tuple[float, float]:
    """Share of each mention's key chain that the response puts with it, summed, and the number of mentions."""
    of = _chain_of(response)
    shared = 0.0
    for chain in key:
        shared += sum(len(chain & response[of[mention]]) / len(chain) for mention in chain if mention in of)
    return shared, sum(map(len, key))


def _ceaf(gold: Sequence[Chain], predicted: Sequence[Chain]) -> float:
    """Greatest sum of similarities phi4 when each chain is paired with at most one of the other side."""
    from scipy.optimize import linear_sum_assignment

    if not gold or not predicted:
        return 0.0
    table = [[2 * len(one & other) / (len(one) + len(other)) for other in predicted] for one in gold]
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(sum(table[row][column] for row, column in zip(rows, columns, strict=True)))


def _chain_of(chains: Sequence[Chain]) -> Mapping[Hashable, int]:
    return {mention: i for i, chain in enumerate(chains) for mention in chain}
