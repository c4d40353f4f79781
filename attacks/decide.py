"""The membership decision: who is recognised, by a scorer and a threshold that were fixed without them.

Guarantees:
    No member is judged by a scorer that its own score helped to choose (two-fold cross-fitting over the members), and
    the non-members that set the threshold never help to choose. So on a model that learned nothing, members and
    calibration non-members are exchangeable and one member exceeds all N of them with probability at most 1/(N + 1):
    the false-positive rate that is fixed beforehand. n members give `count` or more by chance with probability
    `chance(count, n, N)`, whatever the scores' distribution. That is exact where one scorer judges both halves; where
    two independent ones do, three or more successes are less likely still, wherever it is below a fifth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attacks.config import AttackConfig
from attacks.roc import low_fpr_tpr
from attacks.target import Float64
from attacks.verdict import judge


@dataclass(frozen=True, slots=True)
class Decision:
    """What the decision found.

    Attributes:
        successes: members above every calibration non-member.
        trials: members judged, all of them.
        calibration: non-members that set the threshold, N; the false-positive rate is at most 1 / (N + 1).
        chance: probability of at least as many successes on a model that learned nothing.
        strongest: scorer chosen for each half of the members.
    """

    successes: int
    trials: int
    calibration: int
    chance: float
    strongest: tuple[str, str]


def decide(
    members: Mapping[str, Float64],
    nonmembers: Mapping[str, Float64],
    *,
    selection_share: float,
    seed: int,
) -> Decision:
    """Choose the strongest scorer on one part, count the recognised members on the other.

    Args:
        members: scorer to Float64[n], n >= 2, higher = more likely a member.
        nonmembers: scorer to Float64[m], m >= 2, the same scorers.
        selection_share: share of the non-members that help to choose.
        seed: of the random split.
    """
    count, others = len(next(iter(members.values()))), len(next(iter(nonmembers.values())))
    rng = np.random.default_rng(seed)
    shuffled, shuffled_others = rng.permutation(count), rng.permutation(others)
    cut = min(max(1, round(selection_share * others)), others - 1)
    chooses, calibrates = shuffled_others[:cut], shuffled_others[cut:]
    halves = (shuffled[: count // 2], shuffled[count // 2 :])
    successes, strongest = 0, []
    for chosen_on, judged in (halves, halves[::-1]):
        # max() keeps the first of equals, so ties fall to the order of the list, not to chance.
        name = max(members, key=lambda s: low_fpr_tpr(members[s][chosen_on], nonmembers[s][chooses]))
        successes += int((members[name][judged] > nonmembers[name][calibrates].max()).sum())
        strongest.append(name)
    return Decision(
        successes=successes,
        trials=count,
        calibration=len(calibrates),
        chance=chance(successes, count, len(calibrates)),
        strongest=(strongest[0], strongest[1]),
    )


def chance(successes: int, members: int, nonmembers: int, above: int = 0) -> float:
    """Probability that `successes` members or more exceed all but the `above` highest of exchangeable non-members.

    They do where at most `above` of the `successes` + `above` highest of all are non-members, which is hypergeometric.

    >>> round(chance(3, 650, 1350), 4)
    0.0342
    >>> round(chance(3, 650, 1350, above=1), 4)
    0.1036
    """
    highest = successes + above
    if highest > members + nonmembers:
        return 0.0
    ways = (math.comb(nonmembers, i) * math.comb(members, highest - i) for i in range(above + 1))
    return sum(ways) / math.comb(members + nonmembers, highest)


def explained_by_chance(
    successes: int, members: int, nonmembers: int, config: AttackConfig, *, level: float, above: int = 0
) -> str:
    """Why a failure is not yet one, or an empty string: with few trials, guessing may exceed the threshold.

    Args:
        successes: members above every calibration non-member, or above all but some.
        members: trials.
        nonmembers: that set the threshold.
        config: threshold and confidence.
        level: largest chance with which a model that learned nothing may be failed, in (0, 1).
        above: non-members that may stand above the threshold, >= 0.
    """
    verdict = judge(successes, members, config.threshold, config.confidence)
    if verdict == "fail" and chance(successes, members, nonmembers, above) > level:
        return "guessing explains the successes: more trials or more non-members are needed"
    return ""


def guessable(successes: int, trials: int, control: int, control_trials: int, config: AttackConfig) -> str:
    """Why secrets that came out prove nothing: those that were never planted do as often (Fisher's exact test)."""
    failed = judge(successes, trials, config.threshold, config.confidence) == "fail"
    if not failed or control == 0:
        return ""
    all_hits, both = successes + control, trials + control_trials
    ways = [math.comb(trials, k) * math.comb(control_trials, all_hits - k) for k in range(successes, all_hits + 1)]
    by_chance = sum(ways) / math.comb(both, all_hits)
    return "secrets that were never planted come out as often" if by_chance > 1.0 - config.confidence else ""
