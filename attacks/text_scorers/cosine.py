"""Cosine tables: how much of what is rare two texts have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64

Features = Callable[[str], Iterable[Hashable]]
ROWS = 512


def cosine_blocks(rows: Sequence[str], columns: Sequence[str], features: Features) -> Iterator[Float64]:
    """Cosines of feature sets, each feature weighted by the root of its rarity among the columns.

    Args:
        rows: n texts.
        columns: m texts.
        features: what a text is made of; how often it has one does not count.

    Yields:
        Blocks Float64[<= 512, m] in the order of the rows, in [0, 1].
    """
    row_table, across = unit_tables(rows, columns, features)
    for start in range(0, len(rows), ROWS):
        yield np.asarray((row_table[start : start + ROWS] @ across).todense(), dtype=np.float64)


def unit_tables(rows: Sequence[str], columns: Sequence[str], features: Features) -> tuple[Any, Any]:
    """Sparse unit vectors of the rows [n, k] and, transposed, of the columns [k, m]; their product are the cosines."""
    vocabulary: dict[Hashable, int] = {}
    # Rows stand among the columns as well, as strangers of one another: each text is read once.
    known: dict[str, NDArray[np.int64]] = {}
    column_table, row_table = (_table(texts, features, vocabulary, known) for texts in (columns, rows))
    size = len(vocabulary)
    column_table.resize((len(columns), size))
    row_table.resize((len(rows), size))
    counts = np.asarray(column_table.sum(axis=0)).ravel()
    rarity = np.sqrt(np.log((1.0 + len(columns)) / (1.0 + counts)) + 1e-6)
    column_table, row_table = (_unit(table.multiply(rarity).tocsr()) for table in (column_table, row_table))
    return row_table, column_table.T.tocsc()


def _table(
    texts: Sequence[str], features: Features, vocabulary: dict[Hashable, int], known: dict[str, NDArray[np.int64]]
) -> Any:
    from scipy.sparse import csr_matrix

    for text in texts:
        if text not in known:
            found = [vocabulary.setdefault(feature, len(vocabulary)) for feature in dict.fromkeys(features(text))]
            known[text] = np.array(found, dtype=np.int64)
    numbers = np.concatenate([np.empty(0, dtype=np.int64), *(known[text] for text in texts)])
    ends = np.cumsum([0, *(len(known[text]) for text in texts)])
    return csr_matrix((np.ones(len(numbers)), numbers, ends), shape=(len(texts), max(1, len(vocabulary))))


def _unit(table: Any) -> Any:
    from scipy.sparse import diags_array

    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return diags_array(1.0 / np.maximum(lengths, 1e-12)).tocsr() @ table
