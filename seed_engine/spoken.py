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
LONGEST = max(map(len, SPOKEN))


def spoken_digits(points: NDArray[np.uint32], edges: Positions) -> tuple[Positions, NDArray[np.uint32], Positions]:
    """Words that name a digit.

    Args:
        points: code points of letters and digits, folded.
        edges: where words begin, in order, and where the last one ends.

    Returns:
        First point of each such word in order, the digit's code point, and the word's length.
    """
    # Few words open with the two letters of a spoken digit; only those are spelt out. Looking at all letters in a row
    # is faster than looking at those where a word begins.
    low = points.astype(np.uint8).astype(np.uint16)
    likely = _pairs()[(low[:-1] << np.uint16(8)) | low[1:]]
    word = np.flatnonzero(likely[np.minimum(edges[:-1], len(likely) - 1)]) if len(likely) else edges[:0]
    begin, sizes = edges[word], edges[word + 1] - edges[word]
    begin, sizes = begin[sizes <= LONGEST], sizes[sizes <= LONGEST]
    codes = np.zeros(len(begin), dtype=np.uint64)
    for offset in range(LONGEST):
        # A letter beyond Latin-1 becomes one that no word has; behind a word's end there is nothing.
        letter = np.minimum(points[np.minimum(begin + offset, len(points) - 1)], np.uint32(0xFF)).astype(np.uint64)
        codes = (codes << np.uint64(8)) | np.where(offset < sizes, letter, np.uint64(0))
    known, digits = _table()
    at = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    hit = known[at] == codes
    return begin[hit], digits[at[hit]], sizes[hit]


@cache
def _pairs() -> NDArray[np.bool_]:
    pairs = np.zeros(1 << 16, dtype=np.bool_)
    pairs[[ord(word[0]) << 8 | ord(word[1]) for word in SPOKEN]] = True
    return pairs


@cache
def _table() -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    rows = sorted((int.from_bytes(word.encode().ljust(LONGEST, b"\0"), "big"), ord(SPOKEN[word])) for word in SPOKEN)
    codes, digits = zip(*rows, strict=True)
    return np.array(codes, dtype=np.uint64), np.array(digits, dtype=np.uint32)
