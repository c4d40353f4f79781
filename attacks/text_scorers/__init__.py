"""The scorers of the text-only attack: adding one is a file here, a line below and a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attacks.target import Float64
from attacks.text_scorers.every_turn import every_turn
from attacks.text_scorers.letters import letters
from attacks.text_scorers.meaning import meaning
from attacks.text_scorers.passages import passages
from attacks.text_scorers.single_words import single_words
from attacks.text_scorers.word_pairs import word_pairs

TextScorer = Callable[[Sequence[str], Sequence[str]], Iterator[Float64] | None]
"""(n texts, m texts) to blocks of rows of a table Float64[n, m], higher = more alike; None: too large for it.

A text is a conversation, one turn a line.
"""

TEXT_SCORERS: dict[str, TextScorer] = {
    "word_pairs": word_pairs,
    "single_words": single_words,
    "letters": letters,
    "meaning": meaning,
    "passages": passages,
    "every_turn": every_turn,
}
