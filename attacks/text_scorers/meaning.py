"""Meaning: each turn's nearest turn by word vectors, which sees synonyms that no letters have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from attacks.target import Float64
from attacks.text_scorers.by_turn import MOST_PAIRS, Turns, turn_blocks
from seed_engine.word_vectors import WordVectors


def meaning(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64] | None:
    """Mean over a text's turns (lines) of the largest cosine with a turn of the other: blocks Float64[<= 512, m].

    Returns None beyond `MOST_PAIRS` pairs.
    """
    return _blocks(rows, columns) if len(rows) * len(columns) <= MOST_PAIRS else None


def _blocks(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    own, across = Turns.of(rows), Turns.of(columns)
    # Rows stand among the columns as well, and people say the same: each turn is embedded once.
    numbers = {line: i for i, line in enumerate(dict.fromkeys([*across.lines, *own.lines]))}
    vectors = WordVectors()(list(numbers))
    said = vectors[[numbers[line] for line in own.lines]]
    against = np.ascontiguousarray(vectors[[numbers[line] for line in across.lines]].T)
    yield from turn_blocks(own, across, lambda a, b: said[a:b] @ against, lambda nearest: nearest.mean(axis=0))
