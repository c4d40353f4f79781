"""Plots as inline SVG, drawn by hand: they take their colours from the page's CSS variables and need no script.

Every function returns safe markup with `role="img"` and a label that says the same in words. Charts are about 340 units
wide, so that on a phone a unit is a pixel and text keeps its size. Classes: `ink` text, `soft` secondary text, `line`
axes, `fill` the accent, `pale` its background, `limit` thresholds; `pass`, `fail`, `inconclusive` by verdict.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from flows.language import ENGLISH, Language

_WIDTH = 340
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to units of the picture, linearly or by logarithm; values outside are held at the ends."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Where a value stands."""
        held = min(max(value, self.low), self.high)
        if self.log:
            share = math.log(held / self.low) / math.log(self.high / self.low)
        else:
            share = (held - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def number(value: float) -> str:
    """A figure as a person would write it: at most four significant digits, thousands apart."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    if abs(value) < 1e-3:
        mantissa, exponent = f"{value:.1e}".split("e")
        return f"{float(mantissa):g}e{int(exponent)}"
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}".replace(",", "\u2009")
    return f"{value:.4g}"


def gate_bar(
    figure: float, threshold: float, verdict: str, label: str, interval: tuple[float, float] | None = None
) -> Markup:
    """A figure against its threshold on one line.

    Args:
        figure: what was measured, >= 0.
        threshold: drawn as a tick.
        verdict: `pass`, `fail` or `inconclusive`; gives the colour.
        label: the same in words.
        interval: (lower, upper) confidence bounds; puts the line in log scale, since rates near 0 are what matters.
    """
    positive = min((value for value in (figure, threshold) if value > 0), default=0.0)
    log = interval is not None or (positive > 0 and max(figure, threshold) > 20 * positive)
    if log:
        floor = max(positive / 2, 1e-9)  # below that, an axis would be all empty decades
        scale = Scale(min(1e-3, floor) if interval else floor, max(figure, threshold, floor) * 3, 4, 156, True)
    else:
        scale = Scale(0, max(figure, threshold) * 1.25 or 1.0, 4, 156)
    low, high = interval or ((scale.low, figure))
    rate = _line(scale(low), 9, scale(high), 9, f"bar {_verdict(verdict)}")
    dot = Markup('<circle cx="{}" cy="9" r="4" class="dot {}"/>').format(scale(figure), _verdict(verdict))
    body = _line(4, 9, 156, 9, "line") + rate + _line(scale(threshold), 2, scale(threshold), 16, "limit") + dot
    return _svg(160, 18, label, body, "gate")


def roc_plot(curves: Mapping[str, Points], strongest: str, label: str, words: Language = ENGLISH) -> Markup:
    """ROC curves, both axes in log scale, so that the few people recognised for certain are seen.

    Args:
        curves: per scorer, points (false-positive rate, true-positive rate).
        strongest: the scorer drawn in the accent; the others are pale.
        label: the same in words.
        words: language of the axes.
    """
    seen = [rate for points in curves.values() for point in points for rate in point if rate > 0]
    floor = 10 ** math.floor(math.log10(min([*seen, 0.1])))
    across, up = Scale(floor, 1, 60, 330, True), Scale(floor, 1, 214, 10, True)
    body = _decades(floor, across, up) + _line(across(floor), up(floor), across(1), up(1), "limit")
    for name in sorted(curves, key=lambda name: name == strongest):
        path = " ".join(f"{across(x)},{up(y)}" for x, y in curves[name])
        body += Markup('<polyline points="{}" class="curve {}"/>').format(path, "main" if name == strongest else "")
    body += _text(195, 248, words.say("false-positive rate"), "soft", "middle")
    body += Markup(
        '<text transform="translate(10 112) rotate(-90)" class="soft" text-anchor="middle">{}</text>'
    ).format(words.say("true-positive rate"))
    return _svg(_WIDTH, 254, label, body)


def histogram(
    values: Sequence[float], ceiling: float, by_chance: float | None, label: str, words: Language = ENGLISH
) -> Markup:
    """How many canaries have which exposure.

    Args:
        values: bits, in [0, ceiling].
        ceiling: the most that could be seen, > 0.
        by_chance: mean of secrets never seen, drawn as a tick; None if not measured.
        label: the same in words.
        words: language of the axis.
    """
    bins = 10
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, int(value / ceiling * bins)))] += 1
    across, up = Scale(0, ceiling, 32, 330), Scale(0, max(counts) or 1, 150, 14)
    body = _line(32, 150, 330, 150, "line") + _text(26, 18, str(max(counts)), "soft", "end")
    for place, count in enumerate(counts):
        left, right = across(ceiling * place / bins), across(ceiling * (place + 1) / bins)
        if count:
            body += _rect(left + 1.5, up(count), right - left - 3, 150 - up(count), "fill")
    for bits in range(0, int(ceiling) + 1, max(1, int(ceiling) // 5)):
        body += _text(across(bits), 166, str(bits), "soft", "middle")
    if by_chance is not None:
        body += _line(across(by_chance), 10, across(by_chance), 150, "limit")
    return _svg(_WIDTH, 186, label, body + _text(181, 182, words.say("exposure in bits"), "soft", "middle"))


def bars(rows: Sequence[tuple[str, float]], label: str, limit: float | None = None, unit: str = "") -> Markup:
    """Horizontal bars from zero, each with its name above and its figure at the right.

    Args:
        rows: (name, value >= 0), drawn in order.
        label: the same in words.
        limit: drawn as a tick through all bars.
        unit: stands behind each figure.
    """
    scale = Scale(0, max([value for _, value in rows] + [limit or 0.0]) * 1.02 or 1.0, 0, 276)
    body = Markup()
    for row, (name, value) in enumerate(rows):
        top = 34 * row
        body += _text(0, top + 12, name, "ink")
        body += _rect(0, top + 18, 276, 8, "pale") + _rect(0, top + 18, max(1.5, scale(value)), 8, "fill")
        body += _text(_WIDTH, top + 26, f"{number(value)}{unit}", "ink", "end")
    if limit is not None:
        body += _line(scale(limit), 14, scale(limit), 34 * len(rows) - 4, "limit")
    return _svg(_WIDTH, 34 * len(rows), label, body)


def audit_line(lower: float, ceiling: float | None, claimed: float, label: str, words: Language = ENGLISH) -> Markup:
    """What an audit has shown, the most it could have shown, and what is claimed, on one axis of epsilon.

    Args:
        lower: lower bound on epsilon, >= 0.
        ceiling: the largest bound that these guesses could give; None if not known.
        claimed: epsilon of training.json, > 0.
        label: the same in words.
        words: language of the marks.
    """
    scale = Scale(0, max(lower, ceiling or 0.0, claimed) * 1.08, 8, 332)
    body = _rect(8, 40, 324, 10, "pale") + _rect(8, 40, max(1.5, scale(lower) - 8), 10, "fill")
    marks = [
        (lower, words.say("shown {epsilon}", epsilon=number(lower)), 68),
        (claimed, words.say("claimed {epsilon}", epsilon=number(claimed)), 30),
    ]
    if ceiling is not None:
        marks.append((ceiling, words.say("most it can show {epsilon}", epsilon=number(ceiling)), 84))
    for value, said, y in marks:
        anchor = "start" if scale(value) < 90 else "end" if scale(value) > 250 else "middle"
        body += _text(scale(value), y, said, "ink", anchor)
        if value != lower:
            body += _line(scale(value), 36, scale(value), 54 if y < 60 else 72, "limit")
    return _svg(_WIDTH, 92, label, body)


def loss_plot(points: Points, label: str, words: Language = ENGLISH) -> Markup:
    """How a loss went with the steps of a training.

    Args:
        points: (step, nats per token), steps rising, at least one.
        label: the same in words.
        words: language of the axis.
    """
    steps, losses = [step for step, _ in points], [loss for _, loss in points]
    low, high = min(losses), max(losses)
    across = Scale(steps[0], max(steps[-1], steps[0] + 1), 44, 330)
    up = Scale(low, high if high > low else low + 1.0, 150, 14)
    body = _line(44, 150, 330, 150, "line") + _line(44, 14, 44, 150, "line")
    for loss in (low, high):
        body += _text(38, up(loss) + 4, number(loss), "soft", "end")
    for step, anchor in ((steps[0], "middle"), (steps[-1], "end")):
        body += _text(across(step), 166, number(step), "soft", anchor)
    path = " ".join(f"{across(step)},{up(loss)}" for step, loss in points)
    body += Markup('<polyline points="{}" class="curve main"/>').format(path)
    return _svg(_WIDTH, 186, label, body + _text(187, 182, words.say("step"), "soft", "middle"))


def range_bar(value: float, low: float, high: float, label: str) -> Markup:
    """Where a value lies in its range, as a dot on a line; nothing if the range is empty."""
    if not low < high:
        return Markup()
    scale = Scale(low, high, 4, 116)
    dot = Markup('<circle cx="{}" cy="9" r="4" class="dot"/>').format(scale(value))
    return _svg(120, 18, label, _line(4, 9, 116, 9, "line") + dot, "gate")


def _decades(floor: float, across: Scale, up: Scale) -> Markup:
    grid = Markup()
    for power in range(round(math.log10(floor)), 1):
        rate = 10.0**power
        name = "1" if power == 0 else f"{rate:g}" if power > -5 else f"1e{power}"
        grid += _line(across(rate), up(floor), across(rate), up(1), "line") + _text(
            across(rate), 230, name, "soft", "end" if power == 0 else "middle"
        )
        grid += _line(across(floor), up(rate), across(1), up(rate), "line") + _text(
            across(floor) - 6, up(rate) + 4, name, "soft", "end"
        )
    return grid


def _verdict(verdict: str) -> str:
    return verdict if verdict in ("pass", "fail", "inconclusive") else "inconclusive"


def _text(x: float, y: float, words: str, style: str, anchor: str = "start") -> Markup:
    return Markup('<text x="{}" y="{}" class="{}" text-anchor="{}">{}</text>').format(x, y, style, anchor, words)


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> Markup:
    return Markup('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>').format(x1, y1, x2, y2, style)


def _rect(x: float, y: float, width: float, height: float, style: str) -> Markup:
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="1.5" class="{}"/>').format(
        round(x, 1), round(y, 1), round(width, 1), round(height, 1), style
    )


def _svg(width: float, height: float, label: str, body: Markup, style: str = "chart") -> Markup:
    return Markup('<svg viewBox="0 0 {} {}" width="{}" class="{}" role="img" aria-label="{}">{}</svg>').format(
        width, height, width, style, label, body
    )
