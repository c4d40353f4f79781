"""Excerpts: the parts of a text in which a name can stand, so that a slow recognizer need not read the rest."""

from __future__ import annotations

import re
from functools import lru_cache

from seed_engine.fold import fold
from seed_engine.ordinary import is_ordinary

_CAPITALISED = re.compile(r"(?<!\w)[^\W\d_a-z]\w+")
# Words of institutions are written like names.
_OFFICIAL_WORDS = """
convention administrative supreme republic fundamental freedoms appeal minister council prosecutor ministry
circumstances chamber district constitutional criminal cassation affairs committee department association
agriculture justice regional ordinance labour commission protocol directorate magistrate magistrates defence
ambassador governor international national federal university corporation incorporated limited treaty
parliament senate tribunal statute dear regards sincerely passport password iban invoice contract procedure
facts law article section rule
"""
_OFFICIAL = frozenset(_OFFICIAL_WORDS.split())
# RT, SSN, LLC: short words in capitals are seldom names, and names in capitals are left to the other recognizers.
_LONGEST_ACRONYM = 4
# spaCy's small model looks four words to each side; wider excerpts found no more names and cost more.
_BEFORE, _AFTER = 24, 20
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
    folded = fold(word)
    return is_ordinary(folded) or folded in _OFFICIAL or (word.isupper() and len(word) <= _LONGEST_ACRONYM)


def _blank_before(text: str, at: int) -> int:
    return text.rfind(" ", max(0, at - _LONGEST_WORD), max(0, at)) + 1 or max(0, at)


def _blank_after(text: str, at: int) -> int:
    blank = text.find(" ", at, at + _LONGEST_WORD)
    return blank if blank >= 0 else min(at, len(text))
