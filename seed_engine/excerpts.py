"""Excerpts: the parts of a text in which a name can stand, so that a slow recognizer need not read the rest."""

from __future__ import annotations

import re
from functools import lru_cache

from seed_engine.fold import fold
from seed_engine.ordinary import is_ordinary

_CAPITALISED = re.compile(r"(?<!\w)[^\W\d_a-z]\w+")
# spaCy's small model looks four words to each side; wider excerpts found no more names and cost more.
_BEFORE, _AFTER = 30, 25
# spaCy's memory grows with the text; a name cut in two at a seam is found by the other recognizers.
_LONGEST = 5_000
# A name is no word of this length, and an excerpt of a text without blanks must end somewhere.
_LONGEST_WORD = 60


def excerpts(text: str) -> list[tuple[int, int]]:
    """Half-open stretches around every capitalised word that is no ordinary one, sorted, none overlapping another."""
    found: list[tuple[int, int]] = []
    for match in _CAPITALISED.finditer(text):
        word = match[0]
        if len(word) > _LONGEST_WORD or not word[0].isupper() or _is_ordinary(word):
            continue
        start = _blank_before(text, match.start() - _BEFORE)
        end = _blank_after(text, match.end() + _AFTER)
        if found and start <= found[-1][1]:
            first, last = found.pop()
            if end - first > _LONGEST:
                found.append((first, last))
                first = last
            start, end = first, max(end, last)
        if start < end:
            found.append((start, end))
    return found


@lru_cache(maxsize=20_000)
def _is_ordinary(word: str) -> bool:
    return is_ordinary(fold(word))


def _blank_before(text: str, at: int) -> int:
    return text.rfind(" ", max(0, at - _LONGEST_WORD), max(0, at)) + 1 or max(0, at)


def _blank_after(text: str, at: int) -> int:
    blank = text.find(" ", at, at + _LONGEST_WORD)
    return blank if blank >= 0 else min(at, len(text))
