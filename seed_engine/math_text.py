"""Mathematics in a message: where its expressions stand, and how densely it speaks of mathematics.

The density is a weighted sum (after MathEd-PII's segmentation by density) of how often a message uses K-12 words,
multi-word phrases and expressions, English or Spanish. Words, weights and threshold stand in
`data/profiles/mathematics.json`; `scripts/fit_tutoring.py` fits the last two.
"""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from math import log1p
from typing import Any

from seed_engine.fold import fold

Kind = str
KINDS: tuple[Kind, ...] = ("equation", "operation", "algebra", "quantity", "number", "word", "phrase", "share")

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:[.,]\d{1,12})?|\.\d{1,12})"
_MONEY = rf"[$€£¢]\s?{_NUMBER}"
# "120 GB - 80 GB": what is counted may stand between a number and the sign after it.
_COUNTED = r"(?:\s?[^\W\d_]{1,14}(?:\s[^\W\d_]{1,14})?)"
_OPERAND = rf"[(\[−-]{{0,3}}(?:{_MONEY}|{_NUMBER})(?:\s?%|[²³°]|\^\(?-?\w{{1,3}}\)?|[a-z]\b)?[)\]]{{0,2}}"
_SIGN = r"\s{0,3}(?:[+*×·÷/=:^<>≤≥≈−–-]|==|\b[xX]\b(?=\s?[(\d$])|\b(?:times|plus|minus|por|menos|divided by|multiplied by|entre)\b)\s{0,3}"
_CHAIN = re.compile(
    rf"(?<![\w./@:-]){_OPERAND}(?:{_COUNTED}?{_SIGN}(?:{_OPERAND}|[(\[]?[a-z]\b[)\]]?)){{1,12}}(?![\w@]|[-/]\w)"
)
_ALGEBRA = re.compile(
    r"(?<![\w.@/-])(?:-?\d{0,4}\(?-?\d{0,4}[a-z](?:[²³]|\^-?\w{1,3})?\)?(?:\s?[+*/=^<>≤≥−-]\s?\(?-?(?:\d{1,6}(?:\.\d{1,6})?[a-z]?|[a-z])(?:[²³]|\^-?\w{1,3})?\)?){1,8}"
    r"|\d{1,4}[a-z](?:[²³]|\^\w{1,3})|\b(?:sin|cos|tan|log|ln|sqrt)\s?\(?\d{1,4}\)?|√\s?\(?\d{1,9}\)?|[xyn][²³])(?![\w@])"
)
_QUANTITY = re.compile(rf"(?<![\w.]){_MONEY}|(?<![\w.$]){_NUMBER}\s?(?:%|percent\b|por ciento\b|°|º)")
_COORDINATES = re.compile(rf"\(\s?[-−]?{_NUMBER}\s?,\s?[-−]?{_NUMBER}(?:\s?,\s?[-−]?{_NUMBER})?\s?\)")
_PLAIN = re.compile(rf"(?<![\w.,/@:-]){_NUMBER}(?![\w@:/-]|[.,]\d)")
# Dashes and strokes between long groups are telephone numbers and dates; they speak of no mathematics.
_GROUPS = re.compile(
    r"\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}|\d{1,2}([/-])\d{1,2}\1(?:\d{2}|\d{4})|\d{4}([/-])\d{1,2}\2\d{1,2}"
)


def expressions(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open places of mathematical expressions, sorted and apart.

    Operations, equations, fractions and ratios, algebra, coordinates, sums of money and percentages; a bare number is
    none.

    Examples:
        >>> [(text := "So 3/4 of 24 is 0.75 x 24 = 18")[a:b] for a, b in expressions(text)]
        ['3/4', '0.75 x 24 = 18']
    """
    found = sorted(match.span() for pattern in _EXPRESSIONS for match in pattern.finditer(text))
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple((start, end) for start, end in merged if not _GROUPS.fullmatch(text, start, end))


_EXPRESSIONS = (_CHAIN, _ALGEBRA, _COORDINATES, _QUANTITY)


def density(text: str) -> float:
    """Weighted sum of a message's mathematics, >= 0; each kind counts log(1 + n), so that no kind decides alone."""
    weights = mathematics()["weights"]
    return float(sum(weights[kind] * log1p(count) for kind, count in counts(text).items()))


def counts(text: str) -> dict[Kind, int]:
    """How often each of `KINDS` stands in a message; `share` is the tenths of it that are expressions."""
    places = expressions(text)
    found = [text[start:end] for start, end in places]
    folded = fold(text)
    return {
        "equation": sum("=" in item for item in found),
        "operation": sum("=" not in item and not _QUANTITY.fullmatch(item) for item in found),
        "algebra": sum(1 for _ in _ALGEBRA.finditer(text)),
        "quantity": sum(1 for _ in _QUANTITY.finditer(text)),
        "number": sum(1 for _ in _PLAIN.finditer(text)),
        "word": sum(1 for _ in _pattern("words", "number_words").finditer(folded)),
        "phrase": sum(1 for _ in _pattern("phrases").finditer(folded)),
        "share": 10 * sum(end - start for start, end in places) // max(1, len(text.strip())),
    }


def counts_something(text: str) -> bool:
    """Whether a sentence has a number, a number word or a word of mathematics in it."""
    return bool(_PLAIN.search(text) or _EXPRESSIONS[0].search(text) or _QUANTITY.search(text)) or any(
        pattern.search(fold(text)) for pattern in (_pattern("words", "number_words"), _pattern("phrases"))
    )


@cache
def mathematics() -> dict[str, Any]:
    """Words, weights and thresholds, as `data/profiles/mathematics.json` has them."""
    data: dict[str, Any] = json.loads((files("seed_engine") / "data/profiles/mathematics.json").read_text("utf-8"))
    return data


@cache
def _pattern(*parts: str) -> re.Pattern[str]:
    words = {word for part in parts for language in mathematics()[part].values() for word in language}
    return re.compile(r"\b(?:" + "|".join(_spelled(words)) + r")\b")


def _spelled(words: Iterable[str]) -> Iterator[str]:
    # Longest first: an alternative that is another's beginning would hide it.
    for word in sorted(words, key=lambda word: (-len(word), word)):
        yield re.escape(word[:-1]) + r"\w*" if word.endswith("*") else re.escape(word)
