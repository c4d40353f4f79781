"""Word pairs: words that stand near each other in both texts, in either order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attacks.target import Float64
from attacks.text_scorers.cosine import cosine_blocks
from attacks.text_scorers.words import Ngram, stems

_REACH = 3


def word_pairs(rows: Sequence[str], columns: Sequence[str]) -> Iterator[Float64]:
    """Cosines of pairs at most three words apart, and of single words: blocks Float64[<= 512, m], in [0, 1]."""
    return cosine_blocks(rows, columns, pairs)


def pairs(text: str) -> list[Ngram]:
    """Single stems, and stems at most three words apart, the smaller first."""
    found = stems(text)
    made: list[Ngram] = [(word,) for word in found]
    for place, word in enumerate(found):
        made += [(min(word, other), max(word, other)) for other in found[place + 1 : place + 1 + _REACH]]
    return made
