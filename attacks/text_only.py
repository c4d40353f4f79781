"""Text-only: does the published set tell whose conversations it was made from, without any model?

An adversary has only the published texts and a conversation that may have been a source. A success is a source that
resembles the published set more than every control (conversations of the same origin, held back before seeding) by a
margin.

Where conversations repeat each other (short ones, forms that everybody fills in), controls may resemble the published
set as much as a copy would. The attack therefore plants lightly changed copies of some controls. They choose the
scorer, since a handful of leaked sources is too few to choose by; and if the threshold that the other controls set does
not recognise them, the attack cannot see, and its verdict is `inconclusive` instead of a pass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attacks.blind import blind_baseline
from attacks.config import AttackConfig
from attacks.decide import chance, explained_by_chance
from attacks.roc import auc, roc_points
from attacks.target import Float64
from attacks.text_scorers import TEXT_SCORERS
from attacks.verdict import AttackResult, Details, Plots, judge, result

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
    probes, calibration = _split(controls, config)
    planted = [*published, *(_lightly_changed(text) for text in probes)]
    copies = {name: scorer(probes, planted) for name, scorer in TEXT_SCORERS.items()}
    untouched = {name: scorer(probes, published) for name, scorer in TEXT_SCORERS.items()}
    best = max(TEXT_SCORERS, key=lambda name: _gap(copies[name], untouched[name]))
    inside, outside = (TEXT_SCORERS[best](texts, published) for texts in (sources, calibration))
    threshold = float(outside.max() + config.text_margin * (outside.max() - np.median(outside)))
    successes, power = int((inside > threshold).sum()), float((copies[best] > threshold).mean())
    details: Details = {
        "scorer": best,
        "auc": auc(inside, outside),
        "recognised_copies": power,
        "calibration_controls": len(calibration),
        "chance_of_as_many": chance(successes, len(sources), len(calibration)),
        "blind_auc": baseline.auc,
        "blind_auc_limit": baseline.limit,
    }
    doubt = "" if baseline.at_chance else "words alone tell sources from controls: the two sides differ"
    if judge(successes, len(sources), config.threshold, config.confidence) == "pass" and power < config.text_power:
        doubt = doubt or "copies planted for a test were not recognised"
    doubt = doubt or explained_by_chance(successes, len(sources), len(calibration), config)
    found = result("text_only", "text_only", successes, len(sources), config, blind=doubt, details=details)
    return found, Plots(roc={f"text {best}": roc_points(inside, outside)})


def _split(controls: Sequence[str], config: AttackConfig) -> tuple[list[str], list[str]]:
    """Controls that are planted as copies, at most half of all, and controls that set the threshold."""
    order = np.random.default_rng(config.seed).permutation(len(controls))
    cut = min(config.text_probes, len(controls) // 2)
    return [controls[i] for i in order[:cut]], [controls[i] for i in order[cut:]]


def _lightly_changed(text: str) -> str:
    return " ".join(word for position, word in enumerate(text.split(), start=1) if position % 8)


def _gap(copies: Float64, untouched: Float64) -> float:
    """How far nine tenths of the copies stand above all untouched texts, in units of the untouched texts' range."""
    spread = float(untouched.max() - np.median(untouched)) or 1.0
    return float(np.quantile(copies, 0.1) - untouched.max()) / spread
