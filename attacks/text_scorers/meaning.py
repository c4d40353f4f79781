"""Meaning: each turn's nearest turn by word vectors, which sees synonyms that no letters have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64
from attacks.text_scorers.cosine import ROWS
from seed_engine.word_vectors import WordVectors

# Beyond so many pairs of texts the turns' comparison would take minutes; the other scorers then decide alone.
MOST_PAIRS = 4_000_000
# Cosines at once: 16 MiB, which is enough for the matrix product to be fast.
_PRODUCTS = 4_000_000


def meaning(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64] | None:
    """Mean over a text's turns (lines) of the largest cosine with a turn of the other: blocks Float64[<= 512, m].

    Returns None beyond `MOST_PAIRS` pairs.
    """
    return _blocks(rows, columns) if len(rows) * len(columns) <= MOST_PAIRS else None


def _blocks(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    own, across = _turns(rows), _turns(columns)
    # Rows stand among the columns as well, and people say the same: each turn is embedded once.
    numbers = {line: i for i, line in enumerate(dict.fromkeys([*across.lines, *own.lines]))}
    vectors = WordVectors()(list(numbers))
    against = np.ascontiguousarray(vectors[[numbers[line] for line in across.lines]].T)
    for start in range(0, len(rows), ROWS):
        stop = min(start + ROWS, len(rows))
        block = np.empty((stop - start, len(columns)))
        for first, last in own.batches(start, stop, most=max(1, _PRODUCTS // len(across.lines))):
            said = vectors[[numbers[line] for line in own.lines[own.starts[first] : own.starts[last]]]]
            nearest = np.maximum.reduceat(said @ against, across.starts[:-1], axis=1)
            sums = np.add.reduceat(nearest, own.starts[first:last] - own.starts[first], axis=0)
            block[first - start : last - start] = sums / np.diff(own.starts[first : last + 1])[:, None]
        yield block


@dataclass(frozen=True, slots=True, repr=False)
class _Turns:
    """The turns of all texts, and where each text's begin: Int64[texts + 1]; every text has at least one."""

    lines: list[str]
    starts: NDArray[np.int64]

    def batches(self, start: int, stop: int, most: int) -> Iterator[tuple[int, int]]:
        """Runs of texts that have at most so many turns together, or one text each."""
        while start < stop:
            fitting = int(np.searchsorted(self.starts, self.starts[start] + most, side="right")) - 1
            last = min(stop, max(start + 1, fitting))
            yield start, last
            start = last


def _turns(texts: Sequence[str]) -> _Turns:
    turns = [text.split("\n") for text in texts]
    starts = np.cumsum([0, *(len(lines) for lines in turns)]).astype(np.int64)
    return _Turns([line for lines in turns for line in lines], starts)
