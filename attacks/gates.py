"""The gates: every attack on one adapter, and the verdict over them.

Adding an attack is one file, one line in ATTACKS, one test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attacks.attribute import attack_attribute
from attacks.canaries import Canary, CanarySet
from attacks.config import AttackConfig
from attacks.errors import TargetError, UnknownAttackError
from attacks.extraction import attack_extraction
from attacks.guard import GuardedTarget, Progress
from attacks.membership import attack_membership
from attacks.target import Target
from attacks.verdict import AttackResult, GateReport, Plots, conclude, result

Attack = Callable[[GuardedTarget, CanarySet, AttackConfig], tuple[AttackResult, Plots]]

ATTACKS: dict[str, Attack] = {
    "membership": attack_membership,
    "extraction": attack_extraction,
    "attribute": attack_attribute,
}


def run_gates(
    target: Target,
    canaries: CanarySet,
    config: AttackConfig,
    *,
    members: Sequence[str] | None = None,
    nonmembers: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> GateReport:
    """Attack an adapter with every attack of the configuration.

    Args:
        target: the adapter and its base.
        canaries: planted texts; an empty side makes the attacks that need it inconclusive.
        config: thresholds and splits.
        members: training records, rendered as they were trained on; with `nonmembers` they add the attack `records`.
            Fewer than 299 make the report inconclusive, so give them only when there are enough.
        nonmembers: records of the same distribution that were held back.
        progress: called with attack, texts done and texts in all.

    Returns:
        A report; a target that raises or answers nonsense makes its attack inconclusive instead of raising.

    Raises:
        UnknownAttackError: the configuration names an attack that is not in ATTACKS.
    """
    if set(config.attacks) - set(ATTACKS):
        raise UnknownAttackError(ATTACKS)
    outcomes = [
        _run(
            name,
            ATTACKS[name],
            GuardedTarget(target, name=name, chunk=config.chunk, progress=progress),
            canaries,
            config,
        )
        for name in config.attacks
    ]
    if members is not None and nonmembers is not None:
        records = CanarySet(tuple(map(_record, members)), tuple(map(_record, nonmembers)))
        guarded = GuardedTarget(target, name="records", chunk=config.chunk, progress=progress)
        outcomes.append(_run("records", attack_membership, guarded, records, config))
    return conclude([found for found, _ in outcomes], _joined([plots for _, plots in outcomes]))


def _run(
    name: str, attack: Attack, target: GuardedTarget, texts: CanarySet, config: AttackConfig
) -> tuple[AttackResult, Plots]:
    try:
        found, plots = attack(target, texts, config)
    except TargetError as error:
        family = "membership" if attack is attack_membership else name
        found = result(name, family, 0, 0, config, blind=str(error))
        return found, Plots()
    if name == found.name:
        return found, plots
    renamed = {f"{name} {scorer}": points for scorer, points in plots.roc.items()}
    return found.model_copy(update={"name": name}), plots.model_copy(update={"roc": renamed})


def _joined(plots: Sequence[Plots]) -> Plots:
    roc = {scorer: points for plot in plots for scorer, points in plot.roc.items()}
    measured = [plot for plot in plots if plot.exposure]
    return Plots(
        roc=roc,
        exposure=tuple(bits for plot in measured for bits in plot.exposure),
        exposure_ceiling=max((plot.exposure_ceiling for plot in measured), default=0.0),
    )


def _record(text: str) -> Canary:
    """A record as a canary: the first word is the prefix, since a model scores nothing before its first token."""
    first, space, rest = text.partition(" ")
    return Canary(first + space, rest) if rest.strip() else Canary("", text)
