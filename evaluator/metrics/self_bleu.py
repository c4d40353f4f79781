"""Self-BLEU: how far the words of one conversation are those of the others.

Zhu et al. 2018, "Texygen". BLEU-4 (Papineni et al. 2002) of a conversation against all others of the sample, n-gram
counts clipped by their maximum in any other; the mean over the sample. Add-one smoothing for n > 1 (Lin and Och 2004).
"""

from __future__ import annotations

from collections import Counter
from math import exp, log

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.fold import words

ORDER = 4
# All pairs are compared through shared n-gram counts; this many conversations say enough.
SAMPLE = 200

Gram = tuple[str, ...]


def self_bleu(texts: list[list[str]]) -> float | None:
    """Mean BLEU-4 of each text against all others, in [0, 1]; None for fewer than two texts with words."""
    texts = [text for text in texts if text]
    if len(texts) < 2:
        return None
    grams = [[Counter(zip(*(text[i:] for i in range(n)), strict=False)) for n in range(1, ORDER + 1)] for text in texts]
    highest = [_two_highest([counts[n] for counts in grams]) for n in range(ORDER)]
    lengths = [len(text) for text in texts]
    return sum(_bleu(i, grams[i], highest, lengths) for i in range(len(texts))) / len(texts)


def _two_highest(counts: list[Counter[Gram]]) -> dict[Gram, tuple[int, int, int]]:
    """For each n-gram: its highest count, the text that has it, and the highest count among the others."""
    best: dict[Gram, tuple[int, int, int]] = {}
    for owner, grams in enumerate(counts):
        for gram, count in grams.items():
            first, holder, second = best.get(gram, (0, -1, 0))
            best[gram] = (count, owner, first) if count > first else (first, holder, max(second, count))
    return best


def _bleu(
    index: int, grams: list[Counter[Gram]], highest: list[dict[Gram, tuple[int, int, int]]], lengths: list[int]
) -> float:
    logs = 0.0
    for n, counts in enumerate(grams):
        clipped = 0
        for gram, count in counts.items():
            first, holder, second = highest[n][gram]
            clipped += min(count, second if holder == index else first)
        smooth = 1 if n else 0
        precision = (clipped + smooth) / (counts.total() + smooth)
        if precision == 0:
            return 0.0
        logs += log(precision) / ORDER
    length = lengths[index]
    closest = min((other for i, other in enumerate(lengths) if i != index), key=lambda n: (abs(n - length), n))
    return exp(logs + min(0.0, 1 - closest / length))


def _measure(evidence: Evidence) -> float | None:
    sample = evidence.conversations[: min(SAMPLE, evidence.config.sample)]
    return self_bleu([[word for turn in c.turns for word in words(turn.text)] for c in sample])


SELF_BLEU = Metric("self_bleu", (0.0, 1.0), "lower", _measure)
