"""Word order: whether words follow each other as they do in running text, in English and Spanish.

Pointwise mutual information (Church and Hanks 1990) of the classes of neighbouring words: the 700 most frequent words
are classes of their own, the others share one by their last three letters, numbers share one. Random words score about
zero, running text well above. The table was counted by `scripts/train_coherence.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seed_engine.fold import fold

TOKEN = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[.,!?;:]+")
BEGIN, END, NUMBER, OTHER = "^", "$", "#", "_"
# Below this, a pair of neighbours is met less often than chance would have it.
UNUSUAL = -1.0


@dataclass(frozen=True, slots=True)
class TurnWords:
    """What the words of one turn say.

    Attributes:
        order: mean pointwise mutual information of neighbours, nats; 0.0 is chance.
        unusual: share of neighbours under `UNUSUAL`, [0, 1].
        content: the rarer words.
        count: tokens.
    """

    order: float
    unusual: float
    content: frozenset[str]
    count: int


@dataclass(frozen=True, slots=True)
class WordOrder:
    """The table and its classes.

    Attributes:
        classes: class of a word, of a suffix (`-ing`) or of a sign.
        table: float[classes, classes], nats.
        frequent: words that say nothing about what a turn is about.
    """

    classes: dict[str, int]
    table: NDArray[np.float32]
    frequent: frozenset[str]

    def read(self, text: str) -> TurnWords:
        """Measure one turn."""
        tokens = tokenize(text)
        at = [self.classes[BEGIN], *(word_class(self.classes, token) for token in tokens), self.classes[END]]
        pairs = self.table[at[:-1], at[1:]]
        content = frozenset(token for token in tokens if token[0].isalnum() and token not in self.frequent)
        return TurnWords(float(pairs.mean()), float((pairs < UNUSUAL).mean()), content, len(tokens))


def tokenize(text: str) -> list[str]:
    """Folded words, numbers and signs, in order."""
    return TOKEN.findall(fold(text).replace("’", "'"))


def word_class(classes: dict[str, int], token: str) -> int:
    """Number of a token's class."""
    if token.isdigit():
        return classes[NUMBER]
    return classes.get(token, classes.get(f"-{token[-3:]}", classes[OTHER]))
