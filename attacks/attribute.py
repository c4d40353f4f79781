"""Attribute inference: can the adapter be asked for a hidden value of a record it was trained on?

The adversary knows a prefix and a list of candidate values, and guesses the candidate that the model finds likeliest.
The control are records that the model never saw: it guesses there too, and the largest confidence that it shows for
one of them is the threshold. A success is a *right* guess on a member, with more confidence than any control's guess.
So what the model has merely learned of the distribution is subtracted by the control, as anonymeter does for tables.

Source: Giomi et al. 2023, "A unified framework for quantifying privacy risk in synthetic data", arXiv:2211.10459.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attacks.canaries import Canary, CanarySet
from attacks.config import AttackConfig
from attacks.decide import decide, explained_by_chance
from attacks.guard import GuardedTarget
from attacks.target import Float64
from attacks.verdict import AttackResult, Details, Plots, result

_FEWEST = 20


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
    details: Details = {
        "candidates": own.shape[1],
        "right_guesses_members": _accuracy(own[: len(members)]),
        "right_guesses_controls": _accuracy(own[len(members) :]),
        "calibration_nonmembers": decision.calibration,
        "chance_of_as_many": decision.chance,
    }
    doubt = explained_by_chance(decision.successes, decision.trials, decision.calibration, config)
    return result(
        "attribute", "attribute", decision.successes, decision.trials, config, blind=doubt, details=details
    ), Plots()


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
    return np.where(table.argmax(axis=1) == 0, _confidence(table), -np.inf)


def _accuracy(table: Float64) -> float:
    return float((table.argmax(axis=1) == 0).mean())
