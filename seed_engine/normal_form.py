"""Normal form: text is searched as NFC, and finds are carried back to the text as it was written."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from unicodedata import combining, is_normalized, normalize

from seed_engine.spans import EntitySpan

# Vowel and trailing jamo join the syllable before them although they are no marks.
_JOINS = re.compile("[ᅡ-ᇿ]")


@dataclass(frozen=True, slots=True)
class Normalized:
    """A text in NFC and the way back.

    Attributes:
        text: the NFC form.
        ours: where each piece begins in `text`, and its length at last; empty when nothing changed.
        theirs: where each piece begins in the text as written, and its length at last.
    """

    text: str
    ours: tuple[int, ...] = ()
    theirs: tuple[int, ...] = ()

    def back(self, spans: Iterable[EntitySpan]) -> tuple[EntitySpan, ...]:
        """Spans of `text` as spans of the text as written, widened to whole letters with their marks."""
        if not self.ours:
            return tuple(spans)
        return tuple(
            replace(
                span,
                start=self.theirs[bisect_right(self.ours, span.start) - 1],
                end=self.theirs[bisect_left(self.ours, span.end)],
            )
            for span in spans
        )


def normalized(text: str) -> Normalized:
    """NFC of a text."""
    if text.isascii() or is_normalized("NFC", text):
        return Normalized(text)
    ours, theirs, pieces = [0], [0], []
    for piece in _pieces(text):
        pieces.append(normalize("NFC", piece))
        ours.append(ours[-1] + len(pieces[-1]))
        theirs.append(theirs[-1] + len(piece))
    return Normalized("".join(pieces), tuple(ours), tuple(theirs))


def _pieces(text: str) -> Iterable[str]:
    """Letters with the marks that follow them."""
    start = 0
    for at in range(1, len(text)):
        if not combining(text[at]) and not _JOINS.match(text[at]):
            yield text[start:at]
            start = at
    if text:
        yield text[start:]
