"""Turns a run's records into what the report shows: rows of text and plots, each plot with the same in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeGuard

from markupsafe import Markup

from flows.plots import audit_line, bars, gate_bar, histogram, loss_plot, number, range_bar, roc_plot
from flows.records import GateRecord, RunRecord

_MOST_TYPES = 12


def gate_rows(run: RunRecord, attacks: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a gate: name, figure, threshold, verdict, and the figure drawn against its threshold."""
    bounds = {f"attacks.{row['name']}": row for row in attacks.get("attacks", ())}
    rows = []
    for gate in run.gates:
        bound = bounds.get(gate.name)
        interval = (bound.get("lower_bound", 0.0), bound["upper_bound"]) if bound else None
        label = f"{gate.name}: {number(gate.figure)} against {number(gate.threshold)}, {gate.verdict}"
        rows.append(
            gate.model_dump()
            | {
                "title": gate.name.replace("_", " ").replace("attacks.", "attack: "),
                "decided": gate.name == run.halted_at,
            }
            | {"plot": gate_bar(gate.figure, gate.threshold, gate.verdict, label, interval), "sign": sign(gate)}
        )
    return rows


def sign(gate: GateRecord) -> str:
    """How a figure must stand to its threshold, as the verdict shows it."""
    if gate.name.startswith("attacks."):
        return "below"
    above = gate.figure > gate.threshold
    return "at least" if above == (gate.verdict == "pass") and gate.figure != gate.threshold else "at most"


def training_figures(training: Mapping[str, Any]) -> dict[str, Any]:
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
        words = ", ".join(f"{name} {number(value)}" for name, value in rows)
        found["accountants"] = bars(rows, f"Epsilon by accountant: {words}; claimed {number(epsilon)}.", epsilon)
        found["accountants_words"] = f"{words}; the line is the {number(epsilon)} that is claimed."
    audit = training.get("audit") or {}
    if _finite(audit.get("epsilon_lower_bound")):
        found |= _audit(audit, epsilon)
    found |= _losses(training.get("loss_curve"))
    names = ("unit", "sampler", "noise_multiplier", "sample_rate", "max_grad_norm", "steps", "units", "member_canaries")
    found["settings"] = [(name.replace("_", " "), _plain(training[name])) for name in names if name in training]
    return found


def attack_figures(attacks: Mapping[str, Any]) -> dict[str, Any]:
    """The attacks' rows, ROC curves and canary exposures; empty without attacks.json."""
    if not attacks:
        return {}
    plots = attacks.get("plots") or {}
    found: dict[str, Any] = {"roc": None, "exposure": None, "rows": attacks.get("attacks", ())}
    if plots.get("roc"):
        found |= _roc(plots["roc"])
    if plots.get("exposure") and plots.get("exposure_ceiling"):
        found |= _exposure(plots["exposure"], plots["exposure_ceiling"], attacks)
    return found


def data_figures(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Privacy score, memorisation, leaks and quality; empty without scores.json."""
    if not scores:
        return {}
    quality = []
    for name, entry in (scores.get("quality") or {}).items():
        value, span, better = entry.get("value"), entry.get("range"), str(entry.get("better", ""))
        if _finite(value):
            quality.append(_quality(name, value, span, better))
    leaks = scores.get("leaks") or {}
    return {
        "privacy_score": scores.get("privacy_score"),
        "memorization_rate": scores.get("memorization_rate"),
        "leaks": [(name, value) for name, value in leaks.items() if _finite(value)],
        "quality": quality,
    }


def stage_figures(run: RunRecord) -> dict[str, Any]:
    """Time by stage, and how many spans of each type were found."""
    times = [(stage.name, stage.seconds) for stage in run.stages if stage.seconds is not None]
    found: dict[str, Any] = {"times": None, "types": None}
    if times:
        words = ", ".join(f"{name} {number(seconds)} s" for name, seconds in times)
        found["times"] = bars(times, f"Wall time by stage: {words}.", unit=" s")
    counts = next((stage.counts for stage in run.stages if stage.name == "extract"), {})
    # Entity types are the counts that are spelt as Presidio spells them, in capitals.
    types = sorted(((name, n) for name, n in counts.items() if name.isupper()), key=lambda row: (-row[1], row[0]))
    if types:
        words = ", ".join(f"{name} {number(n)}" for name, n in types)
        found["types"] = bars(types[:_MOST_TYPES], f"Spans by type: {words}.")
        found["types_words"] = f"{number(sum(n for _, n in types))} spans of {len(types)} types" + (
            f"; the {_MOST_TYPES} most frequent are shown" if len(types) > _MOST_TYPES else ""
        )
    return found


def _audit(audit: Mapping[str, Any], epsilon: float) -> dict[str, Any]:
    lower, ceiling = audit["epsilon_lower_bound"], audit.get("ceiling")
    guesses, correct = audit.get("guesses"), audit.get("correct")
    words = f"The audit shows epsilon of at least {number(lower)}"
    words += f", of at most {number(ceiling)} that it could show" if ceiling is not None else ""
    words += f", with {correct} of {guesses} guesses right" if guesses is not None and correct is not None else ""
    words += f"; {number(epsilon)} is claimed."
    return {"audit": audit_line(lower, ceiling, epsilon, words), "audit_words": words}


def _losses(curve: Any) -> dict[str, Any]:
    """The loss on control canaries by step; their text is random, so that it costs no privacy to show."""
    points = [(step, loss) for step, loss in curve or () if _finite(step) and _finite(loss)]
    if not points:
        return {"losses": None}
    (first, before), (last, after) = points[0], points[-1]
    words = f"Nats a token on random texts that were not trained on: {number(before)} at step {number(first)}, "
    words += f"{number(after)} at step {number(last)}."
    return {"losses": loss_plot(points, f"Loss by step. {words}"), "losses_words": words}


def _roc(curves: Mapping[str, Any]) -> dict[str, Any]:
    areas = {name: _area(points) for name, points in curves.items()}
    strongest = max(areas, key=lambda name: areas[name])
    words = f"Strongest scorer over the whole curve: {strongest}, area {areas[strongest]:.3f} (0.5 is guessing)"
    others = sorted(set(curves) - {strongest})
    words += f"; pale: {', '.join(others)}." if others else "."
    label = f"Receiver operating characteristic. {words}"
    return {"roc": roc_plot(curves, strongest, label), "roc_words": words}


def _area(points: Any) -> float:
    ordered = [(0.0, 0.0), *sorted((float(x), float(y)) for x, y in points), (1.0, 1.0)]
    return sum((right[0] - left[0]) * (right[1] + left[1]) / 2 for left, right in pairwise(ordered))


def _exposure(values: list[float], ceiling: float, attacks: Mapping[str, Any]) -> dict[str, Any]:
    details = [row.get("details") or {} for row in attacks.get("attacks", ())]
    chance = next((d["exposure_by_chance_bits"] for d in details if "exposure_by_chance_bits" in d), None)
    words = (
        f"{len(values)} canaries: mean {number(sum(values) / len(values))} of {number(ceiling)} bits that could be seen"
    )
    words += f"; the line is chance, {number(chance)} bits." if chance is not None else "."
    return {"exposure": histogram(values, ceiling, chance, f"Canary exposure. {words}"), "exposure_words": words}


def _quality(name: str, value: float, span: Any, better: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name.replace("_", " "),
        "value": value,
        "better": better,
        "range": "",
        "plot": Markup(),
    }
    if isinstance(span, list | tuple) and len(span) == 2:
        low, high = span
        row["range"] = " to ".join(number(end) if _finite(end) else "any" for end in span)
        if _finite(low) and _finite(high):
            row["plot"] = range_bar(value, low, high, f"{row['name']}: {number(value)} in {row['range']}")
    return row


def _finite(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _plain(value: Any) -> str:
    return number(value) if _finite(value) else str(value)
