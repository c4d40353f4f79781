"""What counts as personal: which finds are kept, whatever recognizer made them.

An absolute date points at one day of one life, so it is personal; a relative one (`tomorrow`, `two weeks`) and a time
of day point at nothing without it. A role marker is the absence of personal data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from seed_engine.fold import fold
from seed_engine.markers import MARKER_PATTERN
from seed_engine.ordinary import is_ordinary
from seed_engine.spans import EntitySpan
from seed_engine.vocabulary import vocabulary

# A sign that no pattern matches and that is no blank: a cue before a marker must not reach over it.
BLANK = "■"
_EDGE = " \t\r\n.,;:!?\"'“”‘’«»()[]{}<>*_|=#~`¿¡…-–—/\\" + BLANK
_KEEP_LEFT = {"PHONE_NUMBER": "+(", "USERNAME": "@_", "URL": "/"}
# Values of these types may begin or end with any sign.
_VERBATIM = frozenset({"PASSWORD", "URL"})

_MONTHS = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene|abr|ago|dic"
    r"|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|januar|februar|märz|juni|juli|oktober|dezember|januari|februari|maart|mei|augustus"
)
_ABSOLUTE = re.compile(
    rf"\b(?:{_MONTHS})\b\.?(?:[ ,]|of|de|del|the)*'?\d|\d(?:st|nd|rd|th|er|º|°|\.)?(?:[ -]|of|de|the)*(?:{_MONTHS})\b"
    r"|\d[/.-]\d{1,2}[/.-]\d{2,4}\b|\d{4}[/.-]\d{1,2}\b|\b\d{1,2}/\d{2,4}\b|\b(?:19|20)\d{6}\b|年|月\d|\d日|\baño \d{4}"
    rf"|\b(?:1[5-9]|20)\d\d\b.{{0,12}}\b(?:{_MONTHS})\b",
    re.IGNORECASE,
)
_WORDED_DATE = re.compile(
    rf"(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|teen|twentie|thirtie)th).{{0,14}}\b(?:{_MONTHS})\b"
    rf"|\b(?:{_MONTHS})\b(?: the)? [a-z-]{{0,9}}(?:first|second|third|th)\b"
    r"|\b(?:uno|primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\w+|veint\w+"
    rf"|treinta(?: y uno)?) de (?:{_MONTHS})\b",
    re.IGNORECASE,
)
_TITLE_ALONE = re.compile(
    r"(?:mrs?|ms|miss|dra?|sra?|srta|prof|sir|madam|do[nñ]a?|doctora?|señora?|nurse)\.?", re.IGNORECASE
)
_LAUGHTER = re.compile(r"(?:[jh][aei]){2,}[jh]?|l+o+l+|x+d+", re.IGNORECASE)
_ABBREVIATIONS = frozenset({"e.g", "i.e", "p.ej", "a.m", "p.m", "etc", "vs", "q.v", "u.a", "z.b", "d.h", "b.v"})
_SURE = 0.9
_SPELLED = re.compile(r"(?:\w[-. ]){2,20}\w")
_ALNUM = re.compile(r"[^\W_]")


def mask_markers(text: str) -> str:
    """The same text, as long, with every role marker made unreadable; `[MARY_LEE_1985]` is none, whatever its shape."""
    return MARKER_PATTERN.sub(_unreadable, text) if "[" in text else text


def _unreadable(match: re.Match[str]) -> str:
    known = match[1] in vocabulary().marker_kinds
    return BLANK * len(match[0]) if known else match[0]


def is_absolute_date(value: str) -> bool:
    """Whether a date names a day or a month of a year by itself.

    Examples:
        >>> is_absolute_date("3 May 1987"), is_absolute_date("tomorrow"), is_absolute_date("1945")
        (True, False, False)
    """
    return _ABSOLUTE.search(value) is not None or _WORDED_DATE.search(value) is not None


def keep(masked: str, spans: Iterable[EntitySpan]) -> list[EntitySpan]:
    """Spans that are personal, trimmed of blanks and punctuation at their edges.

    Args:
        masked: the text after `mask_markers`.
        spans: finds of any recognizer; those that touch a marker lose the part from the marker on.
    """
    kept = []
    for span in spans:
        trimmed = _trim(masked, span)
        if trimmed is not None and trimmed.entity_type == "PERSON" and masked[trimmed.start] == "@":
            # The sign makes it an account, whoever's name that account has.
            trimmed = replace(trimmed, entity_type="USERNAME")
        if trimmed is not None and _is_personal(masked[trimmed.start : trimmed.end], trimmed):
            kept.append(trimmed)
    return kept


def tidy(masked: str, spans: Iterable[EntitySpan]) -> tuple[EntitySpan, ...]:
    """Spans trimmed once more after fusion: of two that overlapped, a rest may be a blank or a dash."""
    return tuple(trimmed for span in spans if (trimmed := _trim(masked, span)) is not None)


def _is_personal(value: str, span: EntitySpan) -> bool:
    if span.entity_type in ("DATE_TIME", "DATE"):
        return is_absolute_date(value)
    if span.entity_type == "LOCATION" and len(value) <= 2:
        # States are written in capitals; "Pa" is a pressure. Other scripts have places of two signs and no capitals.
        return value.isupper() or not value.isascii()
    return span.entity_type != "PERSON" or not _is_word(value, span.score)


def _is_word(name: str, score: float) -> bool:
    """Whether a name is none: a title, laughter or abbreviation, an ordinary word spelled out, or one and half sure."""
    if _TITLE_ALONE.fullmatch(name) or _LAUGHTER.fullmatch(name) or name.lower() in _ABBREVIATIONS:
        return True
    if _SPELLED.fullmatch(name):
        return is_ordinary(fold(re.sub(r"[^\w]", "", name)))
    return score < _SURE and name.islower() and name.isalpha() and is_ordinary(fold(name))


def _trim(text: str, span: EntitySpan) -> EntitySpan | None:
    start, end = max(0, span.start), min(len(text), span.end)
    blank = text.find(BLANK, start, end)
    while blank == start:
        start += 1
        blank = text.find(BLANK, start, end)
    if blank > start:
        end = blank
    left = _KEEP_LEFT.get(span.entity_type, "")
    edge = " \t\r\n" + BLANK if span.entity_type in _VERBATIM else _EDGE
    while start < end and text[start] in edge and text[start] not in left:
        start += 1
    while start < end and text[end - 1] in edge:
        end -= 1
    if (_ALNUM.search(text, start, end) is None and span.entity_type != "PASSWORD") or start >= end:
        return None
    # A closing bracket or the dot of an initial that the value itself opened belongs to it.
    if text[end : end + 1] == ")" and text.count("(", start, end) > text.count(")", start, end):
        end += 1
    if (start, end) == (span.start, span.end):
        return span
    return EntitySpan(start, end, span.entity_type, span.score, span.recognizer)
