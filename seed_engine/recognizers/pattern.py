"""Patterns: a regular expression, what it finds, and the check that its finds must pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from seed_engine.spans import EntitySpan


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern recognizer.

    Attributes:
        name: what `EntitySpan.recognizer` says.
        entity_type: Presidio's spelling where it has one.
        regex: bounded in every repetition, so that the cost stays linear in the text. The named group that matched,
            where there is one, is the span; else the whole match.
        score: confidence of a match in [0, 1].
        check: whether a matched value is really one (check digits and the like); None takes every match.
        needs: a cheap condition on the whole text, tried before the expression: a character that must occur, or
            `digit`.
        languages: languages in which it is tried; None is all.
    """

    name: str
    entity_type: str
    regex: re.Pattern[str]
    score: float
    check: Callable[[str], bool] | None = None
    needs: str | Literal["digit"] | None = None
    languages: frozenset[str] | None = None

    def find(self, text: str) -> Iterator[EntitySpan]:
        """Every match of a text that passes the check."""
        named = bool(self.regex.groupindex)
        for match in self.regex.finditer(text):
            start, end = match.span(match.lastgroup or 0) if named else match.span()
            if start < end and (self.check is None or self.check(text[start:end])):
                yield EntitySpan(start, end, self.entity_type, self.score, self.name)


# Kana, kanji, hangul and full-width punctuation; full-width digits and letters are not among them.
_UNSPACED = re.compile(
    r"[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff65-\uff9f]"
)
_DIGIT = re.compile(r"\d")


def scan(patterns: Iterable[Pattern], text: str, language: str) -> list[EntitySpan]:
    """Every match of every pattern, in no order."""
    has_digit = _DIGIT.search(text) is not None
    found: list[EntitySpan] = []
    for pattern in patterns:
        if pattern.languages is not None and language not in pattern.languages:
            continue
        if pattern.needs is not None and not (has_digit if pattern.needs == "digit" else pattern.needs in text):
            continue
        found += pattern.find(text)
    return found


def apart(text: str) -> str:
    """The same text, as long, with signs of scripts without blanks made commas; `text` itself where it has none.

    A number or Latin word that touches kana, kanji or hangul ends there, but for a regular expression both are letters
    of one word: `電話番号は090-1234-5678です` has no word boundary before its number.
    """
    return _UNSPACED.sub("、", text)


# Behind a cue: "reg" is none in "Reggie", while "DNI12345678" and "パスポートM123" have no blank to end it.
CUE_END = r"(?!(?<=[A-Za-zÀ-ÿ])[A-Za-zÀ-ÿ])"


def ignoring_case(expression: str) -> re.Pattern[str]:
    """Compile a pattern of several lines that ignores case; a blank that counts is written `[ ]`."""
    return re.compile(expression, re.IGNORECASE | re.VERBOSE)
