"""Unknowns: the number that stood at a hole of an equation, worked out from the rest of it.

`24 / _ = 8` and `3 + 4 = _` are solved exactly, in fractions; of several equations in a row any two sides that hold the
hole once decide. Nothing is guessed: an equation that no number or every number solves has no unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

HOLE = "_"
_TOKEN = re.compile(r"\s*(?:(\d{1,3}(?:,\d{3})+|\d{1,12})(\.\d{1,8})?|(_)|([()+*/^=-])|([×xX·])|(÷)|(−|–)|[$€£])")
_SPOKEN = (
    (re.compile(r"(?:%|\bpercent|\bpor ciento) (?:of|de)\b", re.I), "/ 100 *"),
    (re.compile(r"\b(?:divided by|dividido (?:por|entre))\b", re.I), "/"),
    (re.compile(r"\b(?:times|multiplied by|multiplicado por|por)\b", re.I), "*"),
    (re.compile(r"\b(?:plus|mas|más)\b", re.I), "+"),
    (re.compile(r"\b(?:minus|menos)\b", re.I), "-"),
    (re.compile(r"\b(?:is equal to|equals?|is|makes|gives|es igual a|es|son)\b(?=\s*[\d_$(-])", re.I), "="),
)
# Reciprocals make these two forms straight lines; higher powers of the hole are left alone.
_PROBES = (Fraction(2), Fraction(3), Fraction(7), Fraction(11))


def solve(equation: str) -> str | None:
    """The number at the hole of an equation, as it would be written; None where it is not certain.

    Args:
        equation: with `_` at the hole, once, and `=`.

    Examples:
        >>> solve("0.75 x 24 = _"), solve("12 - _ = 4.5"), solve("_ / 7 = 3"), solve("_ + 1"), solve("0 x _ = 0")
        ('18', '7.5', '21', None, None)
    """
    sides = equation.split("=")
    if len(sides) < 2 or equation.count(HOLE) != 1:
        return None
    at = next(i for i, side in enumerate(sides) if HOLE in side)
    for other in (at - 1, at + 1):
        if 0 <= other < len(sides):
            found = _crossing(sides[at], sides[other])
            if found is not None:
                return _written(found)
    return None


def equations(text: str) -> Iterator[str]:
    """The stretches of a text around its hole that could be an equation, words for signs read as signs."""
    for words, sign in _SPOKEN:
        text = words.sub(f" {sign} ", text)
    at = text.find(HOLE)
    signs = r"[\d\s.,()+*/^=×xX·÷−–$€£-]*"
    before = re.search(signs + r"$", text[:at])
    after = re.match(signs, text[at + 1 :])
    whole = (before[0] if before else "") + HOLE + (after[0] if after else "")
    pieces = whole.strip().strip(".,").strip()
    lead = re.match(r"[^\d(_$€£]*", pieces)
    # "seven - _ = 4": what stands before the sign is a word that is no figure, so the equation is not whole.
    if (
        before is not None
        and text[: before.start()].strip()
        and lead is not None
        and re.search(r"[+*/×÷^=−–-]", lead[0])
    ):
        return
    yield pieces
    # "so x 12 = _": a word's last letter may look like a sign.
    yield re.sub(r"^[^\d(_-]+|[^\d)_]+$", "", pieces)


def _crossing(unknown: str, known: str) -> Fraction | None:
    """Where the side with the hole meets the other, if it is a straight line in the hole or in its reciprocal."""
    target = _value(known, Fraction(0))
    if target is None:
        return None
    for turned in (False, True):
        points = [1 / probe if turned else probe for probe in _PROBES]
        values = [_value(unknown, 1 / point if turned else point) for point in points]
        if any(value is None for value in values):
            continue
        heights = [value for value in values if value is not None]
        slope = (heights[1] - heights[0]) / (points[1] - points[0])
        straight = all(h == heights[0] + slope * (p - points[0]) for p, h in zip(points, heights, strict=True))
        if slope and straight:
            at = points[0] + (target - heights[0]) / slope
            return None if turned and not at else (1 / at if turned else at)
    return None


def _value(side: str, hole: Fraction) -> Fraction | None:
    """What an arithmetic expression comes to; None where it is none."""
    tokens = _tokens(side)
    if not tokens:
        return None
    try:
        value, rest = _sum(tokens, hole)
    except (ValueError, ZeroDivisionError, IndexError):
        return None
    return None if rest else value


def _tokens(side: str) -> list[str]:
    found, at, text = [], 0, side.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            return []
        whole, part, hole, sign, times, over, minus = match.groups()
        if whole is not None:
            found.append(whole.replace(",", "") + (part or ""))
        else:
            found += [hole or sign or (times and "*") or (over and "/") or (minus and "-") or ""]
        at = match.end()
    return [token for token in found if token]


def _sum(tokens: list[str], hole: Fraction) -> tuple[Fraction, list[str]]:
    value, rest = _product(tokens, hole)
    while rest and rest[0] in "+-":
        sign = rest[0]
        other, rest = _product(rest[1:], hole)
        value = value + other if sign == "+" else value - other
    return value, rest


def _product(tokens: list[str], hole: Fraction) -> tuple[Fraction, list[str]]:
    value, rest = _factor(tokens, hole)
    while rest and rest[0] in "*/":
        sign = rest[0]
        other, rest = _factor(rest[1:], hole)
        value = value * other if sign == "*" else value / other
    return value, rest


def _factor(tokens: list[str], hole: Fraction) -> tuple[Fraction, list[str]]:
    first, rest = tokens[0], tokens[1:]
    if first == "-":
        value, rest = _factor(rest, hole)
        return -value, rest
    if first == "(":
        value, rest = _sum(rest, hole)
        if rest[0] != ")":
            raise ValueError("a bracket is open")
        return value, rest[1:]
    return hole if first == HOLE else Fraction(first), rest


def _written(value: Fraction) -> str | None:
    """As people write it: a whole number or up to four decimals; None for what they would round."""
    if value.denominator == 1:
        return str(value.numerator)
    text = f"{float(value):.4f}".rstrip("0")
    return text if Fraction(text) == value else None
