"""A lower bound on epsilon from one training run, by guessing which canaries were trained on.

Steinke, Nasr, Jagielski, "Privacy Auditing with One (1) Training Run", 2023, Theorem 5.2 and Algorithm 1.

Guarantees:
    If the training is (epsilon, delta)-DP and each canary was included by an independent fair coin, then
    `epsilon_lower_bound <= epsilon` with probability >= confidence. The converse does not hold: a low bound says that
    this audit saw nothing, up to its ceiling.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from seed_engine.conversation import Boundary

# Shares of the canaries that are guessed, fixed beforehand; each bound pays for being one of four (Bonferroni).
GUESS_SHARES = (0.05, 0.15, 0.4, 1.0)


class Audit(Boundary):
    """What one run shows about its own epsilon.

    Attributes:
        epsilon_lower_bound: >= 0; above the claimed epsilon, the claim is refuted.
        ceiling: the bound if every guess had been right; no audit of this size can show more.
        guesses: canaries guessed, of `canaries`.
        correct: right guesses.
        canaries: canaries that a coin was flipped for.
        confidence: of the bound, in (0.5, 1).
    """

    epsilon_lower_bound: float
    ceiling: float
    guesses: int
    correct: int
    canaries: int
    confidence: float


def audit_one_run(
    member_scores: NDArray[np.float64], nonmember_scores: NDArray[np.float64], delta: float, confidence: float
) -> Audit:
    """Bound epsilon from below.

    Args:
        member_scores: Float64[n], higher = more likely a member; only canaries whose coin said "in".
        nonmember_scores: the same for those whose coin said "out".
        delta: of the claim, in [0, 1).
        confidence: of the bound, in (0.5, 1).
    """
    scores = np.concatenate([member_scores, nonmember_scores])
    canaries = len(scores)
    is_member = np.arange(canaries) < len(member_scores)
    # Ties must not be broken by the order of the list, in which members come first.
    shuffled = np.random.default_rng(0).permutation(canaries)
    order = shuffled[np.argsort(scores[shuffled], kind="stable")]
    tail = (1 - confidence) / len(GUESS_SHARES)
    best = Audit(epsilon_lower_bound=0.0, ceiling=0.0, guesses=0, correct=0, canaries=canaries, confidence=confidence)
    ceiling = 0.0
    for share in GUESS_SHARES:
        side = int(canaries * share / 2)
        if side == 0:
            continue
        out, into = order[:side], order[canaries - side :]
        correct = int(is_member[into].sum() + (~is_member[out]).sum())
        bound = epsilon_bound(canaries, 2 * side, correct, delta, tail)
        ceiling = max(ceiling, epsilon_bound(canaries, 2 * side, 2 * side, delta, tail))
        if bound >= best.epsilon_lower_bound:
            best = best.model_copy(
                update={"epsilon_lower_bound": bound, "guesses": 2 * side, "correct": correct, "ceiling": ceiling}
            )
    return best.model_copy(update={"ceiling": ceiling})


def epsilon_bound(canaries: int, guesses: int, correct: int, delta: float, tail: float) -> float:
    """The largest epsilon (to 0.001) that so many correct guesses refute; 0 when they refute none.

    >>> round(epsilon_bound(100, 100, 100, 0.0, 0.05), 1)
    3.5
    """

    def refuted(epsilon: float) -> bool:
        return p_value(canaries, guesses, correct, epsilon, delta) < tail

    return _last_true(refuted) if refuted(0.0) else 0.0


def p_value(canaries: int, guesses: int, correct: int, epsilon: float, delta: float) -> float:
    """Largest probability of `correct` or more right guesses under any (epsilon, delta)-DP training."""
    from scipy.stats import binom

    accuracy = 1 / (1 + np.exp(-epsilon))
    beta = float(binom.sf(correct - 1, guesses, accuracy))
    # P[correct > X >= correct - i] for i = 1.., X ~ Binomial(guesses, accuracy); alpha = max over i of that over i.
    below = np.cumsum(binom.pmf(np.arange(correct - 1, -1, -1), guesses, accuracy))
    alpha = float(np.max(below / np.arange(1, correct + 1), initial=0.0))
    return min(1.0, beta + 2 * canaries * delta * alpha)


def _last_true(holds: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    while holds(high):
        low, high = high, high * 2
        if high > 64:
            return low
    while high - low > 0.001:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
