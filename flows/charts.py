"""More plots as inline SVG, like `flows.plots`: a radar, two distributions side by side, a ledger over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from flows.plots import Scale, number

_RADIUS, _MIDDLE_X, _MIDDLE_Y = 84, 170, 124


def radar(axes: Sequence[str], shapes: Sequence[tuple[str, Sequence[float]]], label: str) -> Markup:
    """Several measures of several sets, each set one closed line; outward is better.

    Args:
        axes: names, at least three, clockwise from the top.
        shapes: (style, a value in [0, 1] for each axis), drawn in order; styles are classes of the page.
        label: the same in words.
    """
    body = Markup()
    for ring in (0.25, 0.5, 0.75, 1.0):
        body += _closed([ring] * len(axes), "ring")
    for place, name in enumerate(axes):
        x, y = _at(place, len(axes), 1.0)
        body += Markup('<path d="M{} {} L{} {}" class="line"/>').format(_MIDDLE_X, _MIDDLE_Y, x, y)
        x, y = _at(place, len(axes), 1.13)
        anchor = "middle" if abs(x - _MIDDLE_X) < 12 else "start" if x > _MIDDLE_X else "end"
        # A long name beside the picture would leave a phone's width.
        first, _, rest = name.partition(" ")
        body += _words(x, y - (3 if rest else -4), first, "ink", anchor) + _words(x, y + 11, rest, "ink", anchor)
    for style, values in shapes:
        body += _closed(values, f"shape {style}")
    return _picture(340, 250, label, body)


def pairs(rows: Sequence[tuple[str, float, float]], label: str) -> Markup:
    """Two shares of each name, one bar under the other.

    Args:
        rows: (name, first share, second share), shares in [0, 1].
        label: the same in words.
    """
    scale = Scale(0, max([share for row in rows for share in row[1:]] or [1.0]) or 1.0, 0, 250)
    body = Markup()
    for place, (name, first, second) in enumerate(rows):
        top = 50 * place
        body += _words(0, top + 12, name, "ink")
        for offset, share, style in ((18, first, "fill second"), (31, second, "fill")):
            body += Markup('<rect x="0" y="{}" width="{}" height="8" class="{}"/>').format(
                top + offset, max(1.5, scale(share)), style
            )
        body += _words(340, top + 26, f"{first:.0%}", "soft", "end") + _words(
            340, top + 40, f"{second:.0%}", "ink", "end"
        )
    return _picture(340, 50 * len(rows), label, body)


def steps_over_time(points: Sequence[tuple[str, float]], label: str) -> Markup:
    """A sum that grows with each entry of a ledger.

    Args:
        points: (day or moment, sum so far >= 0), at least one, in order.
        label: the same in words.
    """
    across, up = Scale(0, len(points), 44, 330), Scale(0, max(total for _, total in points) * 1.05 or 1.0, 150, 14)
    path = f"M{across(0)} {up(0)}"
    for place, (_, total) in enumerate(points):
        path += f" V{up(total)} H{across(place + 1)}"
    body = Markup('<path d="M44 14 V150 H330" class="line axis"/><path d="{}" class="curve main"/>').format(path)
    body += _words(38, up(points[-1][1]) + 4, number(points[-1][1]), "ink", "end") + _words(38, 154, "0", "soft", "end")
    body += _words(44, 168, points[0][0], "soft")
    if len(points) > 1:
        body += _words(330, 168, points[-1][0], "soft", "end")
    return _picture(340, 174, label, body)


def mean_of(sets: Mapping[str, Mapping[str, float]], axes: Sequence[str]) -> list[float]:
    """The mean of several sets on each axis."""
    return [sum(one[axis] for one in sets.values()) / len(sets) for axis in axes]


def _at(place: int, count: int, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * place / count - math.pi / 2
    return (
        round(_MIDDLE_X + _RADIUS * share * math.cos(angle), 1),
        round(_MIDDLE_Y + _RADIUS * share * math.sin(angle), 1),
    )


def _closed(values: Sequence[float], style: str) -> Markup:
    corners = (_at(place, len(values), min(max(value, 0.0), 1.0)) for place, value in enumerate(values))
    return Markup('<polygon points="{}" class="{}"/>').format(" ".join(f"{x},{y}" for x, y in corners), style)


def _words(x: float, y: float, words: str, style: str, anchor: str = "start") -> Markup:
    return Markup('<text x="{}" y="{}" class="{}" text-anchor="{}">{}</text>').format(x, y, style, anchor, words)


def _picture(width: int, height: int, label: str, body: Markup) -> Markup:
    return Markup('<svg viewBox="0 0 {} {}" class="chart" role="img" aria-label="{}">{}</svg>').format(
        width, height, label, body
    )
