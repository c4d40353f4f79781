"""What a stretch of Japanese is about by the meaning of its words: static vectors, so that words never met count.

The table is that of chiVe (Works Applications, Apache-2.0) as ja_ginza carries it, made small by
`scripts/build_word_table.py`. Content words and function words are averaged apart: the first tell the matter, the
second whether something is said of somebody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seed_engine.japanese import JapaneseTagger
from seed_engine.sensitive.pair_codes import pair_codes
from seed_engine.sensitive.plain_form import plain_form

Floats = NDArray[np.float64]
# The sentence before, empty where there is none, and the sentence itself.
Stretch = tuple[str, str]

DIMENSIONS = 100
TABLE = Path(str(files("seed_engine.sensitive") / "data" / "words.npz"))
# Content words, function words, the last content words, the content words of the sentence before; names counted.
WIDTH = 4 * DIMENSIONS + 1
_LAST = 3
# The sentence before may be about anything: few words of it count for little.
_DOUBTS = (0, 0, 0, 6)
_MOST_NAMES = 3
# Characters over which the pairs' weights are summed to find where a text comes nearest to a topic.
_SPAN = 8
_END = re.compile(r"[。！？!?\n]+[」』）)]*")
_BEFORE, _BEHIND = 120, 100


class WordKind(IntEnum):
    """What a word of the table is."""

    CONTENT = 0
    FUNCTION = 1
    NAME = 2


class WordTable:
    """Vectors of words, loaded at the first use.

    Guarantees:
        The same text gets the same numbers, wherever it stands; nothing is kept between calls.
    """

    def meanings(self, stretches: Sequence[Stretch]) -> Floats:
        """Float64[len(stretches), WIDTH]: unit means of a stretch's words, and its names counted, at most 3."""
        found = np.zeros((len(stretches), WIDTH))
        for row, (before, own) in zip(found, stretches, strict=True):
            content, function, names = self._sorted(own)
            blocks = (content, function, content[-_LAST:], self._sorted(before)[0] if before else ())
            for k, (chosen, doubt) in enumerate(zip(blocks, _DOUBTS, strict=True)):
                if chosen:
                    total = self._rows[list(chosen)].sum(axis=0)
                    share = len(chosen) / (len(chosen) + doubt)
                    row[k * DIMENSIONS : (k + 1) * DIMENSIONS] = share * total / (np.sqrt(total @ total) or 1.0)
            row[-1] = min(names, _MOST_NAMES)
        return found

    def peak(self, text: str) -> int:
        """Where a text comes nearest to a sensitive topic by its pairs of characters; 0 for a short one."""
        running = np.cumsum(self._pairs[pair_codes(text)])
        if len(running) <= _SPAN:
            return 0
        return int((running[_SPAN:] - running[:-_SPAN]).argmax()) + _SPAN // 2

    def _sorted(self, sentence: str) -> tuple[list[int], list[int], int]:
        """Rows of the content words and of the function words, and how many names."""
        rows: tuple[list[int], list[int], list[int]] = ([], [], [])
        for word in self._tagger.surfaces(plain_form(sentence)[0]):
            known = self._places.get(word)
            if known is not None:
                rows[known[1]].append(known[0])
        return rows[WordKind.CONTENT], rows[WordKind.FUNCTION], len(rows[WordKind.NAME])

    @cached_property
    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        with np.load(TABLE, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        return self._arrays["rows"].astype(np.float32)

    @cached_property
    def _pairs(self) -> NDArray[np.float32]:
        return self._arrays["pairs"].astype(np.float32)

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        words = self._arrays["words"].tobytes().decode().split("\n")
        return dict(
            zip(words, zip(self._arrays["index"].tolist(), self._arrays["kinds"].tolist(), strict=True), strict=True)
        )

    @cached_property
    def _tagger(self) -> JapaneseTagger:
        return JapaneseTagger()


class Place(NamedTuple):
    """Where a stretch stands: its first code point, that of its own sentence, and one past the last."""

    start: int
    own: int
    end: int

    def cut(self, text: str) -> Stretch:
        """The sentence before and the own one."""
        return text[self.start : self.own], text[self.own : self.end]


def nearest_stretch(text: str) -> Place:
    """Where a text comes nearest to a topic: that sentence and the one before, 120 characters before and 100 behind."""
    place = word_table().peak(text)
    first, last = max(0, place - _BEFORE), min(len(text), place + _BEHIND)
    ends = [first, first, *(match.end() for match in _END.finditer(text, first, place))]
    after = _END.search(text, place, last)
    return Place(ends[-2], ends[-1], after.end() if after else last)


@cache
def word_table() -> WordTable:
    """The table that ships, shared: it is only read."""
    return WordTable()
