"""Spoken digits: the words by which a number is read out, in English and Spanish, found in whole arrays."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from seed_engine.rolling import Positions

_WORDS = {
    "0": "zero oh cero",
    "1": "one uno una",
    "2": "two dos",
    "3": "three tres",
    "4": "four cuatro",
    "5": "five cinco",
    "6": "six seis",
    "7": "seven siete",
    "8": "eight ocho",
    "9": "nine nueve",
}
SPOKEN = {word: digit for digit, words in _WORDS.items() for word in words.split()}
LENGTHS = tuple(sorted({len(word) for word in SPOKEN}))


def spoken_digits(points: NDArray[np.uint32], edges: Positions) -> tuple[Positions, NDArray[np.uint32], Positions]:
    """Words that name a digit.

    Args:
        points: code points of letters and digits, folded.
        edges: where words begin, in order, and where the last one ends.

    Returns:
        First point of each such word in order, the digit's code point, and the word's length.
    """
    begin, sizes = edges[:-1], np.diff(edges)
    begin, sizes = begin[sizes > 1], sizes[sizes > 1]
    # Few words open with the two letters of a spoken digit; only those are spelt out.
    pairs = ((points[begin] & np.uint32(0xFF)) << np.uint32(8)) | (points[begin + 1] & np.uint32(0xFF))
    likely = _pairs()[pairs]
    begin, sizes = begin[likely], sizes[likely]
    found = [_of_length(points, begin[sizes == length], length) for length in LENGTHS]
    first, digit, size = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(first, kind="stable")
    return first[order], digit[order], size[order]


def _of_length(
    points: NDArray[np.uint32], begin: Positions, length: int
) -> tuple[Positions, NDArray[np.uint32], Positions]:
    codes = np.zeros(len(begin), dtype=np.uint64)
    for offset in range(length):
        # A letter beyond Latin-1 becomes one that no word has.
        codes = (codes << np.uint64(8)) | np.minimum(points[begin + offset], np.uint32(0xFF)).astype(np.uint64)
    known, digits = _table(length)
    at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    hit = known[at] == codes
    return begin[hit], digits[at[hit]], np.full(int(hit.sum()), length, dtype=np.int64)


@cache
def _pairs() -> NDArray[np.bool_]:
    pairs = np.zeros(1 << 16, dtype=np.bool_)
    pairs[[ord(word[0]) << 8 | ord(word[1]) for word in SPOKEN]] = True
    return pairs


@cache
def _table(length: int) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    rows = sorted((int.from_bytes(word.encode(), "big"), ord(SPOKEN[word])) for word in SPOKEN if len(word) == length)
    codes, digits = zip(*rows, strict=True)
    return np.array(codes, dtype=np.uint64), np.array(digits, dtype=np.uint32)
