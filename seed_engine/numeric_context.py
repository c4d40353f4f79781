"""Numbers in context: which numbers of a domain are doses, prices or arithmetic, and what would make one personal.

Each domain's list of ambiguous numbers and of cues stands in `data/profiles/DOMAIN.json`. A find that is a number and
lies in a harmless place is dropped unless a cue of its type stands beside it or the number proves itself.
"""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from seed_engine.fold import fold
from seed_engine.math_text import expressions
from seed_engine.name_lexicon import is_first_name
from seed_engine.names import name_tokens
from seed_engine.spans import EntitySpan

_BEFORE, _AFTER = 48, 24
# Types that tell something in words, whatever digits stand in them.
_WORDED = frozenset({"PERSON", "EMAIL_ADDRESS", "URL", "USERNAME", "ORGANIZATION", "NRP", "IP_ADDRESS", "MAC_ADDRESS"})
_NAMES = frozenset({"PERSON", "LOCATION"})
# A number of these types was found by its cue or has check digits that fit.
_PROVEN = re.compile(
    r"cued|labelled|iban|card|ssn|email|url|pin|token|passport|student|medical_record|case|order|vin|plate|insurance|driver_license|born|age_"
)
_PHONE = re.compile(
    r"\d{3} \d{2,3} \d{2,3}(?: \d{2,3})?|\d{9,11}|(?:\+\d{1,3}[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}|\+\d[\d .()-]{7,18}\d"
)
_DATE = re.compile(r"\d{1,2}([/.-])\d{1,2}\1(?:19|20)?\d{2}|(?:19|20)\d{2}([/.-])\d{1,2}\2\d{1,2}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SIGN_BESIDE = (
    re.compile(r"[=+*×÷<>^]\s*$|\d\s*[/x−-]\s*$|\d[.,]$"),
    re.compile(r"^\s*[=+*×÷<>^]|^[.,]\d|^\s*[/x−-]\s*\d"),
)


@dataclass(frozen=True, slots=True)
class NumericProfile:
    """What numbers mean in a domain.

    Attributes:
        harmless: what is counted, measured, dosed or priced.
        cues: by entity type, words that make a number beside them personal; `*` is any type.
        arithmetic: whether mathematical expressions are harmless too.
    """

    harmless: re.Pattern[str]
    cues: dict[str, re.Pattern[str]]
    arithmetic: bool


@cache
def numeric_profile(domain: str) -> NumericProfile:
    """The numeric profile of a domain that has one (`NUMERIC_DOMAINS`)."""
    raw = json.loads((files("seed_engine") / f"data/profiles/{domain}.json").read_text("utf-8"))
    harmless = re.compile("|".join(f"(?:{item['pattern']})" for item in raw["harmless"]), re.IGNORECASE)
    cues = {kind: _cue(words) for kind, words in raw["cues"].items()}
    return NumericProfile(harmless, cues, arithmetic=domain == "tutoring")


NUMERIC_DOMAINS = ("tutoring", "medical", "support")


def drop_numbers(
    text: str, spans: Iterable[EntitySpan], profile: NumericProfile, *, everywhere: bool = False, asked: str = ""
) -> tuple[EntitySpan, ...]:
    """The spans without the numbers that the domain explains.

    Args:
        text: the text.
        spans: finds in it.
        profile: the domain's.
        everywhere: whether every number needs positive evidence, not only one in a harmless place.
        asked: what was said before, when the text is its answer: "your student number?" makes the next number one.
    """
    found = tuple(spans)
    if not found:
        return found
    places = [match.span() for match in profile.harmless.finditer(text)]
    places += expressions(text) if profile.arithmetic else ()
    return tuple(span for span in found if _stays(text, span, profile, places, everywhere, asked))


def _stays(
    text: str, span: EntitySpan, profile: NumericProfile, places: list[tuple[int, int]], everywhere: bool, asked: str
) -> bool:
    within = any(start <= span.start and span.end <= end for start, end in places)
    if not _is_number(text, span, profile):
        # "Mbps" beside a number is no name and "GB" no country, whoever takes them for one.
        return not (within and span.entity_type in _NAMES) and not _swallows(text, span, profile, places)
    explained = within or _is_operand(text, span)
    if not everywhere and (not explained or _is_shaped(text[span.start : span.end])):
        return True
    if everywhere and _is_inside_word(text, span):
        return False
    if _is_cued(text, span, profile, asked):
        return True
    return not explained and (_PROVEN.search(span.recognizer) is not None or _is_shaped(text[span.start : span.end]))


def _is_number(text: str, span: EntitySpan, profile: NumericProfile) -> bool:
    value = text[span.start : span.end]
    if span.entity_type in _WORDED or not any(map(str.isdigit, value)):
        return False
    return not _WORD.search(value) or _is_inside_word(text, span) or profile.harmless.fullmatch(value) is not None


def _swallows(text: str, span: EntitySpan, profile: NumericProfile, places: list[tuple[int, int]]) -> bool:
    """Whether a find of a name holds a dose or a count, as "Loratadina 10 mg" does, and no first name."""
    if span.entity_type not in _NAMES or profile.arithmetic:
        return False
    if not any(start < span.end and span.start < end for start, end in places):
        return False
    value = text[span.start : span.end]
    return any(map(str.isdigit, value)) and not any(map(is_first_name, name_tokens(value)))


def _is_inside_word(text: str, span: EntitySpan) -> bool:
    """Whether a find begins in the middle of a word, as "ce 2/3 of 36" does in "since 2/3 of 36"."""
    return text[max(0, span.start - 1) : span.start].isalpha() and text[span.start].isalpha()


def _is_operand(text: str, span: EntitySpan) -> bool:
    before, after = _SIGN_BESIDE
    return bool(before.search(text[max(0, span.start - 4) : span.start]) or after.search(text[span.end : span.end + 4]))


def _is_cued(text: str, span: EntitySpan, profile: NumericProfile, asked: str) -> bool:
    # After a number "case" is as often a thing that it fits; in lessons "is my student id" comes after.
    after = text[span.end : span.end + _AFTER] if profile.arithmetic else ""
    around = fold(f"{asked} {text[max(0, span.start - _BEFORE) : span.start]} _ {after}")
    own = profile.cues.get(span.entity_type)
    return profile.cues["*"].search(around) is not None or (own is not None and own.search(around) is not None)


def _is_shaped(value: str) -> bool:
    """Whether the digits are grouped as nothing but a telephone number or a whole date is."""
    return _PHONE.fullmatch(value) is not None or _DATE.fullmatch(value) is not None


def _cue(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(
        r"(?<![^\W_])(?:"
        + "|".join(re.escape(fold(word)) for word in sorted(words, key=len, reverse=True))
        + r")(?![^\W_])"
    )
