"""Membership inference: can an adversary tell which texts the adapter was trained on?

A success is a member that scores above every calibration non-member, by the scorer that was strongest on other texts
(see `attacks.decide`). It is counted in full, without subtracting the share that guessing yields, so the bound errs
towards alarm. A verdict also needs a blind baseline at chance, and scores that vary and differ from the base model's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attacks.blind import blind_baseline
from attacks.canaries import Canary, CanarySet
from attacks.config import AttackConfig
from attacks.decide import Decision, decide, explained_by_chance
from attacks.guard import GuardedTarget
from attacks.roc import auc, roc_points, tpr_at_fpr
from attacks.scorers import SCORERS
from attacks.scorers.evidence import Evidence
from attacks.target import Float64
from attacks.verdict import AttackResult, Details, Plots, judge, result

_FEWEST = 20


def attack_membership(target: GuardedTarget, canaries: CanarySet, config: AttackConfig) -> tuple[AttackResult, Plots]:
    """Attack every member once; costs one pass of the adapter and one of the base over all texts.

    Returns:
        The result, and the ROC points of each scorer over all texts (a description; the verdict does not use it).

    Raises:
        TargetError: the target failed.
    """
    members, nonmembers = canaries.members, canaries.nonmembers
    if min(len(members), len(nonmembers)) < _FEWEST:
        reason = f"{len(members)} members and {len(nonmembers)} non-members are too few"
        return result("membership", "membership", 0, 0, config, blind=reason), Plots()
    texts = [[c.prefix + c.secret for c in side] for side in (members, nonmembers)]
    baseline = blind_baseline(texts[0], texts[1], level=config.blind_level, seed=config.seed)
    evidence = _evidence(target, [*members, *nonmembers], config.min_k)
    unseeing = _cannot_see(evidence)
    if unseeing:
        return result("membership", "membership", 0, 0, config, blind=unseeing), Plots()
    scored = {key: scores for key, scorer in SCORERS.items() if (scores := scorer(evidence)) is not None}
    inside = {key: scores[: len(members)] for key, scores in scored.items()}
    outside = {key: scores[len(members) :] for key, scores in scored.items()}
    decision = decide(inside, outside, selection_share=config.selection_share, seed=config.seed)
    details = _details(decision, inside, outside) | {"blind_auc": baseline.auc, "blind_auc_limit": baseline.limit}
    doubt = "" if baseline.at_chance else "words alone tell members from non-members: the two sides differ"
    doubt = (
        doubt
        or explained_by_chance(
            decision.successes, decision.trials, decision.calibration, config, level=config.alarm_level
        )
        or _told_apart(decision, inside, outside, config)
    )
    found = result(
        "membership", "membership", decision.successes, decision.trials, config, blind=doubt, details=details
    )
    return found, Plots(roc={key: roc_points(inside[key], outside[key]) for key in scored})


def _evidence(target: GuardedTarget, texts: Sequence[Canary], min_k: float) -> Evidence:
    prefixes, secrets = [c.prefix for c in texts], [c.secret for c in texts]
    statistics = target.token_statistics(prefixes, secrets)
    own = [rows[:, 0] for rows in statistics] if statistics else target.token_log_probabilities(prefixes, secrets)
    base = target.token_log_probabilities(prefixes, secrets, reference=True)
    return Evidence(secrets, own, base, statistics, min_k)


def _cannot_see(evidence: Evidence) -> str:
    """Why these answers prove nothing, or an empty string.

    An adapter that was never switched on answers exactly like its base and would pass every attack.
    """
    own = np.array([tokens.sum() for tokens in evidence.log_probabilities])
    base = np.array([tokens.sum() for tokens in evidence.reference])
    if np.ptp(own) == 0.0:
        return "the target answers the same for every text"
    return "the adapter answers exactly like its base model" if np.array_equal(own, base) else ""


def _told_apart(
    decision: Decision, inside: dict[str, Float64], outside: dict[str, Float64], config: AttackConfig
) -> str:
    """Why a pass is not yet one: members score higher in general, though few of them above every non-member."""
    if judge(decision.successes, decision.trials, config.threshold, config.confidence) == "fail":
        return ""
    highest = max(auc(inside[scorer], outside[scorer]) for scorer in decision.strongest)
    return "members score above non-members in general" if highest > config.auc_limit else ""


def _details(decision: Decision, inside: dict[str, Float64], outside: dict[str, Float64]) -> Details:
    best = decision.strongest[0]
    details: Details = {f"auc_{key}": auc(inside[key], outside[key]) for key in inside}
    details |= {
        "scorer": best if decision.strongest[1] == best else " and ".join(decision.strongest),
        "tpr_at_fpr_0.001": tpr_at_fpr(inside[best], outside[best], 0.001),
        "tpr_at_fpr_0.01": tpr_at_fpr(inside[best], outside[best], 0.01),
        "calibration_nonmembers": decision.calibration,
        "fpr_fixed_beforehand": 1.0 / (decision.calibration + 1),
        "chance_of_as_many": decision.chance,
    }
    return details
