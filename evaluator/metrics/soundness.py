"""Soundness: mean probability that a conversation is one that was held, and the same against each way to spoil one.

See `evaluator.soundness`. The part against a corruption says which fault a low soundness comes from.
"""

from __future__ import annotations

from collections.abc import Callable

from evaluator.metrics.metric import Evidence, Metric
from evaluator.soundness import Soundness

Part = Callable[[Soundness], float]


def _mean_of(part: Part) -> Callable[[Evidence], float | None]:
    def measure(evidence: Evidence) -> float | None:
        judged = evidence.judged
        return sum(map(part, judged)) / len(judged) if judged else None

    return measure


def _against(*corruptions: str) -> Part:
    return lambda judged: min(judged.against[name] for name in corruptions)


# What each measure reads of a conversation, also for the bench.
PARTS: dict[str, Part] = {
    "soundness": lambda judged: judged.sound,
    "turn_order": _against("shuffled_turns"),
    "speaker_fit": _against("crossed_speakers"),
    "next_turn": _against("crossed_conversations", "off_topic"),
    "progress": _against("repeated_turns"),
    "fluency": _against("random_words"),
}
SOUNDNESS, TURN_ORDER, SPEAKER_FIT, NEXT_TURN, PROGRESS, FLUENCY = (
    Metric(name, (0.0, 1.0), "higher", _mean_of(part)) for name, part in PARTS.items()
)
