"""The mathematics bench: what detection finds in lessons, inside and outside mathematics, and what that costs them.

The tables are those of MathEd-PII: precision, recall and F1 with bootstrap intervals over sessions, false to true finds
inside and outside segments, and beside them the share of expressions that stay whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from seed_engine.conversation import Conversation
from seed_engine.gold import GoldSet
from seed_engine.math_text import expressions
from seed_engine.pii_bench import Found
from seed_engine.scoring import NOT_CORE, GoldSpan
from seed_engine.segments import Vectors, inside, math_segments
from seed_engine.spans import EntitySpan

DRAWS = 1_000
# Columns of a session's counts.
_GOLD, _HIT, _TRUE, _FALSE, _GOLD_IN, _HIT_IN, _TRUE_IN, _FALSE_IN, _WHOLE, _BROKEN = range(10)
_ALL, _INSIDE = (_GOLD, _HIT, _TRUE, _FALSE), (_GOLD_IN, _HIT_IN, _TRUE_IN, _FALSE_IN)


@dataclass(frozen=True, slots=True)
class Interval:
    """A share and its 95% percentile interval over resampled sessions; NaN where nothing was counted."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F1 of one part of the messages."""

    precision: Interval
    recall: Interval
    f1: Interval


@dataclass(frozen=True, slots=True)
class MathResult:
    """What one strategy did on one set.

    Attributes:
        precision: share of finds that touch gold.
        recall: share of gold spans that a find touches.
        f1: harmonic mean of both.
        inside: the same three over messages inside mathematics.
        outside: over the other messages.
        ratio_inside: false finds per true find inside mathematics, >= 0; lower is better.
        ratio_outside: the same outside.
        false_inside: share of false finds that stand inside mathematics.
        intact: share of mathematical expressions outside gold that no find touches.
        by_type: gold spans and those hit, by gold type.
        true_by_type: finds that touch gold, by the type they were given.
        false_by_type: false finds by the type they were given.
    """

    precision: Interval
    recall: Interval
    f1: Interval
    inside: Scores
    outside: Scores
    ratio_inside: float
    ratio_outside: float
    false_inside: float
    intact: Interval
    by_type: dict[str, tuple[int, int]] = field(default_factory=dict)
    true_by_type: dict[str, int] = field(default_factory=dict)
    false_by_type: dict[str, int] = field(default_factory=dict)


def halved(gold: GoldSet, half: int | None, limit: int | None = None) -> GoldSet:
    """One half of a set by a digest of each id, 0 or 1, as `scripts/fit_tutoring.py` halves; None for all of it."""
    kept = [
        (document, spans)
        for document, spans in zip(gold.documents, gold.gold, strict=True)
        if half is None or sha256(document.id.encode()).digest()[0] % 2 == half
    ][:limit]
    return GoldSet(gold.name, tuple(document for document, _ in kept), tuple(spans for _, spans in kept))


def segment_flags(documents: Sequence[Conversation], vectors: Vectors) -> list[tuple[bool, ...]]:
    """For each message of each session whether it stands inside mathematics."""
    texts = [[turn.text for turn in document.turns] for document in documents]
    return [inside(math_segments(session, vectors), len(session)) for session in texts]


def score_math(gold: GoldSet, found: Found, flags: Sequence[Sequence[bool]], *, seed: int = 0) -> MathResult:
    """Score one strategy.

    Args:
        gold: the labelled set; organisations count, since schools are personal, groups and occupations do not.
        found: finds by session and turn.
        flags: see `segment_flags`.
        seed: of the bootstrap.
    """
    types: dict[str, Counter[str]] = {"gold": Counter(), "hit": Counter(), "true": Counter(), "false": Counter()}
    rows = np.zeros((len(gold.documents), 10))
    for row, document, marked, spans, flag in zip(rows, gold.documents, gold.gold, found, flags, strict=True):
        for turn, wanted, finds, in_segment in zip(document.turns, marked, spans, flag, strict=True):
            _count(row, turn.text, wanted, finds, in_segment, types)
    return _result(rows, types, seed)


def _count(
    row: NDArray[np.float64],
    text: str,
    marked: Sequence[GoldSpan],
    found: Sequence[EntitySpan],
    in_segment: bool,
    types: dict[str, Counter[str]],
) -> None:
    wanted = [span for span in marked if not span.ignore and span.entity_type not in NOT_CORE - {"ORGANIZATION"}]
    for span in wanted:
        hit = any(_touch(span, find) for find in found)
        row[_GOLD] += 1
        row[_HIT] += hit
        row[_GOLD_IN] += in_segment
        row[_HIT_IN] += hit and in_segment
        types["gold"][span.entity_type] += 1
        types["hit"][span.entity_type] += hit
    for find in found:
        if any(_touch(span, find) for span in wanted):
            row[_TRUE] += 1
            row[_TRUE_IN] += in_segment
            types["true"][find.entity_type] += 1
        elif not any(_touch(span, find) for span in marked):
            row[_FALSE] += 1
            row[_FALSE_IN] += in_segment
            types["false"][find.entity_type] += 1
    for start, end in expressions(text):
        if not any(span.start < end and start < span.end for span in marked):
            broken = any(find.start < end and start < find.end for find in found)
            row[_BROKEN if broken else _WHOLE] += 1


def _touch(span: GoldSpan, find: EntitySpan) -> bool:
    return span.start < find.end and find.start < span.end


def _result(rows: NDArray[np.float64], types: dict[str, Counter[str]], seed: int) -> MathResult:
    stream, size = np.random.default_rng(seed), len(rows)
    draws = stream.multinomial(size, np.full(size, 1 / size), DRAWS) @ rows
    total = rows.sum(axis=0)
    precision, recall, f1 = _intervals(_scores(total[None, _ALL]), _scores(draws[:, _ALL]))
    within, whole = _scored(total, draws, lambda rows: rows[:, _INSIDE]), _intact(total[None])
    outside = _scored(total, draws, lambda rows: rows[:, _ALL] - rows[:, _INSIDE])
    (intact,) = _intervals((whole,), (_intact(draws),))
    true_out, false_out = total[_TRUE] - total[_TRUE_IN], total[_FALSE] - total[_FALSE_IN]
    return MathResult(
        precision,
        recall,
        f1,
        within,
        outside,
        _ratio(total[_FALSE_IN], total[_TRUE_IN]),
        _ratio(false_out, true_out),
        _ratio(total[_FALSE_IN], total[_FALSE]),
        intact,
        {kind: (count, types["hit"][kind]) for kind, count in types["gold"].most_common()},
        dict(types["true"].most_common()),
        dict(types["false"].most_common()),
    )


def _scored(
    total: NDArray[np.float64], draws: NDArray[np.float64], part: Callable[[NDArray[np.float64]], NDArray[np.float64]]
) -> Scores:
    return Scores(*_intervals(_scores(part(total[None])), _scores(part(draws))))


def _intervals(values: Sequence[NDArray[np.float64]], draws: Sequence[NDArray[np.float64]]) -> Iterator[Interval]:
    """Each measure with its percentiles over the draws."""
    for one, many in zip(values, draws, strict=True):
        if np.isnan(many).all():
            yield Interval(float("nan"), float("nan"), float("nan"))
        else:
            yield Interval(float(one[0]), *(float(edge) for edge in np.nanquantile(many, (0.025, 0.975))))


def _scores(counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Precision, recall and F1 of each row of gold spans, those hit, true and false finds."""
    gold, hit, true, false = counts.T
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = true / (true + false), hit / gold
        return precision, recall, 2 * precision * recall / (precision + recall)


def _intact(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", divide="ignore"):
        shares: NDArray[np.float64] = counts[:, _WHOLE] / (counts[:, _WHOLE] + counts[:, _BROKEN])
    return shares


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")
