"""Letters: runs of five letters, which survive a change of endings and of short words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attacks.target import Float64
from attacks.text_scorers.cosine import cosine_blocks
from attacks.text_scorers.words import words

_N = 5


def letters(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    """Cosines of letter 5-grams, weighted by rarity: blocks Float64[<= 512, m], in [0, 1]."""
    return cosine_blocks(rows, columns, _grams)


def _grams(text: str) -> list[str]:
    joined = " ".join(words(text))
    return [joined[i : i + _N] for i in range(len(joined) - _N + 1)]
