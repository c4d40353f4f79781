"""The tables of `semilla bench math` in words and as JSON: scores, both sides of segments, types, replies and moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from evaluator.utility import Accuracy
from flows.moves import Moves
from seed_engine.math_bench import Interval, MathResult

_NAME, _SHARE = 34, 21


def result_payload(result: MathResult) -> dict[str, Any]:
    """One strategy's figures by name."""
    types = {kind: {"gold": gold, "hit": hit} for kind, (gold, hit) in result.by_type.items()}
    return asdict(result) | {"by_type": types}


def result_lines(results: Mapping[str, MathResult]) -> Iterator[str]:
    """The scores, then inside and outside mathematics, then types."""
    titles = ("precision", "recall", "F1", "intact")
    yield (
        f"{'':<{_NAME}}"
        + "".join(f"{title:>{_SHARE}}" for title in titles)
        + f"{'f:t in':>8}{'f:t out':>8}{'false in':>9}"
    )
    for name, result in results.items():
        shares = (result.precision, result.recall, result.f1, result.intact)
        figures = f"{result.ratio_inside:>8.2f}{result.ratio_outside:>8.2f}{result.false_inside:>9.2f}"
        yield f"{name:<{_NAME}}" + "".join(f"{_figure(share):>{_SHARE}}" for share in shares) + figures
    for where in ("inside", "outside"):
        yield ""
        yield f"{where + ' mathematics':<{_NAME}}" + "".join(f"{title:>{_SHARE}}" for title in titles[:3])
        for name, result in results.items():
            part = result.inside if where == "inside" else result.outside
            three = (part.precision, part.recall, part.f1)
            yield f"{name:<{_NAME}}" + "".join(f"{_figure(share):>{_SHARE}}" for share in three)
    yield from _type_lines(results)


def _type_lines(results: Mapping[str, MathResult]) -> Iterator[str]:
    yield from ("", "by type: recall of gold spans of it, precision of finds given it")
    kinds = dict.fromkeys(kind for result in results.values() for kind in (*result.by_type, *result.false_by_type))
    for kind in kinds:
        for name, result in results.items():
            gold, hit = result.by_type.get(kind, (0, 0))
            true, false = result.true_by_type.get(kind, 0), result.false_by_type.get(kind, 0)
            recall, precision = _share(hit, gold), _share(true, true + false)
            yield f"{kind:<18}{name:<{_NAME}}{recall:>7} of {gold:<6}{precision:>7} of {true + false}"


def reply_lines(tallies: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What the models' replies were like and cost."""
    heads = ("requests", "reported", "made up", "unreadable", "tokens in", "tokens out", "US$", "s in all", "s median")
    yield ""
    yield f"{'replies':<{_NAME}}" + "".join(f"{head:>11}" for head in heads)
    for name, row in tallies.items():
        # A price that the list does not know is not nothing.
        cost = "unknown" if row["unpriced"] else f"{row['cost_usd']:.4f}"
        figures = [row[key] for key in ("requests", "reported", "made_up", "unreadable")]
        figures += [row["prompt_tokens"], row["completion_tokens"], cost, row["seconds"], row["median_seconds"]]
        yield f"{name:<{_NAME}}" + "".join(f"{figure:>11}" for figure in figures)


def move_lines(moves: Moves) -> Iterator[str]:
    """The teacher-move classifier before and after."""
    yield ""
    turns = f"{moves.trained} turns of half 0 trained on, {moves.tested} of half 1 named"
    yield f"teacher moves: {turns}; guess {moves.guess:.3f}"
    for name, accuracy in (("before", moves.before), ("after", moves.after)):
        yield f"{name:<{_NAME}}{_accuracy(accuracy):>{_SHARE}}"


def _figure(share: Interval) -> str:
    return f"{share.value:.3f} ({share.low:.3f}-{share.high:.3f})"


def _accuracy(share: Accuracy) -> str:
    return f"{share.value:.3f} ({share.low:.3f}-{share.high:.3f})"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"
