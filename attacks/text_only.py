"""Text-only: does the published set tell whose conversations it was made from, without any model?

An adversary has only the published texts and a conversation that may have been a source. A success is a source that
resembles the published set more than every control (conversations of the same origin, held back before seeding) by a
margin. The strongest scorer is chosen on other texts, as in `attacks.decide`.
"""

from __future__ import annotations

from collections.abc import Sequence

from attacks.blind import blind_baseline
from attacks.config import AttackConfig
from attacks.decide import decide, explained_by_chance
from attacks.roc import auc, roc_points
from attacks.text_scorers import TEXT_SCORERS
from attacks.verdict import AttackResult, Details, Plots, result

_FEWEST = 20


def attack_published_text(
    published: Sequence[str], sources: Sequence[str], controls: Sequence[str], config: AttackConfig
) -> tuple[AttackResult, Plots]:
    """Look for every source once; join the result with others by `attacks.verdict.conclude`.

    Args:
        published: the synthetic texts.
        sources: texts that seeds were made from; at least 299 are needed for a pass.
        controls: texts of the same origin that were held back; as many as sources, or more.
        config: threshold, confidence, splits and `text_margin`.
    """
    if min(len(sources), len(controls)) < _FEWEST or not published:
        reason = f"{len(published)} published, {len(sources)} sources and {len(controls)} controls are too few"
        return result("text_only", "text_only", 0, 0, config, blind=reason), Plots()
    baseline = blind_baseline(sources, controls, level=config.blind_level, seed=config.seed)
    inside = {name: scorer(sources, published) for name, scorer in TEXT_SCORERS.items()}
    outside = {name: scorer(controls, published) for name, scorer in TEXT_SCORERS.items()}
    decision = decide(
        inside, outside, selection_share=config.selection_share, seed=config.seed, margin=config.text_margin
    )
    details: Details = {
        **{f"auc_{name}": auc(inside[name], outside[name]) for name in TEXT_SCORERS},
        "scorer": " and ".join(sorted(set(decision.strongest))),
        "calibration_controls": decision.calibration,
        "chance_of_as_many": decision.chance,
        "blind_auc": baseline.auc,
        "blind_auc_limit": baseline.limit,
    }
    doubt = "" if baseline.at_chance else "words alone tell sources from controls: the two sides differ"
    found = result(
        "text_only",
        "text_only",
        decision.successes,
        decision.trials,
        config,
        blind=doubt or explained_by_chance(decision, config),
        details=details,
    )
    return found, Plots(roc={f"text {name}": roc_points(inside[name], outside[name]) for name in TEXT_SCORERS})
