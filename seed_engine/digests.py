"""Digest table: many keyed 64-bit digests with a small number each, in sorted arrays of ten bytes an entry."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray


class DigestTable:
    """Frozen once built; see `DigestBuilder`."""

    __slots__ = ("_digests", "_numbers")

    def __init__(self, digests: NDArray[np.uint64], numbers: NDArray[np.uint16]) -> None:
        self._digests, self._numbers = digests, numbers

    def get(self, digest: int) -> int | None:
        """The number of a digest, None when it is not in the table."""
        at = int(np.searchsorted(self._digests, np.uint64(digest)))
        if at == len(self._digests) or int(self._digests[at]) != digest:
            return None
        return int(self._numbers[at])

    def first(self, digests: list[int]) -> int | None:
        """The number of the first of several digests that is in the table; faster than one by one."""
        if not len(self._digests):
            return None
        asked = np.array(digests, dtype=np.uint64)
        at = np.minimum(np.searchsorted(self._digests, asked), len(self._digests) - 1)
        hits = np.flatnonzero(self._digests[at] == asked)
        return int(self._numbers[at[hits[0]]]) if len(hits) else None

    def __contains__(self, digest: int) -> bool:
        return self.get(digest) is not None

    def __len__(self) -> int:
        return len(self._digests)


class DigestBuilder:
    """Collects digests; a digest that comes twice keeps the smaller number."""

    __slots__ = ("_digests", "_numbers")

    def __init__(self) -> None:
        self._digests, self._numbers = array("Q"), array("H")

    def add(self, digest: int, number: int = 0) -> None:
        """Add one digest with its number, 0 to 65535."""
        self._digests.append(digest)
        self._numbers.append(number)

    def table(self) -> DigestTable:
        """All of them, sorted."""
        digests = np.array(self._digests, dtype=np.uint64)
        numbers = np.array(self._numbers, dtype=np.uint16)
        order = np.lexsort((numbers, digests))
        digests, numbers = digests[order], numbers[order]
        new = np.ones(len(digests), dtype=np.bool_)
        new[1:] = digests[1:] != digests[:-1]
        return DigestTable(digests[new], numbers[new])
