"""Meaning: each turn's nearest turn by word vectors, which sees synonyms that no letters have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64
from attacks.text_scorers.cosine import ROWS
from seed_engine.word_vectors import WordVectors

# Beyond so many pairs of texts the turns' comparison would take minutes; the other scorers then decide alone.
MOST_PAIRS = 4_000_000


def meaning(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64] | None:
    """Mean over a text's turns (lines) of the largest cosine with a turn of the other: blocks Float64[<= 512, m].

    Returns None beyond `MOST_PAIRS` pairs.
    """
    return _blocks(rows, columns) if len(rows) * len(columns) <= MOST_PAIRS else None


def _blocks(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    embed = WordVectors()
    across, starts = _turns(columns, embed)
    own, own_starts = _turns(rows, embed)
    ends = [*own_starts[1:].tolist(), len(own)]
    table: list[NDArray[np.float32]] = []
    for start, end in zip(own_starts.tolist(), ends, strict=True):
        table.append(np.maximum.reduceat(own[start:end] @ across.T, starts, axis=1).mean(axis=0))
        if len(table) == ROWS:
            yield np.array(table, dtype=np.float64)
            table = []
    if table:
        yield np.array(table, dtype=np.float64)


def _turns(texts: Sequence[str], embed: WordVectors) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Vectors of all turns, and where each text's turns begin; every text has at least one."""
    turns = [text.split("\n") for text in texts]
    starts = np.cumsum([0, *(len(lines) for lines in turns)])[:-1]
    return embed([line for lines in turns for line in lines]), starts.astype(np.int64)
