"""Folding: one spelling for all the ways to write a value, with the way back to where it stood.

A folded text has no case and no accents and ASCII digits. A squeezed text is a folded text of which only letters and
digits are left. Folding goes character by character, so a slice of a text folds to a slice of the folded text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import category, combining, decimal, normalize

import numpy as np
from numpy.typing import NDArray

NEITHER, LETTER, DIGIT = 0, 1, 2
WORD = re.compile(r"\d+|[^\W\d_]+")


def fold(text: str) -> str:
    """A text without case and accents: NFKD, case-folded, marks dropped, digits of every script as ASCII digits.

    Examples:
        >>> fold("Núñez Ñ ４2")
        'nunez n 42'
    """
    if text.isascii():
        return text.lower()
    folded = normalize("NFKD", normalize("NFKD", text).casefold())
    return folded.translate(_TRANSLATION)


def squeeze(text: str) -> str:
    """The letters and digits of a folded text, nothing between them."""
    return "".join(character for character in fold(text) if character.isalnum())


def words(text: str) -> list[str]:
    """Runs of letters and runs of digits of a folded text, in order; `"A12"` is two words."""
    return WORD.findall(fold(text))


def source_offset(text: str, folded_offset: int, *, end: bool = False) -> int:
    """Where a code point of a folded text stood in the text.

    Args:
        text: the text before folding.
        folded_offset: offset in `fold(text)`; one past the last code point when `end`.
        end: whether the offset is the end of a half-open span.
    """
    if text.isascii():
        return folded_offset
    done = 0
    for offset, character in enumerate(text):
        done += len(fold(character))
        if done >= folded_offset + (not end):
            return offset + 1 if end else offset
    return len(text)


def symbols(text: str) -> NDArray[np.uint32]:
    """Code points of a text, as numbers."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)


def classes(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Class of each code point: `NEITHER`, `LETTER` or `DIGIT`."""
    if not len(points) or points.max() <= 0xFFFF:
        return _bmp_classes()[points]
    kinds = _bmp_classes()[np.minimum(points, 0xFFFF)]
    for index in np.flatnonzero(points > 0xFFFF):
        kinds[index] = _class(chr(points[index]))
    return kinds


class _Translation(dict[int, str | None]):
    # Filled as characters are met: a table of all of Unicode would cost 0.2 s at import.
    def __missing__(self, point: int) -> str | None:
        character = chr(point)
        kept: str | None = character
        if combining(character) or category(character) == "Mn":
            kept = None
        elif (value := decimal(character, None)) is not None:
            kept = str(value)
        self[point] = kept
        return kept


_TRANSLATION = _Translation()


@cache
def _bmp_classes() -> NDArray[np.uint8]:
    table = np.fromiter(_bmp(), dtype=np.uint8, count=0x10000)
    table[0xFFFF] = NEITHER
    return table


def _bmp() -> Iterator[int]:
    return (_class(chr(point)) for point in range(0x10000))


def _class(character: str) -> int:
    if character.isdecimal():
        return DIGIT
    return LETTER if character.isalnum() else NEITHER
