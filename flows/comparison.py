"""A page that sets several runs side by side: status, costs, every gate, every measure of quality; no text of any."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flows.figures import gate_rows
from flows.language import ENGLISH, Language
from flows.plots import bars, number
from flows.records import RunRecord
from flows.report import read_figures, templates, verdict_sentence


def comparison_page(runs: Sequence[tuple[Path, RunRecord]], words: Language = ENGLISH) -> str:
    """The page.

    Args:
        runs: directory and record of each, at least two, in the order they are shown.
        words: language of the page.
    """
    columns = [_column(directory, run, words) for directory, run in runs]
    view = {
        "columns": columns,
        "gates": _table([column["gates"] for column in columns]),
        "quality": _table([column["quality"] for column in columns]),
        "plots": [plot for name in ("epsilon", "seconds", "composite") if (plot := _plot(name, columns, words))],
    }
    return templates(words).get_template("compare.html").render(view)


def _column(directory: Path, run: RunRecord, words: Language) -> dict[str, Any]:
    scores, training = read_figures(directory / "scores.json"), read_figures(directory / "adapter/training.json")
    attacks = read_figures(directory / "attacks.json")
    quality = {
        name: entry["value"]
        for name, entry in (scores.get("quality") or {}).items()
        if isinstance((entry or {}).get("value"), int | float)
    }
    made = next((stage.counts.get("conversations") for stage in run.stages if stage.name == "generate"), None)
    return {
        "run": run,
        "sentence": verdict_sentence(run, training, words),
        "conversations": number(made) if made is not None else "",
        "epsilon": training.get("epsilon"),
        "seconds": run.seconds,
        "composite": quality.get("composite"),
        "gates": {row["title"]: (row["verdict"], number(row["figure"])) for row in gate_rows(run, attacks, words)},
        "quality": {words.name(name): number(value) for name, value in quality.items()},
    }


def _table(columns: Sequence[dict[str, Any]]) -> list[tuple[str, list[Any]]]:
    """A row for each name that any column knows, in the order of the first that has it."""
    names = dict.fromkeys(name for column in columns for name in column)
    return [(name, [column.get(name) for column in columns]) for name in names]


def _plot(name: str, columns: Sequence[dict[str, Any]], words: Language) -> dict[str, Any] | None:
    rows = [(column["run"].id[:12], value) for column in columns if isinstance(value := column[name], int | float)]
    title = {
        "epsilon": words.say("Privacy loss ε"),
        "seconds": words.say("Time"),
        "composite": f"{words.say('Quality')}: {words.name('composite')}",
    }[name]
    if not rows:
        return None
    told = ", ".join(f"{run} {number(value)}" for run, value in rows)
    return {"title": title, "plot": bars(rows, f"{title}: {told}.", unit=" s" if name == "seconds" else "")}
