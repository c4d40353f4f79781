"""Verdicts: what a count of successful attacks allows one to say, and what it does not.

The rule, for one attack with `successes` of `trials` against `threshold` (default 0.01) at `confidence` (0.95):

- **pass** if the one-sided Clopper-Pearson upper bound on the success rate is below the threshold;
- **fail** if the observed rate is above the threshold (a lower bound above it implies that);
- **inconclusive** otherwise. So 0 of 298 is inconclusive and 0 of 299 passes: fewer trials cannot reach 1% at 95%.

Several attacks together. A report passes only if *every* attack passes and Holm's step-down test rejects "the rate is
at least the threshold" for all of them at the same confidence, so the statement "every attacked rate is below the
threshold" and each statement of a smaller set holds at 95% together. (An intersection-union test would not even need
the correction for the statement about all; Holm is kept because a reader quotes single rows.) With two attacks at 650
trials: 0, 1 or 2 successes in one and 0 or 1 in the other pass. One attack that fails makes the report fail.

An attack on published text whose source has too few people for any verdict bears on the report as a `watch`: it can
fail the report, a pass does not wait for it, and it carries no claim. Every other attack is a `gate`.

Source: Clopper and Pearson 1934, Biometrika 26, 404-413; Holm 1979, Scand. J. Statist. 6, 65-70.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from attacks.config import AttackConfig
from seed_engine.conversation import Boundary

Verdict = Literal["pass", "fail", "inconclusive"]
Bearing = Literal["gate", "watch"]
# Families whose attacks may be a `watch`: their trials are the people of the source, of whom nobody can order more.
WATCHED = ("text_only",)
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Details = dict[str, float | int | str]


class AttackResult(Boundary):
    """What one attack achieved; a row of attacks.json.

    Attributes:
        name: which attack, one of `attacks.gates.ATTACKS` or `text_only`.
        family: `membership`, `extraction`, `attribute` or `text_only`.
        successes: attacks that succeeded, 0 <= successes <= trials.
        trials: attacks tried; 0 when the attack could not see.
        rate: successes / trials, 0 when there are no trials.
        lower_bound: one-sided Clopper-Pearson lower bound on the rate, at `confidence`.
        upper_bound: one-sided Clopper-Pearson upper bound on the rate, at `confidence`; 1 without trials.
        confidence: of each bound alone, 0 < confidence < 1.
        threshold: the rate that must be excluded, 0 < threshold < 1.
        p_value: of "the rate is at least the threshold"; below 1 - confidence exactly when the bound is below it.
        pass_limit: most successes with which these trials pass alone; -1 if not even 0 does.
        power: chance that a model whose rate is twice the threshold does not pass.
        pass_chance: chance that a model whose rate is a tenth of the threshold passes alone.
        verdict: see the module; an attack may turn a pass or a fail into `inconclusive`, never the other way.
        bearing: `gate`, or `watch` (see the module).
        reason: why it is inconclusive, without any text of a record; empty otherwise.
        details: further figures of this attack, for the report.
    """

    name: str
    family: str
    successes: Annotated[int, Field(ge=0)]
    trials: Annotated[int, Field(ge=0)]
    rate: Share
    lower_bound: Share
    upper_bound: Share
    confidence: Share
    threshold: Share
    p_value: Share
    pass_limit: int
    power: Share
    pass_chance: Share
    verdict: Verdict
    bearing: Bearing = "gate"
    reason: str = ""
    details: Details = Field(default_factory=dict)

    @model_validator(mode="after")
    def _verdict_follows_figures(self) -> Self:
        """Refuse a row that says `pass` against its own figures: attacks.json is read back before signing."""
        if self.successes > self.trials:
            raise ValueError("more successes than trials")
        if self.verdict == "pass" and judge(self.successes, self.trials, self.threshold, self.confidence) != "pass":
            raise ValueError("the figures do not carry the verdict")
        if self.bearing == "watch" and self.family not in WATCHED:
            raise ValueError("an attack of this family is always a gate")
        return self


class Plots(Boundary):
    """Data of the report's plots; numbers only.

    Attributes:
        roc: per scorer, points (false-positive rate, true-positive rate), both rising from 0 to 1; draw x in log scale.
        exposure: canary exposures in bits, one per canary measured.
        exposure_ceiling: the most that could be seen, log2 of the number of candidates; 0 if not measured.
    """

    roc: dict[str, tuple[tuple[float, float], ...]] = Field(default_factory=dict)
    exposure: tuple[float, ...] = ()
    exposure_ceiling: float = 0.0


class GateReport(Boundary):
    """All attacks and the verdict over them; attacks.json.

    Attributes:
        attacks: in the order they were run.
        verdict: `fail` if one fails; `pass` if all gates pass, also together; else `inconclusive`.
        joint_p_value: the largest Holm-adjusted p-value of the gates; the report can pass only below 1 - confidence.
        joint_method: how the attacks were taken together.
        plots: data of the report's plots.
    """

    schema_version: Literal["1"] = "1"
    attacks: tuple[AttackResult, ...]
    verdict: Verdict
    joint_p_value: Share
    joint_method: Literal["holm"] = "holm"
    plots: Plots = Plots()

    @model_validator(mode="after")
    def _verdict_follows_attacks(self) -> Self:
        if self.verdict == "pass" and joint_verdict(self.attacks) != "pass":
            raise ValueError("the attacks do not carry the verdict")
        return self


def conclude(attacks: Sequence[AttackResult], plots: Plots | None = None) -> GateReport:
    """Join attack results into a report; no attack at all is inconclusive."""
    return GateReport(
        attacks=tuple(attacks),
        verdict=joint_verdict(attacks),
        joint_p_value=max(holm([a.p_value for a in _gates(attacks)]), default=1.0),
        plots=plots or Plots(),
    )


def result(
    name: str,
    family: str,
    successes: int,
    trials: int,
    config: AttackConfig,
    *,
    blind: str = "",
    details: Details | None = None,
    bearing: Bearing = "gate",
) -> AttackResult:
    """Judge a count.

    Args:
        name: see `AttackResult`.
        family: see `AttackResult`.
        successes: attacks that succeeded.
        trials: attacks tried; 0 if the attack could not see.
        config: has the threshold and the confidence.
        blind: a reason why the count proves nothing; makes the verdict `inconclusive`.
        details: further figures.
        bearing: see `AttackResult`.
    """
    threshold, confidence = config.threshold, config.confidence
    verdict = "inconclusive" if blind else judge(successes, trials, threshold, confidence)
    limit = pass_limit(trials, threshold, confidence)
    short = f"{successes} of {trials}: the bound does not reach the threshold" if verdict == "inconclusive" else ""
    return AttackResult(
        name=name,
        family=family,
        successes=successes,
        trials=trials,
        rate=successes / trials if trials else 0.0,
        lower_bound=lower_bound(successes, trials, confidence),
        upper_bound=upper_bound(successes, trials, confidence),
        confidence=confidence,
        threshold=threshold,
        p_value=at_most(successes, trials, threshold),
        pass_limit=limit,
        power=1.0 - at_most(limit, trials, min(1.0, 2 * threshold)),
        pass_chance=at_most(limit, trials, threshold / 10),
        verdict=verdict,
        bearing=bearing,
        reason=blind or short,
        details=details or {},
    )


def judge(successes: int, trials: int, threshold: float, confidence: float) -> Verdict:
    """The rule of the module, for one attack."""
    if upper_bound(successes, trials, confidence) < threshold:
        return "pass"
    return "fail" if trials and successes / trials > threshold else "inconclusive"


def joint_verdict(attacks: Sequence[AttackResult]) -> Verdict:
    """The rule of the module, for all attacks together."""
    if any(a.verdict == "fail" for a in attacks):
        return "fail"
    gates = _gates(attacks)
    if not gates or any(a.verdict == "inconclusive" for a in gates):
        return "inconclusive"
    level = 1.0 - max(a.confidence for a in gates)
    return "pass" if max(holm([a.p_value for a in gates])) < level else "inconclusive"


def _gates(attacks: Sequence[AttackResult]) -> list[AttackResult]:
    return [attack for attack in attacks if attack.bearing == "gate"]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm-adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, worst = [0.0] * len(p_values), 0.0
    for position, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - position) * p_values[index]))
        adjusted[index] = worst
    return adjusted


def upper_bound(successes: int, trials: int, confidence: float) -> float:
    """One-sided Clopper-Pearson upper bound on a binomial rate.

    >>> round(upper_bound(0, 299, 0.95), 5), round(upper_bound(1, 473, 0.95), 5)
    (0.00997, 0.00999)
    """
    if successes >= trials:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(successes + 1, trials - successes, confidence))


def lower_bound(successes: int, trials: int, confidence: float) -> float:
    """One-sided Clopper-Pearson lower bound on a binomial rate."""
    if successes <= 0:
        return 0.0
    from scipy.special import betaincinv

    return float(betaincinv(successes, trials - successes + 1, 1.0 - confidence))


def at_most(successes: int, trials: int, rate: float) -> float:
    """P(X <= successes) for X ~ Binomial(trials, rate); 0 for successes < 0."""
    if successes < 0:
        return 0.0
    if successes >= trials:
        return 1.0
    from scipy.special import bdtr

    return min(1.0, float(bdtr(float(successes), trials, rate)))


def pass_limit(trials: int, threshold: float, confidence: float) -> int:
    """Most successes with which `trials` attacks still pass alone; -1 if none does."""
    limit = -1
    while limit + 1 < trials and judge(limit + 1, trials, threshold, confidence) == "pass":
        limit += 1
    return limit
