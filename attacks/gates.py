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
from attacks.guard import GuardedTarget, Memory, Progress
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
        members: training records, rendered as they were trained on; with `nonmembers` they add the attacks `records`
            (membership) and `records_extraction` (the second half of each from its first). Fewer than 299 make the
            report inconclusive, so give them only when there are enough.
        nonmembers: records of the same distribution that were held back.
        progress: called with attack, texts done and texts in all.

    Returns:
        A report; a target that raises or answers nonsense makes its attack inconclusive instead of raising.

    Raises:
        UnknownAttackError: the configuration names an attack that is not in ATTACKS.
    """
    if set(config.attacks) - set(ATTACKS):
        raise UnknownAttackError(ATTACKS)
    memory: Memory = {}  # one forward pass serves every scorer of every attack
    plan = [(name, ATTACKS[name], canaries, config) for name in config.attacks]
    if members is not None and nonmembers is not None:
        plan.append(("records", attack_membership, _sides(first_word, members, nonmembers), config))
        if "extraction" in config.attacks:
            plan.append(
                ("records_extraction", attack_extraction, _sides(second_half, members, nonmembers), of_records(config))
            )
    outcomes = []
    for name, attack, texts, settings in plan:
        guarded = GuardedTarget(target, name=name, chunk=config.chunk, progress=progress, memory=memory)
        outcomes.append(_run(name, attack, guarded, texts, settings))
    return conclude([found for found, _ in outcomes], _joined([plots for _, plots in outcomes]))


# Enough to recognise a record by; a longer continuation costs more and is rarer.
_CONTINUED = 120


def _run(
    name: str, attack: Attack, target: GuardedTarget, texts: CanarySet, config: AttackConfig
) -> tuple[AttackResult, Plots]:
    try:
        found, plots = attack(target, texts, config)
    except TargetError as error:
        family = "membership" if attack is attack_membership else name.removeprefix("records_")
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


def _sides(split: Callable[[str], Canary], members: Sequence[str], nonmembers: Sequence[str]) -> CanarySet:
    return CanarySet(tuple(map(split, members)), tuple(map(split, nonmembers)))


def of_records(config: AttackConfig) -> AttackConfig:
    """The configuration for records: their second halves are no draws from one space, so exposure has no meaning."""
    return config.model_copy(update={"exposure_canaries": 0})


def first_word(text: str) -> Canary:
    """A record as a canary: the first word is the prefix, since a model scores nothing before its first token."""
    first, space, rest = text.partition(" ")
    return Canary(first + space, rest) if rest.strip() else Canary("", text)


def second_half(text: str) -> Canary:
    """A record as a canary: what follows its first half, up to `_CONTINUED` characters, is the secret."""
    words = text.split(" ")
    half = max(1, len(words) // 2)
    prefix, secret = " ".join(words[:half]), " " + " ".join(words[half:])
    return Canary(prefix, secret[:_CONTINUED]) if secret.strip() else Canary("", text[:_CONTINUED])
