"""One self-contained report.html of a run: the verdict first, then figures and plots, then what is not claimed.

The page asks for nothing outside itself (its own content policy forbids it) and runs no script. Of texts it shows three
synthetic conversations of a certified run, which hold role markers only; a halted run shows figures alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from flows.claims import NOT_CLAIMED
from flows.figures import attack_figures, data_figures, gate_rows, stage_figures, training_figures
from flows.picture import pipeline_picture, steps
from flows.plots import number
from flows.records import RunRecord
from seed_engine.atomic import atomic_text
from seed_engine.markers import iter_markers

EXAMPLES = 3
_MOST_TURNS = 12


def render_report(directory: Path, run: RunRecord, certificate: Mapping[str, Any] | None) -> Path:
    """Write report.html.

    Args:
        directory: holds scores.json, attacks.json, adapter/training.json and synthetic.jsonl, as far as the run came;
            what is missing is left out, with a sentence that says so.
        run: the record as it is in run.json.
        certificate: the statement, with or without its signature; None where there is none.

    Returns:
        The path of report.html.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    path = directory / "report.html"
    atomic_text(path, environment.get_template("report.html").render(_view(directory, run, certificate)))
    return path


def verdict_sentence(run: RunRecord, training: Mapping[str, Any]) -> str:
    """The whole report in one sentence."""
    if run.status == "certified":
        epsilon = training.get("epsilon")
        epsilon = f" at ε = {number(epsilon)}" if isinstance(epsilon, int | float) else ""
        return f"Certified: all {len(run.gates)} gates passed, and the adapter was trained privately{epsilon}."
    if run.status == "running":
        return "Not finished: nothing has been published."
    gate = next((gate for gate in run.gates if gate.name == run.halted_at), None)
    if gate is None:
        return f"Stopped at {run.halted_at or 'an unknown stage'}: nothing was published."
    figures = f"{number(gate.figure)} against {number(gate.threshold)}"
    if run.status == "inconclusive":
        return f"Inconclusive: gate {gate.name} saw too little to pass ({figures}), so nothing was published."
    return f"Halted at gate {gate.name}: {figures}, so nothing was published."


def _view(directory: Path, run: RunRecord, certificate: Mapping[str, Any] | None) -> dict[str, Any]:
    scores, attacks = _object(directory / "scores.json"), _object(directory / "attacks.json")
    training = _object(directory / "adapter/training.json")
    boxes = steps(run)
    return {
        "run": run,
        "sentence": verdict_sentence(run, training),
        "pictures": (pipeline_picture(boxes, 4, "wide"), pipeline_picture(boxes, 1, "narrow")),
        "gates": gate_rows(run, attacks),
        "training": training_figures(training),
        "attacks": attack_figures(attacks),
        "data": data_figures(scores),
        "stages": stage_figures(run),
        "examples": _examples(directory / "synthetic.jsonl") if run.status == "certified" else [],
        "certificate": certificate,
        "not_claimed": certificate["not_claimed"] if certificate else NOT_CLAIMED,
    }


def _examples(path: Path) -> list[dict[str, Any]]:
    """Conversations of as many domains and languages as there are, in the order of the file."""
    chosen: dict[tuple[Any, Any], dict[str, Any]] = {}
    spare: list[dict[str, Any]] = []
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                kind = (record.get("domain"), record.get("language"))
                if kind not in chosen:
                    chosen[kind] = record
                elif len(spare) < EXAMPLES:
                    spare.append(record)
                if len(chosen) == EXAMPLES:
                    break
    return [_example(record) for record in [*chosen.values(), *spare][:EXAMPLES]]


def _example(record: Mapping[str, Any]) -> dict[str, Any]:
    turns = record["turns"]
    return {
        "id": record["id"],
        "domain": record.get("domain") or "conversation",
        "language": record.get("language") or "",
        "turns": [{"role": turn["role"], "parts": _parts(turn["text"])} for turn in turns[:_MOST_TURNS]],
        "left_out": max(0, len(turns) - _MOST_TURNS),
    }


def _parts(text: str) -> list[tuple[str, bool]]:
    """A text cut into (piece, whether it is a role marker)."""
    parts, position = [], 0
    for start, end, _ in iter_markers(text):
        parts += [(text[position:start], False), (text[start:end], True)]
        position = end
    return [*parts, (text[position:], False)]


def _object(path: Path) -> dict[str, Any]:
    """A JSON object; empty where the run did not come so far."""
    if not path.is_file():
        return {}
    value = json.loads(path.read_bytes())
    return value if isinstance(value, dict) else {}
