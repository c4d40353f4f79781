"""One self-contained report.html of a run: the verdict first, then figures and plots, then what is not claimed.

The page asks for nothing outside itself (its own content policy forbids it) and runs no script. Of texts it shows three
synthetic conversations of a certified run, which hold role markers only; a halted run shows figures alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from flows.claims import NOT_CLAIMED
from flows.figures import attack_figures, data_figures, gate_rows, stage_figures, training_figures
from flows.halted import halt_story
from flows.language import ENGLISH, LANGUAGES, Language, language_of
from flows.picture import pipeline_picture, steps
from flows.plots import number
from flows.records import RunRecord
from flows.released import ledger_figures, quality_radar, set_figures
from seed_engine.atomic import atomic_text
from seed_engine.markers import iter_markers

EXAMPLES = 3
_MOST_TURNS = 12
_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def render_report(directory: Path, run: RunRecord, certificate: Mapping[str, Any] | None) -> Path:
    """Write report.html, in the language that most of the published set is in, if the report speaks it.

    Args:
        directory: see `report_page`.
        run: the record as it is in run.json.
        certificate: the statement, with or without its signature; None where there is none.

    Returns:
        The path of report.html.
    """
    path = directory / "report.html"
    words = language_of(_language(directory / "synthetic.jsonl")) if run.status == "certified" else ENGLISH
    atomic_text(path, report_page(directory, run, certificate, words))
    return path


def report_page(
    directory: Path,
    run: RunRecord,
    certificate: Mapping[str, Any] | None,
    words: Language = ENGLISH,
    ledger: Sequence[tuple[str, float]] = (),
) -> str:
    """The page.

    Args:
        directory: holds scores.json, attacks.json, adapter/training.json and synthetic.jsonl, as far as the run came;
            what is missing is left out, with a sentence that says so.
        run: the record as it is in run.json.
        certificate: the statement, with or without its signature; None where there is none.
        words: language of the page.
        ledger: (moment, epsilon so far) of the releases or trainings of this data; left out if empty.
    """
    view = _view(directory, run, certificate, words) | {"ledger": ledger_figures(ledger, words)}
    return templates(words).get_template("report.html").render(view)


def templates(words: Language) -> Environment:
    """The pages' templates, which speak one language; everything that a run wrote is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = number
    environment.globals |= {
        "say": words.say, "say_plain": words.plain, "markup": words.markup, "language": words.code,
    }  # fmt: skip
    return environment


def verdict_sentence(run: RunRecord, training: Mapping[str, Any], words: Language = ENGLISH) -> str:
    """The whole report in one sentence."""
    if run.status == "certified":
        epsilon, gates = training.get("epsilon"), len(run.gates)
        if not isinstance(epsilon, int | float):
            return words.say("Certified: all {gates} gates passed, and the adapter was trained privately.", gates=gates)
        return words.say(
            "Certified: all {gates} gates passed, and the adapter was trained privately at ε = {epsilon}.",
            gates=gates, epsilon=number(epsilon),
        )  # fmt: skip
    if run.status == "running":
        return words.say("Not finished: nothing has been published.")
    gate = next((gate for gate in run.gates if gate.name == run.halted_at), None)
    if gate is None:
        stage = words.name(run.halted_at) if run.halted_at else words.say("an unknown stage")
        return words.say("Stopped at {stage}: nothing was published.", stage=stage)
    figures = words.say("{figure} against {limit}", figure=number(gate.figure), limit=number(gate.threshold))
    if run.status == "inconclusive":
        sentence = "Inconclusive: gate {gate} saw too little to pass ({figures}), so nothing was published."
    else:
        sentence = "Halted at gate {gate}: {figures}, so nothing was published."
    return words.say(sentence, gate=words.name(gate.name), figures=figures)


def read_figures(path: Path) -> dict[str, Any]:
    """A JSON object; empty where the run did not come so far."""
    if not path.is_file():
        return {}
    value = json.loads(path.read_bytes())
    return value if isinstance(value, dict) else {}


def _view(directory: Path, run: RunRecord, certificate: Mapping[str, Any] | None, words: Language) -> dict[str, Any]:
    scores, attacks = read_figures(directory / "scores.json"), read_figures(directory / "attacks.json")
    training = read_figures(directory / "adapter/training.json")
    boxes, certified = steps(run, words), run.status == "certified"
    return {
        "run": run,
        "sentence": verdict_sentence(run, training, words),
        "pictures": (pipeline_picture(boxes, 4, "wide", words), pipeline_picture(boxes, 1, "narrow", words)),
        "story": halt_story(run, scores, words),
        "gates": gate_rows(run, attacks, words),
        "training": training_figures(training, words),
        "attacks": attack_figures(attacks, words),
        "data": data_figures(scores, words),
        "radar": quality_radar(scores, words),
        "stages": stage_figures(run, words),
        # What did not pass may hold what must not be seen: of a halted run figures alone are shown.
        "set": set_figures(directory, words) if certified else {"markers": None, "shares": []},
        "examples": _examples(directory / "synthetic.jsonl") if certified else [],
        "certificate": certificate,
        "not_claimed": certificate["not_claimed"] if certificate else NOT_CLAIMED,
    }


def _language(path: Path) -> str:
    counts = Counter(str(record.get("language")) for record in _records(path))
    most = counts.most_common(1)[0][0] if counts else ""
    return most if most in LANGUAGES else "en"


def _examples(path: Path) -> list[dict[str, Any]]:
    """Conversations of as many domains and languages as there are, in the order of the file."""
    chosen: dict[tuple[Any, Any], dict[str, Any]] = {}
    spare: list[dict[str, Any]] = []
    for record in _records(path):
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
        "tag": record["language"] if _TAG.fullmatch(str(record.get("language") or "")) else "",
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


def _records(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
