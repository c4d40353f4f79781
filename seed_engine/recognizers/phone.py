"""Telephone numbers of any country: a shape, then libphonenumber or a cue before it."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from seed_engine.recognizers.pattern import Pattern, ignoring_case

_REGIONS = ("US", "GB", "ES", "MX", "FR", "DE", "NL", "JP", "IN", "AU", "IT", "BR", "AR", "CO", "CL", "IE", "PH", "SE")
_GROUPED = re.compile(r"^\(?\d{2,5}\)?[ .\-/]?\d{2,4}[ .\-/]\d{2,4}(?:[ .\-/]\d{2,4}){0,3}$")


def _is_phone(value: str) -> bool:
    digits = sum(character.isdigit() for character in value)
    if not 7 <= digits <= 16 or re.match(r"\d{4}-\d{2}-\d{2}\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$", value):
        return False
    return _valid(value)


@lru_cache(4096)
def _valid(value: str) -> bool:
    import phonenumbers

    if value.startswith(("+", "00")):
        regions: tuple[str | None, ...] = (None,)
        value = "+" + value[2:] if value.startswith("00") else value
    else:
        regions = _REGIONS
    for region in regions:
        try:
            number = phonenumbers.parse(value, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number) or (region is None and phonenumbers.is_possible_number(number)):
            return True
    return False


def _has_digits(least: int, most: int) -> Callable[[str], bool]:
    return lambda value: least <= sum(character.isdigit() for character in value) <= most


_BODY = r"(?:\(0\)|[\d().\-/ \u00a0\u2011]){5,22}\d(?:\s?(?:x|ext\.?|extension|int\.)\s?\d{1,6})?"

PATTERNS = (
    Pattern(
        "phone_international",
        "PHONE_NUMBER",
        re.compile(rf"(?<![\w+])(?P<v>(?:\+|00)\s?\(?\d{_BODY})(?!\w)"),
        0.95,
        _has_digits(8, 20),
        "digit",
    ),
    Pattern(
        "phone_nanp",
        "PHONE_NUMBER",
        re.compile(
            r"(?<![\w.+/-])(?P<v>(?:\+?1[ .-])?(?:\(\d{3}\)[ .-]?|\d{3}[.-]|\d{3} (?=\d{3}[ -]))\d{3}[ .-]?\d{4}(?:\s?(?:x|ext\.?)\s?\d{1,6})?)(?![\w]|[.-]\d)"
        ),
        0.9,
        None,
        "digit",
    ),
    Pattern(
        "phone_valid",
        "PHONE_NUMBER",
        re.compile(
            r"(?<![\w.+/:$€£#-])(?P<v>(?:\(\d{1,5}\)|\d{2,5})[ .\-/]\d{2,4}(?:[ .\-/]\d{2,4}){1,4})(?![\w]|[.,/-]\d)"
        ),
        0.7,
        lambda value: _GROUPED.match(value) is not None and _is_phone(value),
        "digit",
    ),
    Pattern(
        "phone_cued",
        "PHONE_NUMBER",
        ignoring_case(
            rf"""\b(?:phone|tel(?:e?phone)?|tfno|tlf|mobile|cell(?:phone|[ ]number)?|fax|whats?app|call(?:[ ](?:me|us|him|her|back|my[ ]\w+(?:[ ]\w+)?))?
            |text[ ]me|ring[ ]me|reach[ ](?:me|us|him|her)|contact(?:[ ]number)?|my[ ]number|móvil|movil|teléfono|telefono|celular|llám[ea]me|llam[ea]r?|
            téléphone|telefon|telefoon|handy|電話)
            (?:[ ]?(?:number|no\.?|nº|num\.?|número|is|es|at|on|al|a|it's|was|:|\#|=|\.|-|,)){{0,4}}\s{{0,2}}(?P<v>[+(]?\d{_BODY})(?!\w)"""
        ),
        0.85,
        _has_digits(6, 20),
        "digit",
    ),
    Pattern(
        "phone_spoken",
        "PHONE_NUMBER",
        ignoring_case(
            r"""\b(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)[ ,.-]{1,3}){6,15}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b
            |\b(?:(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|doble)[ ,.-]{1,3}){6,15}(?:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)\b"""
        ),
        0.85,
    ),
)
