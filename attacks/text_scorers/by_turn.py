"""By turn: how near each turn of a text comes to any turn of another, put together as a scorer sees fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64
from attacks.text_scorers.cosine import ROWS

# Beyond so many pairs of texts the turns' comparison would take minutes; the other scorers then decide alone.
MOST_PAIRS = 4_000_000
# Cosines at once: 16 MiB in float32, which is enough for the product to be fast.
_PRODUCTS = 4_000_000
Likeness = Callable[[int, int], NDArray[Any]]
"""Turns first, last of the rows to their cosines with all turns of the columns: Float[last - first, turns]."""


@dataclass(frozen=True, slots=True, repr=False)
class Turns:
    """The turns of some texts; a text is a conversation, one turn a line, and has at least one.

    Attributes:
        lines: all turns, text after text.
        starts: Int64[texts + 1], where each text's turns begin.
    """

    lines: list[str]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Turns:
        """Split texts at line ends."""
        turns = [text.split("\n") for text in texts]
        starts = np.cumsum([0, *(len(lines) for lines in turns)]).astype(np.int64)
        return cls([line for lines in turns for line in lines], starts)

    def batches(self, start: int, stop: int, most: int) -> Iterator[tuple[int, int]]:
        """Runs of texts that have at most so many turns together, or one text each."""
        while start < stop:
            fitting = int(np.searchsorted(self.starts, self.starts[start] + most, side="right")) - 1
            last = min(stop, max(start + 1, fitting))
            yield start, last
            start = last


def turn_blocks(
    rows: Turns, columns: Turns, likeness: Likeness, together: Callable[[NDArray[Any]], NDArray[Any]]
) -> Iterator[Float64]:
    """Compare every text of the rows with every text of the columns.

    Args:
        rows: n texts.
        columns: m texts.
        likeness: of turns.
        together: Float[turns of one text, m], each turn's nearest turn in each other text, to Float[m].

    Yields:
        Blocks Float64[<= 512, m] in the order of the rows.
    """
    texts, most = len(rows.starts) - 1, max(1, _PRODUCTS // len(columns.lines))
    for start in range(0, texts, ROWS):
        stop = min(start + ROWS, texts)
        block = np.empty((stop - start, len(columns.starts) - 1))
        for first, last in rows.batches(start, stop, most):
            ends = rows.starts[first : last + 1]
            nearest = np.maximum.reduceat(likeness(int(ends[0]), int(ends[-1])), columns.starts[:-1], axis=1)
            for text in range(first, last):
                own = slice(int(rows.starts[text] - ends[0]), int(rows.starts[text + 1] - ends[0]))
                block[text - start] = together(nearest[own])
        yield block
