"""Span alignment: where a value that a language model reports stands in the text, and whether it stands there at all.

A model copies badly: it mends case and accents, drops signs, writes a number out, cuts a word. A value is looked for
as it is, then folded and without signs, then by its digits, then by likeness; what is like nothing was made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from seed_engine.fold import fold

# Of two strings of words so much must be alike; below it another name of the same length passes for the one meant.
LIKENESS = 0.8
# Fewer digits stand in a lesson everywhere, and in many orders.
_DIGITS = 5
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d(?:[\d ().+/-]*\d)?")
_SPELLED = {
    **dict(zip(("zero", "one", "two", "three", "four"), range(5), strict=True)),
    **dict(zip(("five", "six", "seven", "eight", "nine"), range(5, 10), strict=True)),
    **dict(zip(("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"), range(10, 16), strict=True)),
    **dict(zip(("sixteen", "seventeen", "eighteen", "nineteen", "twenty"), range(16, 21), strict=True)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    word: str


def align(text: str, value: str) -> tuple[tuple[int, int], ...]:
    """Every place of a value in a text, half-open, in code points of the text; empty if the value was made up.

    Args:
        text: what the model was shown.
        value: what the model says stands in it.

    Examples:
        >>> text = "Thanks, MARÍA  Gomez! call 312.555.0188"
        >>> [text[a:b] for a, b in (*align(text, "Maria Gomez"), *align(text, "(312) 555-0188"))]
        ['MARÍA  Gomez', '312.555.0188']
        >>> align(text, "Brenda")
        ()
    """
    wanted = value.strip()
    if not wanted:
        return ()
    if exact := tuple(_exact(text, wanted)):
        return exact
    tokens, words = _tokens(text), [token.word for token in _tokens(wanted)]
    if not words:
        return ()
    return tuple(_folded(tokens, words)) or tuple(_by_digits(text, wanted)) or _likest(tokens, words)


def _exact(text: str, value: str) -> Iterator[tuple[int, int]]:
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not _inside_word(text, at) and not _inside_word(text, end):
            yield at, end
        at = text.find(value, at + 1)


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _tokens(text: str) -> list[_Token]:
    return [_Token(*match.span(), fold(match[0])) for match in _WORD.finditer(text)]


def _folded(tokens: Sequence[_Token], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    for i in range(len(tokens) - len(words) + 1):
        if all(token.word == word for token, word in zip(tokens[i:], words, strict=False)):
            yield tokens[i].start, tokens[i + len(words) - 1].end


def _by_digits(text: str, value: str) -> Iterator[tuple[int, int]]:
    digits = re.sub(r"\D", "", value)
    if len(digits) < _DIGITS or any(map(str.isalpha, value)):
        return
    for match in _NUMBER.finditer(text):
        if re.sub(r"\D", "", match[0]) == digits:
            yield match.span()


def _likest(tokens: Sequence[_Token], words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """The run of words that is likest, if it is like enough and every number of the value stands in it."""
    wanted = " ".join(map(_figures, words))
    numbers = {word for word in wanted.split() if word.isdigit()}
    best, place = LIKENESS, None
    for size in {max(1, len(words) - 1), len(words), len(words) + 1}:
        for i in range(len(tokens) - size + 1):
            run = [_figures(token.word) for token in tokens[i : i + size]]
            if not numbers <= set(run):
                continue
            ratio = SequenceMatcher(None, wanted, " ".join(run), autojunk=False).ratio()
            if ratio > best or (ratio == best and place is None):
                best, place = ratio, (tokens[i].start, tokens[i + size - 1].end)
    return (place,) if place is not None else ()


def _figures(word: str) -> str:
    return str(_SPELLED[word]) if word in _SPELLED else word
