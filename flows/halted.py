"""The story of a halt: which gate decided, what it looks for, what had run, what did not, and what to look at next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flows.language import ENGLISH, Language
from flows.picture import STEPS
from flows.plots import number
from flows.records import RunRecord

# What a gate looks for, and what a person can do when it does not pass. Attacks share one entry.
ADVICE: dict[str, tuple[str, str]] = {
    "input": (
        "It asks whether anything was read from which a seed could be made.",
        "Look at the format of the inputs: `semilla detect` tells how many conversations it reads.",
    ),
    "schema": (
        "It asks whether every string of every seed is a label of the vocabulary or a role marker.",
        "This is a fault of the program, not of the data: keep run.json and report it.",
    ),
    "generation": (
        "It asks whether any conversation was written that keeps to its seed.",
        "Look at the counts of the stage generate: what was dropped names its fault.",
    ),
    "privacy_score": (
        "It searches the written text for personal data with the run's own detector.",
        "Take another model, or the strategy that writes from templates.",
    ),
    "leak": (
        "It searches the written text for every value that was found in the inputs, in its spellings.",
        "Look at the table of types. A value that is a common word can be a coincidence; it halts all the same.",
    ),
    "evaluation": (
        "It asks whether any gate of scores.json objects.",
        "scores.json names the reasons.",
    ),
    "epsilon": (
        "It holds the claimed privacy loss against the largest that is certified.",
        "Ask for a smaller epsilon in [training], or give more conversations.",
    ),
    "audit": (
        "It asks whether an audit shows more privacy loss than is claimed.",
        "Do not use the adapter. Report it with training.json: the claim or the trainer is wrong.",
    ),
    "attacks": (
        "It asks whether an attack succeeds more often than the threshold allows, at the stated confidence.",
        "Too few trials make it inconclusive: more canaries help. A success is a reason not to publish.",
    ),
}
_FAULT = (
    "No gate decided: the stage itself could not end.",
    "The recorded reason names it. `semilla run --resume` goes on from the last stage that ended.",
)


def halt_story(run: RunRecord, scores: Mapping[str, Any], words: Language = ENGLISH) -> dict[str, Any]:
    """What happened, in order; empty for a run that did not stop.

    Args:
        run: the record.
        scores: scores.json, of which the types of leaks are told as counts.
        words: language of the sentences.
    """
    if run.status not in ("halted", "inconclusive"):
        return {}
    gate = next((gate for gate in run.gates if gate.name == run.halted_at), None)
    sought, advice = ADVICE.get(gate.name.partition(".")[0], _FAULT) if gate else _FAULT
    done = [stage.name for stage in run.stages]
    spent = sum(stage.seconds or 0.0 for stage in run.stages)
    titles = {name: words.say(title) for name, title, _ in STEPS}
    by_type = (scores.get("leaks") or {}).get("by_type") or {}
    return {
        "gate": words.name(run.halted_at or ""),
        "sought": words.say(sought),
        "advice": words.say(advice),
        "figures": words.say(
            "The figure was {figure}; the limit is {limit}.", figure=number(gate.figure), limit=number(gate.threshold)
        )
        if gate
        else "",
        "detail": words.recorded(gate.detail) if gate else "",
        "ran": [titles[name] for name in done if name in titles],
        "spent": number(round(spent, 1)),
        "left": [title for name, title in titles.items() if name not in done],
        "types": sorted(
            ((name, number(count)) for name, count in by_type.items() if isinstance(count, int | float)),
        ),
    }
