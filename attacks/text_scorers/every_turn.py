"""Every turn: a copy is alike in all its turns; two people who speak of the same thing are alike in some.

In lessons a pupil's numbers and the words of the exercise stand in every conversation about it, so that what two
conversations have most in common says nothing about whose they are. The turns that they have least in common do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64
from attacks.text_scorers.by_turn import MOST_PAIRS, Turns, turn_blocks
from attacks.text_scorers.cosine import unit_tables
from attacks.text_scorers.word_pairs import pairs

# A few turns of a copy may be rewritten beyond recognition or be too short to be recognised; most are not.
_SHARE = 0.6


def every_turn(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64] | None:
    """Mean over the `_SHARE` least alike turns of the largest cosine of word pairs with a turn of the other text.

    Blocks Float64[<= 512, m], in [0, 1]; None beyond `MOST_PAIRS` pairs.
    """
    return _blocks(rows, columns) if len(rows) * len(columns) <= MOST_PAIRS else None


def _blocks(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    own, across = Turns.of(rows), Turns.of(columns)
    said, against = unit_tables(own.lines, across.lines, pairs)
    yield from turn_blocks(own, across, lambda a, b: (said[a:b] @ against).toarray(), _least_alike)


def _least_alike(nearest: NDArray[Any]) -> NDArray[Any]:
    kept = max(1, int(_SHARE * len(nearest)))
    return np.asarray(np.partition(nearest, kept - 1, axis=0)[:kept].mean(axis=0))
