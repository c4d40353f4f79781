"""Single words: rare words in common, wherever they stand; no reordering hides them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attacks.target import Float64
from attacks.text_scorers.cosine import cosine_blocks
from attacks.text_scorers.words import stems


def single_words(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    """Cosines of word stems, weighted by rarity: blocks Float64[<= 512, m], in [0, 1]."""
    return cosine_blocks(rows, columns, stems)
