"""Passages: stretches of six words in common; sees a passage that was copied out of a long conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attacks.target import Float64
from attacks.text_scorers.cosine import cosine_blocks
from attacks.text_scorers.words import Ngram, ngrams

_WORDS = 6


def passages(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    """Cosines of runs of six words, weighted by rarity: blocks Float64[<= 512, m], in [0, 1]."""
    return cosine_blocks(rows, columns, _runs)


def _runs(text: str) -> list[Ngram]:
    return ngrams(text, _WORDS)
