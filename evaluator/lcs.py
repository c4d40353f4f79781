"""Longest common subsequence, bit-parallel: a few operations on whole numbers for every item of one sequence.

Hyyrö 2004, "Bit-parallel LCS-length computation revisited".
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def lcs_length(one: Sequence[Hashable], two: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence of two sequences.

    Examples:
        >>> lcs_length("banana", "bandana")
        6
    """
    places: dict[Hashable, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    whole = (1 << len(one)) - 1
    row = whole
    for item in two:
        both = row & places.get(item, 0)
        row = ((row + both) | (row - both)) & whole
    return len(one) - row.bit_count()
