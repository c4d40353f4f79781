"""Attribute inference: can the adapter be asked for a hidden value of a record it was trained on?

The adversary knows a prefix and a list of candidate values, and guesses the candidate that the model finds likeliest.
The control are records that the model never saw: it guesses there too, and the largest confidence that it shows for
one of them is the threshold. A success is a *right* guess on a member, with more confidence than any control's guess.
So what the model has merely learned of the distribution is subtracted by the control, as anonymeter does for tables.

How much better members are guessed than controls is told beside it, with Newcombe's interval of a difference.

Source: Giomi et al. 2023, "A unified framework for quantifying privacy risk in synthetic data", arXiv:2211.10459;
Newcombe 1998, Statist. Med. 17, 873-890, method 10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from attacks.canaries import Canary, CanarySet
from attacks.config import AttackConfig
from attacks.decide import decide, explained_by_chance
from attacks.guard import GuardedTarget
from attacks.target import Float64
from attacks.verdict import AttackResult, Details, Plots, result

_FEWEST = 20
Bools = NDArray[np.bool_]


def attack_attribute(target: GuardedTarget, canaries: CanarySet, config: AttackConfig) -> tuple[AttackResult, Plots]:
    """Ask for the secret of every member once; costs 1 + `attribute_alternatives` scores per text, adapter and base.

    Raises:
        TargetError: the target failed.
    """
    members, nonmembers = canaries.members, canaries.nonmembers
    if min(len(members), len(nonmembers)) < _FEWEST:
        reason = f"{len(members)} members and {len(nonmembers)} non-members are too few"
        return result("attribute", "attribute", 0, 0, config, blind=reason), Plots()
    texts = [*members, *nonmembers]
    prefixes, values = _questions(texts, config)
    own = target.log_likelihoods(prefixes, values).reshape(len(texts), -1)
    base = target.log_likelihoods(prefixes, values, reference=True).reshape(len(texts), -1)
    if np.ptp(own) == 0.0 or np.array_equal(own, base):
        return result(
            "attribute",
            "attribute",
            0,
            0,
            config,
            blind="the answers are all the same, or exactly those of the base model",
        ), Plots()
    tables = {"likelihood": own, "likelihood over base": own - base}
    inside = {name: _right_guesses(table[: len(members)]) for name, table in tables.items()}
    outside = {name: _confidence(table[len(members) :]) for name, table in tables.items()}
    decision = decide(inside, outside, selection_share=config.selection_share, seed=config.seed)
    right = [int(_is_right(table).sum()) for table in (own[: len(members)], own[len(members) :])]
    low, high = advantage(right[0], len(members), right[1], len(nonmembers), config.confidence)
    details: Details = {
        "candidates": own.shape[1],
        "right_guesses_members": right[0] / len(members),
        "right_guesses_controls": right[1] / len(nonmembers),
        "advantage": right[0] / len(members) - right[1] / len(nonmembers),
        "advantage_low": low,
        "advantage_high": high,
        "calibration_nonmembers": decision.calibration,
        "chance_of_as_many": decision.chance,
    }
    doubt = explained_by_chance(
        decision.successes, decision.trials, decision.calibration, config, level=config.alarm_level
    )
    return result(
        "attribute", "attribute", decision.successes, decision.trials, config, blind=doubt, details=details
    ), Plots()


def advantage(right: int, trials: int, control: int, control_trials: int, confidence: float) -> tuple[float, float]:
    """Two-sided interval of the difference of two rates, each in [0, 1].

    >>> [round(end, 4) for end in advantage(56, 70, 48, 80, 0.95)]  # Newcombe 1998, table II, contrast (a)
    [0.0524, 0.3339]
    """
    z = NormalDist().inv_cdf((1.0 + confidence) / 2)
    rate, base = right / trials, control / control_trials
    low, high = _wilson(rate, trials, z)
    base_low, base_high = _wilson(base, control_trials, z)
    difference = rate - base
    below = math.hypot(rate - low, base_high - base)
    above = math.hypot(high - rate, base - base_low)
    return difference - below, difference + above


def _wilson(rate: float, trials: int, z: float) -> tuple[float, float]:
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    return middle - half, middle + half


def _questions(texts: Sequence[Canary], config: AttackConfig) -> tuple[list[str], list[str]]:
    """Each text's prefix with each candidate: the true value first, then values of other texts."""
    rng = np.random.default_rng(config.seed)
    secrets = sorted({text.secret for text in texts})
    wanted = min(config.attribute_alternatives, len(secrets) - 1)
    prefixes, values = [], []
    for text in texts:
        drawn = [secrets[i] for i in rng.choice(len(secrets), wanted + 1, replace=False)]
        others = [value for value in drawn if value != text.secret][:wanted]
        prefixes += [text.prefix] * (wanted + 1)
        values += [text.secret, *others]
    return prefixes, values


def _confidence(table: Float64) -> Float64:
    """How far the likeliest candidate stands above the second: Float64[n], nats, >= 0."""
    ordered = np.sort(table, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2])


def _right_guesses(table: Float64) -> Float64:
    """The confidence where the guess is right, minus infinity where it is wrong: Float64[n]."""
    return np.where(_is_right(table), _confidence(table), -np.inf)


def _is_right(table: Float64) -> Bools:
    return np.asarray(table.argmax(axis=1) == 0)
