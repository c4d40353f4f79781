"""Composite: one score a conversation, from the parts and weights of its domain, and the share that passes.

The product of the parts that can be measured, each to the power of its weight: one fault is enough. A conversation
passes when it reaches the floors that its seed carries, and its domain's threshold where the seed has none.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from evaluator.config import CompositeProfile, EvaluatorConfig
from evaluator.errors import UnknownMetricError
from evaluator.metrics.acts import acts_realised
from evaluator.metrics.adherence import adherence
from evaluator.metrics.markers import marker_consistency
from evaluator.metrics.mattr import mattr
from evaluator.metrics.metric import Evidence, Metric
from evaluator.metrics.repetition import repetition
from evaluator.metrics.soundness import PARTS as SOUNDNESS_PARTS
from evaluator.soundness import Soundness
from seed_engine.conversation import Conversation
from seed_engine.domain import find_domain
from seed_engine.fold import words
from seed_engine.seed import Seed

Part = Callable[[Conversation, Seed | None, Soundness], float | None]


def _of_soundness(part: Callable[[Soundness], float]) -> Part:
    return lambda talk, seed, judged: part(judged)


# Every part is in [0, 1], higher is better; None where there is nothing to measure it on.
PARTS: dict[str, Part] = {
    "seed_adherence": lambda talk, seed, judged: None if seed is None else adherence(talk, seed),
    "acts_realised": lambda talk, seed, judged: None if seed is None else acts_realised(talk, seed),
    "marker_consistency": lambda talk, seed, judged: marker_consistency(talk),
    "no_repetition": lambda talk, seed, judged: 1.0 - repetition(talk),
    **{name: _of_soundness(part) for name, part in SOUNDNESS_PARTS.items()},
}


def composite(conversation: Conversation, seed: Seed | None, judged: Soundness, profile: CompositeProfile) -> float:
    """Composite of one conversation, [0, 1].

    Raises:
        UnknownMetricError: a weight names no part of `PARTS`.
    """
    if not PARTS.keys() >= profile.weights.keys():
        raise UnknownMetricError(PARTS)
    values = {name: PARTS[name](conversation, seed, judged) for name in profile.weights}
    return float(prod(value ** profile.weights[name] for name, value in values.items() if value is not None))


def profile_of(conversation: Conversation, seed: Seed | None, config: EvaluatorConfig) -> CompositeProfile:
    """The profile of a conversation's domain, as its seed, else its own record or text, names it."""
    if not config.composites:
        return config.composite
    domain = seed.domain if seed is not None else find_domain(conversation).name
    return config.composites.get(domain, config.composite)


def passes(
    conversation: Conversation, seed: Seed | None, judged: Soundness, config: EvaluatorConfig
) -> tuple[float, bool]:
    """Composite of a conversation, and whether it reaches every floor: its seed's, or its profile's threshold."""
    profile = profile_of(conversation, seed, config)
    score = composite(conversation, seed, judged, profile)
    floors = seed.floors if seed is not None else None
    if floors is None:
        return score, score >= profile.threshold
    tokens = [word for turn in conversation.turns for word in words(turn.text)]
    reached = {
        "soundness": judged.sound,
        "seed_adherence": adherence(conversation, seed) if seed is not None else 0.0,
        "mattr": mattr(tokens, config.window) or 0.0,
    }
    asked = floors.model_dump(exclude_none=True)
    least = asked.pop("composite", 100 * profile.threshold) / 100
    return score, score >= least and all(100 * reached[name] >= floor for name, floor in asked.items())


def _each(evidence: Evidence) -> list[tuple[float, bool]]:
    pairs = zip(evidence.judged_sample, evidence.judged, strict=True) if evidence.judged else ()
    return [passes(talk, evidence.seeds.get(talk.seed_id or ""), judged, evidence.config) for talk, judged in pairs]


def _mean(evidence: Evidence) -> float | None:
    found = _each(evidence)
    return sum(score for score, _ in found) / len(found) if found else None


def _passing(evidence: Evidence) -> float | None:
    found = _each(evidence)
    return sum(good for _, good in found) / len(found) if found else None


COMPOSITE = Metric("composite", (0.0, 1.0), "higher", _mean)
PASSING = Metric("passing", (0.0, 1.0), "higher", _passing)
