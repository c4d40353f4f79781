"""The detection bench in words and as JSON: one line a system and set, the published scorer's measures by its names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from seed_engine.pii_bench import Row, SetResult, everyday, pooled
from seed_engine.scoring import PiiScore

# The scorer's measures in its order, with the heading of each column.
MEASURES = {
    "docs": "docs",
    "gold": "gold",
    "recall": "recall",
    "exact_recall": "exact",
    "precision": "prec",
    "f1": "f1",
    "leaked": "leaked",
    "zero_leak": "zero",
    "over": "over",
    "false": "false",
    "false_per_1000_words": "/1000w",
}
MARKED_ONLY = "precision, marked types only"
_HEAD = f"{'set':<34} {'system':<10}" + "".join(f"{title:>8}" for title in MEASURES.values()) + f"{'char/s':>9}"


def pii_payload(rows: Sequence[Row]) -> dict[str, Any]:
    """What `--json` prints: every measure of every set and system, NaN as null."""
    payload: dict[str, Any] = {"sets": {row.name: _row_payload(row) for row in rows}}
    whole, plain = pooled(rows), everyday(rows)
    if whole is not None:
        payload |= {"pooled": _row_payload(whole), "speed_ratio": speed_ratios(whole)}
    return payload | ({"everyday": _row_payload(plain)} if plain is not None else {})


def pii_lines(rows: Sequence[Row]) -> Iterator[str]:
    """What a person reads: sets, the sets without marks, the pooled English sets, their types, speed."""
    yield _HEAD
    for row in rows:
        yield from _lines(row)
    if (plain := everyday(rows)) is not None:
        yield ""
        yield from _lines(plain)
        yield "  (scored in the strict view: every find in a text without personal data is a mistake)"
    if (whole := pooled(rows)) is None:
        return
    yield ""
    yield from _lines(whole)
    for row in (whole, *rows):
        yield from _marked_lines(row)
    yield "  (in sets that mark names, places and organisations alone, finds of other types are left out: such a set"
    yield "  does not say whether a handle, link, number or date is one)"
    yield from _type_lines(whole)
    for system, ratio in speed_ratios(whole).items():
        yield f"characters per CPU-second, {next(iter(whole.results))} over {system}: {ratio:.2f}x"


def speed_ratios(row: Row) -> dict[str, float]:
    """The first system's characters per CPU-second over each other's."""
    (_, first), *others = row.results.items()
    return {system: round(first.speed / result.speed, 3) for system, result in others}


def measures(score: PiiScore) -> dict[str, Any]:
    """The scorer's measures under its names, with the precision over marked types beside them; NaN is None."""
    found = {name: _finite(getattr(score, name)) for name in (*MEASURES, "precision_marked")}
    types = {
        kind: {"gold": row.gold, "recall": _finite(row.recall), "leaked": _finite(row.leaked)}
        for kind, row in score.by_type.items()
    }
    return {**found, "by_type": types}


def _row_payload(row: Row) -> dict[str, Any]:
    return {"language": row.language, "view": row.view, "systems": {k: _result(v) for k, v in row.results.items()}}


def _result(result: SetResult) -> dict[str, Any]:
    return measures(result.score) | {
        "characters": result.characters,
        "cpu_seconds": round(result.cpu_seconds, 3),
        "characters_per_cpu_second": _finite(round(result.speed, 1)),
    }


def _lines(row: Row) -> Iterator[str]:
    name = row.name if row.view != "strict" else f"{row.name} (strict)"
    for system, result in row.results.items():
        figures = "".join(f"{_figure(getattr(result.score, measure)):>8}" for measure in MEASURES)
        yield f"{name[:34]:<34} {system[:10]:<10}{figures}{result.speed:>9.0f}"


def _marked_lines(row: Row) -> Iterator[str]:
    """The second precision, where it differs for some system."""
    scores = {system: result.score for system, result in row.results.items()}
    if any(score.true_marked + score.false_marked < score.true + score.false for score in scores.values()):
        for system, score in scores.items():
            yield f"{f'{row.name[:24]}: {MARKED_ONLY}':<54} {system:<10}{_figure(score.precision_marked):>8}"


def _type_lines(row: Row) -> Iterator[str]:
    systems = list(row.results)
    yield f"  {'type':<18} {'gold':>6}" + "".join(f"{f'{name[:9]} recall, leaked':>26}" for name in systems)
    for kind, first in row.results[systems[0]].score.by_type.items():
        cells = (row.results[name].score.by_type[kind] for name in systems)
        yield f"  {kind:<18} {first.gold:>6}" + "".join(f"{cell.recall:>17.3f}{cell.leaked:>9.3f}" for cell in cells)


def _figure(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return "-" if math.isnan(value) else f"{value:.4f}" if value < 10 else f"{value:.1f}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
