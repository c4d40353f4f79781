"""Text-only: does the published set tell whose conversations it was made from, without any model?

An adversary has only the published texts and a conversation that may have been a source. A success is a person of the
source who is recognised: a conversation of theirs resembles the published set more than the controls' conversations do
(people of the same origin, held back before seeding), by a margin fixed beforehand. One control may stand higher
(`text_outliers`): where two strangers happen to say the same, every copy would else be hidden behind them; guessing is
then reckoned with that one. People, not conversations, are the trials, since several of one person leak together.

How alike is judged by the scorer and the reading that recognise planted copies best. The attack plants lightly
paraphrased copies of some controls; a handful of leaked sources would be too few to choose by. One half of the copies
chooses and helps to set the threshold, the other half tells the power. `nearest` reads the closest published text;
`outstanding` reads how much closer it is than the closest conversation of anybody else of the same origin: where people
say the same things, that is what is expected of two strangers. The threshold lies a third of the way from the highest
other control to the copies; if it does not recognise enough of the copies, the attack cannot see, and its verdict is
`inconclusive` instead of a pass.

Without controls the sources stand in for them: a threshold is the likeness of one half of the source to the other.
That is no random draw, so such a result is a `watch`: it can fail a report, and proves nothing when it does not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attacks.blind import blind_baseline
from attacks.config import AttackConfig
from attacks.decide import chance, explained_by_chance
from attacks.paraphrase import paraphrased
from attacks.resemblance import People, Reading, readings
from attacks.roc import auc, roc_points
from attacks.target import Float64
from attacks.verdict import AttackResult, Bearing, Details, Plots, judge, result

NAME = "text_only"
_FEWEST = 20


def attack_published_text(
    published: Sequence[str], sources: People, controls: People | None, config: AttackConfig
) -> tuple[AttackResult, Plots]:
    """Look for every person of the source once; join the result with others by `attacks.verdict.conclude`.

    Args:
        published: the synthetic texts, one turn a line.
        sources: whose conversations seeds were made from; at least 299 people are needed for a pass.
        controls: people of the same origin who were held back; None: the sources stand in for them, as a `watch`.
        config: threshold, confidence, splits, `text_margin`, `text_probes` and `text_power`.
    """
    bearing: Bearing = "watch" if controls is None else "gate"
    few = min(sources.count, sources.count if controls is None else controls.count)
    if few < _FEWEST or not published:
        reason = f"{len(published)} published texts and {few} people on the smaller side are too few"
        return result(NAME, NAME, 0, 0, config, blind=reason, bearing=bearing), Plots()
    found = _by_controls(published, sources, controls, config) if controls else _by_peers(published, sources, config)
    successes, trials = int((found.inside > found.threshold).sum()), len(found.inside)
    above = int((found.outside > found.threshold).sum())
    power = float((found.copies > found.threshold).mean())
    details: Details = {
        "scorer": found.name,
        "auc": auc(found.inside, found.outside),
        "recognised_copies": power,
        "planted_copies": len(found.copies),
        "calibration_controls": len(found.outside),
        "controls_above": above,
        "chance_of_as_many": chance(successes, trials, len(found.outside), above),
    }
    doubt = ""
    if controls is not None:
        baseline = blind_baseline(sources.texts, controls.texts, level=config.blind_level, seed=config.seed)
        details |= {"blind_auc": baseline.auc, "blind_auc_limit": baseline.limit}
        doubt = "" if baseline.at_chance else "words alone tell sources from controls: the two sides differ"
        # How many controls stand above is read off the data, so each number of them gets its share of the level.
        doubt = doubt or explained_by_chance(
            successes,
            trials,
            len(found.outside),
            config,
            level=(1.0 - config.confidence) / (config.text_outliers + 1),
            above=above,
        )
    if judge(successes, trials, config.threshold, config.confidence) == "pass":
        doubt = doubt or ("copies planted for a test were not recognised" if power < config.text_power else "")
        doubt = doubt or ("nobody was held back to compare with" if controls is None else "")
    row = result(NAME, NAME, successes, trials, config, blind=doubt, details=details, bearing=bearing)
    return row, Plots(roc={f"text {found.name}": roc_points(found.inside, found.outside)})


@dataclass(frozen=True, slots=True)
class _Found:
    """Scores, one a person: Float64, higher = more alike.

    Attributes:
        name: scorer and reading.
        inside: of the sources.
        outside: of the controls that set the threshold.
        copies: of people whose paraphrased copy was planted, and who neither chose the scorer nor set the threshold.
        threshold: above it somebody is recognised.
    """

    name: str
    inside: Float64
    outside: Float64
    copies: Float64
    threshold: float


def _by_controls(published: Sequence[str], sources: People, controls: People, config: AttackConfig) -> _Found:
    order = np.random.default_rng(config.seed).permutation(controls.count)
    cut = min(config.text_probes, controls.count // 2)
    probes, calibration = controls.subset(order[:cut]), controls.subset(order[cut:])
    everybody = People.joined(sources, calibration, probes)
    copies = _copies(probes, config.seed)
    tables = readings(everybody, published, copies, people_of_copies=probes.count)
    best = max(tables, key=lambda table: _gap(_choosing(table.copied), table.plain[-probes.count :], config))
    inside, outside = best.plain[: sources.count], best.plain[sources.count : -probes.count]
    return _found(best, inside, outside, best.copied, config)


def _by_peers(published: Sequence[str], sources: People, config: AttackConfig) -> _Found:
    rng = np.random.default_rng(config.seed)
    cut = min(config.text_probes, sources.count // 2)
    probed = sources.moved_last(rng.permutation(sources.count)[:cut])
    copies = _copies(probed.subset(np.arange(sources.count - cut, sources.count)), config.seed)
    tables = readings(probed, published, copies, people_of_copies=cut)
    best = max(tables, key=lambda table: _gap(_choosing(table.copied), table.peers, config))
    return _found(best, best.plain, best.peers, best.copied, config)


def _found(best: Reading, inside: Float64, outside: Float64, copies: Float64, config: AttackConfig) -> _Found:
    highest = _highest(outside, config)
    with_margin = highest + config.text_margin * (highest - float(np.median(outside)))
    # A third of the way to where nine tenths of the copies lie: above the honest, and far below a worse paraphrase.
    chosen_by = _choosing(copies)
    on_the_way = (2 * highest + float(np.quantile(chosen_by, 0.1))) / 3
    return _Found(best.name, inside, outside, copies[len(chosen_by) :], max(with_margin, on_the_way))


def _choosing(copies: Float64) -> Float64:
    """The half of the copies, which stand in random order, that chooses; the other half measures the power."""
    return copies[: (len(copies) + 1) // 2]


def _copies(probes: People, seed: int) -> list[str]:
    rng = random.Random(f"copies {seed}")
    return [paraphrased(text, rng) for text in probes.texts]


def _gap(copies: Float64, untouched: Float64, config: AttackConfig) -> float:
    """How far nine tenths of the copies stand above the untouched texts, in units of the untouched texts' range."""
    highest = _highest(untouched, config)
    spread = float(highest - np.median(untouched)) or 1.0
    return float(np.quantile(copies, 0.1) - highest) / spread


def _highest(scores: Float64, config: AttackConfig) -> float:
    """The highest score but for those of the outliers: two strangers who happen to say the same are no leak."""
    return float(np.sort(scores)[-1 - min(config.text_outliers, len(scores) - 1)])
