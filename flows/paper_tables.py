"""The HybridPII experiment in words and as JSON: the paper's figures beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from flows.bench_tables import measures
from seed_engine.paper_bench import PAPER, THRESHOLDS, WEIGHTS, Cell, PaperTable
from seed_engine.scoring import PiiScore

_TITLES = {
    "regex": "regex only",
    "ner": "NER only (spaCy small)",
    "classifier": "transformer (own classifier)",
    "presidio": "Presidio (default, small model)",
    "fusion": "the paper's fusion, tuned",
    "hybrid": "hybrid (ours)",
}
# Which row of the paper's stands beside which of ours.
_BESIDE = {"regex": "regex", "presidio": "presidio", "fusion": "hybrid", "hybrid": "hybrid"}


def paper_payload(table: PaperTable) -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "paper": PAPER,
        "systems": {name: measures(row) | _errors(row) for name, row in table.systems.items()},
        "tuned": _cell(table.tuned),
        "grid": [_cell(cell) | _short(row) for cell, row in table.grid.items()],
        "own_grid": [_cell(cell) | _short(row) for cell, row in table.own_grid.items()],
        "comparisons": [
            {
                "other": c.other,
                "difference": c.difference,
                "t": _finite(c.t),
                "p": _finite(c.p),
                "cohens_d": _finite(c.cohens_d),
            }
            for c in table.comparisons
        ],
        "risk": [{"domain": r.domain, "documents": r.documents, "found": r.found, "gold": r.gold} for r in table.risks],
    }


def _finite(value: float) -> float | None:
    # JSON has no NaN.
    return value if math.isfinite(value) else None


def paper_lines(table: PaperTable) -> Iterator[str]:
    """What a person reads."""
    yield f"{'system':<34}{'prec':>8}{'recall':>8}{'f1':>8}{'FP':>6}{'FN':>6}   paper: prec  recall      f1"
    for name, row in table.systems.items():
        given = PAPER.get(_BESIDE.get(name, ""), {})
        beside = "".join(f"{given[key]:>8.4f}" if key in given else f"{'-':>8}" for key in ("precision", "recall"))
        f1 = given.get("f1_tuned", given.get("f1"))
        ours = f"{row.precision:>8.4f}{row.recall:>8.4f}{row.f1:>8.4f}{row.false:>6}{row.gold - row.hit:>6}"
        yield f"{_TITLES[name]:<34}{ours}    {beside}" + (f"{f1:>8.4f}" if f1 is not None else f"{'-':>8}")
    yield "(the paper's documents are not published: ours follow its description and are another set. Regex, NER and"
    yield " transformer are one family each behind our policy, without the search for what was found once)"
    threshold, pattern, other = table.tuned
    yield f"tuned on the documents that are not measured: threshold {threshold}, weights {pattern:.0%}/{other:.0%}"
    yield from _grid_lines("patterns and spaCy, the paper's fusion", table.grid)
    yield from _grid_lines("patterns and own classifier", table.own_grid)
    yield "paired t-tests of F1 by document, hybrid (ours) less the other:"
    for item in table.comparisons:
        yield (
            f"  {_TITLES[item.other]:<34} {item.difference:+.4f}  t {item.t:+6.2f}  p {item.p:.2g}"
            f"  Cohen's d {item.cohens_d:+.2f}"
        )
    yield "risk by domain, as the paper lists them (0 to 100: from what the hybrid found, from gold, rank):"
    ranked = sorted(table.risks, key=lambda risk: -risk.found)
    for risk in table.risks:
        yield f"  {risk.domain:<10} {risk.found:>6.1f} {risk.gold:>6.1f}   {ranked.index(risk) + 1}"


def _grid_lines(title: str, grid: dict[Cell, PiiScore]) -> Iterator[str]:
    yield f"ablation, {title}: precision / recall / F1 by threshold and weights"
    yield f"  {'':<5}" + "".join(f"{f'{first:.0%}/{second:.0%}':>22}" for first, second in WEIGHTS)
    for threshold in THRESHOLDS:
        cells = (grid[threshold, *weights] for weights in WEIGHTS)
        yield f"  {threshold:<5}" + "".join(f"{_triple(cell):>22}" for cell in cells)


def _triple(row: PiiScore) -> str:
    return f"{row.precision:.3f}/{row.recall:.3f}/{row.f1:.3f}" if row.true + row.false else "nothing found"


def _cell(cell: Cell) -> dict[str, Any]:
    return {"threshold": cell[0], "weights": [cell[1], cell[2]]}


def _short(row: PiiScore) -> dict[str, Any]:
    found = measures(row)
    return {name: found[name] for name in ("precision", "recall", "f1")} | _errors(row)


def _errors(row: PiiScore) -> dict[str, int]:
    return {"false_positives": row.false, "false_negatives": row.gold - row.hit}
