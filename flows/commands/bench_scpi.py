"""`semilla bench scpi`: the paper's tables of special-care information with ours beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.console import FAILED, PASSED, Json, finish, guarded, require_file

if TYPE_CHECKING:
    from seed_engine.sensitive.bench import BenchReport
    from seed_engine.sensitive.evaluation import SetFigures

# What the paper publishes and is known here; nothing else is printed as its own.
PAPER = {"stacked SVC + LightGBM, F1": 0.877, "texts per second and core": 266.0}
PAPER_RATIO = "4-50x faster than transformers"
TOPIC_F1, AUC, FLAGGED_75, FLAGGED_90, PEOPLE_RECALL = 0.95, 0.88, 0.15, 0.30, 0.95


@guarded
def scpi(
    per_cell: Annotated[int, typer.Option(min=5, help="Training texts of each category and kind.")] = 25,
    transformer: Annotated[bool, typer.Option(help="Time a 310M transformer of random weights too (1.5 GB).")] = True,
    people: Annotated[Path | None, typer.Option(help="Marked texts (JSONL) to measure person candidates on.")] = None,
    as_json: Json = False,
) -> None:
    """Classifiers in the paper's setting and on hard negatives; the judge's figures by set and category; speed."""
    from seed_engine.gold import read_gold
    from seed_engine.sensitive.bench import UNTOUCHED, run_bench
    from seed_engine.sensitive.evaluation import evaluate_people
    from seed_engine.sensitive.transformer import shape_rate

    marked = evaluate_people(read_gold(require_file(people))) if people else None
    report = run_bench(per_cell, shape_rate if transformer else None)
    unseen = report.sets[UNTOUCHED]
    met = unseen.topic_f1 >= TOPIC_F1 and unseen.auc >= AUC and unseen.flagged_75 <= FLAGGED_75
    met = met and unseen.flagged_90 <= FLAGGED_90 and report.gain[UNTOUCHED][1] > 0
    met = met and (marked is None or marked.recall >= PEOPLE_RECALL)
    payload = {"paper": PAPER | {"speed": PAPER_RATIO}, **_clean(report.model_dump())}
    lines = list(_lines(report))
    if marked is not None:
        payload["people"] = _clean(marked.model_dump())
        lines += ["", f"people: name found in {marked.recall:.3f} of {marked.texts} texts with a marked person,"]
        lines += [f"overlapping one in {marked.overlapping:.3f}; precision {marked.precision:.3f}"]
    finish(payload, lines, as_json=as_json, exit_code=PASSED if met else FAILED)


def _lines(report: BenchReport) -> Iterator[str]:
    for name, value in PAPER.items():
        yield f"paper: {name:32} {value:g}"
    yield f"paper: {PAPER_RATIO}"
    yield ""
    yield "classifiers of whole texts, trained as in the paper (one SCPI text in ten, no hard negatives)"
    yield f"{'model':16} in-dist F1   unseen F1  hard FPR  AUC hard  AUC hard*    texts/s   x transformer"
    for row in report.models:
        ratio = row.rate / report.transformer
        yield (
            f"{row.model:16} {row.in_distribution:10.3f} {row.f1:11.3f} {row.hard_fpr:9.3f} {row.auc:9.3f} "
            f"{_number(row.trained_hard):>10} {_number(row.rate, 0):>10} {_number(ratio, 0):>15}"
        )
    yield "* trained with related texts among the negatives"
    singles = [row for row in report.models if row.model in ("svc", "lightgbm")]
    best = max(row.in_distribution for row in singles)
    yield f"stacking gain in distribution: {report.models[-1].in_distribution - best:+.3f} F1"
    yield ""
    yield f"cue search {report.prefilter:,.0f}, cascade {report.cascade:,.0f} texts per CPU-second"
    yield "(texts of 500 characters, 12% of them with cues)"
    if not math.isnan(report.transformer):
        times = report.cascade / report.transformer
        yield f"310M transformer, random weights: {report.transformer:.2f} texts per CPU-second; cascade {times:,.0f}x"
    for name, figures in report.sets.items():
        yield from _set_lines(name, figures)
        value, low, high = report.gain[name]
        yield f"gain of linking over {report.gain_over}*: AUC {value:+.3f} (95% {low:+.3f} to {high:+.3f})"
    yield ""
    yield f"{'GDPR Art. 9, 10':25} language told  found general flagged"
    for west in report.west:
        yield f"{west.category:25} {west.language:8} {west.told:4} {west.found:6} {west.general:7} {west.flagged:7}"


def _set_lines(name: str, figures: SetFigures) -> Iterator[str]:
    yield ""
    yield f"{name}: {figures.texts} texts; category level F1 {figures.topic_f1:.3f}"
    yield f"person level AUC {figures.auc:.3f} ({figures.auc_low:.3f}-{figures.auc_high:.3f})"
    yield f"related flagged {figures.flagged_75:.3f} at recall .75, {figures.flagged_90:.3f} at recall .90"
    threshold = f"recall {figures.recall:.3f}, related flagged {figures.flagged:.3f}, F1 {figures.f1:.3f}"
    yield f"at the judge's threshold: {threshold}"
    yield f"{'category':20} scpi related   found flagged  category named"
    for row in figures.categories:
        yield f"{row.category:20} {row.scpi:4} {row.related:7} {row.found:7.2f} {row.flagged:7.2f} {row.named:15.2f}"


def _number(value: float, digits: int = 3) -> str:
    return "-" if math.isnan(value) else f"{value:,.{digits}f}"


def _clean(value: Any) -> Any:
    """NaN as null, all through."""
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
