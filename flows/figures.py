"""Turns a run's records into what the report shows: rows of text and plots, each plot with the same in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeGuard

from markupsafe import Markup

from flows.language import ENGLISH, Language
from flows.plots import audit_line, bars, gate_bar, histogram, loss_plot, number, range_bar, roc_plot
from flows.records import GateRecord, RunRecord

_MOST_TYPES = 12


def gate_rows(run: RunRecord, attacks: Mapping[str, Any], words: Language = ENGLISH) -> list[dict[str, Any]]:
    """One row a gate: name, figure, threshold, verdict, and the figure drawn against its threshold."""
    bounds = {f"attacks.{row['name']}": row for row in attacks.get("attacks", ())}
    rows = []
    for gate in run.gates:
        bound = bounds.get(gate.name)
        interval = (bound.get("lower_bound", 0.0), bound["upper_bound"]) if bound else None
        against = words.say("{figure} against {limit}", figure=number(gate.figure), limit=number(gate.threshold))
        label = f"{gate.name}: {against}, {words.say(gate.verdict)}"
        rows.append(
            gate.model_dump()
            | {
                "title": _title(gate.name, words),
                "detail": words.recorded(gate.detail),
                "decided": gate.name == run.halted_at,
            }
            | {
                "plot": gate_bar(gate.figure, gate.threshold, gate.verdict, label, interval),
                "sign": words.say(sign(gate)),
            }
        )
    return rows


def _title(gate: str, words: Language) -> str:
    package, _, attack = gate.partition("attacks.")
    return f"{words.say('attack')}: {words.name(attack)}" if attack and not package else words.name(gate)


def sign(gate: GateRecord) -> str:
    """How a figure must stand to its threshold, as the verdict shows it."""
    if gate.name.startswith("attacks."):
        return "below"
    above = gate.figure > gate.threshold
    return "at least" if above == (gate.verdict == "pass") and gate.figure != gate.threshold else "at most"


def training_figures(training: Mapping[str, Any], words: Language = ENGLISH) -> dict[str, Any]:
    """Epsilon by accountant, the audit's bound, and the settings that they follow from; empty without training."""
    epsilon = training.get("epsilon")
    if not _finite(epsilon):
        return {}
    found: dict[str, Any] = {
        "accountants": None,
        "audit": None,
        "losses": None,
        "epsilon": epsilon,
        "delta": training.get("delta"),
        "unit": training.get("unit", ""),
    }
    rows = [(name.upper(), value) for name, value in (training.get("accountants") or {}).items() if _finite(value)]
    if rows:
        told = ", ".join(f"{name} {number(value)}" for name, value in rows)
        told = words.say("{figures}; the line is the {epsilon} that is claimed.", figures=told, epsilon=number(epsilon))
        found["accountants"] = bars(rows, f"{words.say('ε by accountant')}: {told}", epsilon)
        found["accountants_words"] = told
    audit = training.get("audit") or {}
    if _finite(audit.get("epsilon_lower_bound")):
        found |= _audit(audit, epsilon, words)
    found |= _losses(training.get("loss_curve"), words)
    names = ("unit", "sampler", "noise_multiplier", "sample_rate", "max_grad_norm", "steps", "units", "member_canaries")
    found["settings"] = [
        (words.name(name), words.recorded(_plain(training[name]))) for name in names if name in training
    ]
    return found


def attack_figures(attacks: Mapping[str, Any], words: Language = ENGLISH) -> dict[str, Any]:
    """The attacks' rows, ROC curves and canary exposures; empty without attacks.json."""
    if not attacks:
        return {}
    plots = attacks.get("plots") or {}
    found: dict[str, Any] = {
        "roc": None,
        "exposure": None,
        "rows": [_attack(row, words) for row in attacks.get("attacks", ())],
    }
    if plots.get("roc"):
        found |= _roc(plots["roc"], words)
    if plots.get("exposure") and plots.get("exposure_ceiling"):
        found |= _exposure(plots["exposure"], plots["exposure_ceiling"], attacks, words)
    return found


def data_figures(scores: Mapping[str, Any], words: Language = ENGLISH) -> dict[str, Any]:
    """Privacy score, memorisation, leaks and quality; empty without scores.json."""
    if not scores:
        return {}
    quality = []
    for name, entry in (scores.get("quality") or {}).items():
        value, span, better = entry.get("value"), entry.get("range"), str(entry.get("better", ""))
        if _finite(value):
            quality.append(_quality(words.name(name), value, span, words.say(better), words))
    leaks = scores.get("leaks") or {}
    return {
        "privacy_score": scores.get("privacy_score"),
        "memorization_rate": scores.get("memorization_rate"),
        "leaks": [(words.name(name), value) for name, value in leaks.items() if _finite(value)],
        "quality": quality,
    }


def stage_figures(run: RunRecord, words: Language = ENGLISH) -> dict[str, Any]:
    """Time by stage, and how many spans of each type were found."""
    times = [(stage.name, stage.seconds) for stage in run.stages if stage.seconds is not None]
    found: dict[str, Any] = {"times": None, "types": None}
    if times:
        times = [(words.name(name), seconds) for name, seconds in times]
        told = ", ".join(f"{name} {number(seconds)} s" for name, seconds in times)
        found["times"] = bars(times, f"{words.say('Time by stage')}: {told}.", unit=" s")
    counts = next((stage.counts for stage in run.stages if stage.name == "extract"), {})
    # Entity types are the counts that are spelt as Presidio spells them, in capitals.
    types = sorted(((name, n) for name, n in counts.items() if name.isupper()), key=lambda row: (-row[1], row[0]))
    if types:
        told = ", ".join(f"{name} {number(n)}" for name, n in types)
        found["types"] = bars(types[:_MOST_TYPES], f"{words.say('Spans by type')}: {told}.")
        spans = number(sum(n for _, n in types))
        found["types_words"] = words.say("{spans} spans of {types} types", spans=spans, types=len(types)) + (
            words.say("; the {count} most frequent are shown", count=_MOST_TYPES) if len(types) > _MOST_TYPES else ""
        )
    return found


def _audit(audit: Mapping[str, Any], epsilon: float, words: Language) -> dict[str, Any]:
    lower, ceiling = audit["epsilon_lower_bound"], audit.get("ceiling")
    guesses, correct = audit.get("guesses"), audit.get("correct")
    told = words.say("The audit shows epsilon of at least {lower}", lower=number(lower))
    if ceiling is not None:
        told += words.say(", of at most {ceiling} that it could show", ceiling=number(ceiling))
    if guesses is not None and correct is not None:
        told += words.say(", with {correct} of {guesses} guesses right", correct=correct, guesses=guesses)
    told += words.say("; {epsilon} is claimed.", epsilon=number(epsilon))
    return {"audit": audit_line(lower, ceiling, epsilon, told, words), "audit_words": told}


def _losses(curve: Any, words: Language) -> dict[str, Any]:
    """The loss on control canaries by step; their text is random, so that it costs no privacy to show."""
    points = [(step, loss) for step, loss in curve or () if _finite(step) and _finite(loss)]
    if not points:
        return {"losses": None}
    (first, before), (last, after) = points[0], points[-1]
    told = words.say(
        "Nats a token on random texts that were not trained on: {before} at step {first}, {after} at step {last}.",
        before=number(before), first=number(first), after=number(after), last=number(last),
    )  # fmt: skip
    return {"losses": loss_plot(points, f"{words.say('Loss while training')}. {told}", words), "losses_words": told}


def _attack(row: Mapping[str, Any], words: Language) -> dict[str, Any]:
    return {**row, "name": words.name(row["name"]), "reason": words.recorded(row.get("reason") or "")}


def _roc(curves: Mapping[str, Any], words: Language) -> dict[str, Any]:
    areas = {name: _area(points) for name, points in curves.items()}
    strongest = max(areas, key=lambda name: areas[name])
    told = words.say(
        "Strongest scorer over the whole curve: {scorer}, area {area} (0.5 is guessing)",
        scorer=strongest, area=f"{areas[strongest]:.3f}",
    )  # fmt: skip
    others = sorted(set(curves) - {strongest})
    told += words.say("; pale: {others}.", others=", ".join(others)) if others else "."
    label = f"{words.say('Receiver operating characteristic')}. {told}"
    return {"roc": roc_plot(curves, strongest, label, words), "roc_words": told}


def _area(points: Any) -> float:
    ordered = [(0.0, 0.0), *sorted((float(x), float(y)) for x, y in points), (1.0, 1.0)]
    return sum((right[0] - left[0]) * (right[1] + left[1]) / 2 for left, right in pairwise(ordered))


def _exposure(values: list[float], ceiling: float, attacks: Mapping[str, Any], words: Language) -> dict[str, Any]:
    details = [row.get("details") or {} for row in attacks.get("attacks", ())]
    chance = next((d["exposure_by_chance_bits"] for d in details if "exposure_by_chance_bits" in d), None)
    told = words.say(
        "{count} canaries: mean {mean} of {ceiling} bits that could be seen",
        count=len(values), mean=number(sum(values) / len(values)), ceiling=number(ceiling),
    )  # fmt: skip
    told += words.say("; the line is chance, {chance} bits.", chance=number(chance)) if chance is not None else "."
    label = f"{words.say('Canary exposure')}. {told}"
    return {"exposure": histogram(values, ceiling, chance, label, words), "exposure_words": told}


def _quality(name: str, value: float, span: Any, better: str, words: Language) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "value": value, "better": better, "range": "", "plot": Markup()}
    if isinstance(span, list | tuple) and len(span) == 2:
        low, high = span
        ends = [number(end) if _finite(end) else words.say("any") for end in span]
        row["range"] = words.say("{low} to {high}", low=ends[0], high=ends[1])
        if _finite(low) and _finite(high):
            row["plot"] = range_bar(value, low, high, f"{name}: {number(value)}; {row['range']}")
    return row


def _finite(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _plain(value: Any) -> str:
    return number(value) if _finite(value) else str(value)
