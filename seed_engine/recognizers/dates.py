"""Dates that name a day or a month of a year, and ages that a cue makes somebody's; relative dates are no finds."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re

from seed_engine.recognizers.pattern import Pattern, ignoring_case

_EN = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_ES = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)"
_OTHER = (
    r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|januar|februar|märz|juni|juli|oktober|dezember"
    r"|januari|februari|maart|april|mei|augustus|september|november|december)"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_TH = r"(?:\s?(?:st|nd|rd|th))?"
_YEAR = r"(?:1[89]\d\d|20\d\d)"
_WORDED = (
    r"(?:twenty[- ]|thirty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
    r"|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth)|twentieth|thirtieth"
)
_DAYS_ES = r"(?:uno|primero|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\w{3,6}|veinti?\w{0,7}|treinta(?:[ ]y[ ]uno)?)"

_COUNT = r"(?:\d{1,3}|(?:dieci|veinti)\w{2,6}|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?:[ ]y[ ]\w{2,6})?|veinte|quince|catorce|trece|doce|once|diez|nueve|ocho|siete|seis|cinco|cuatro|tres|dos|un)"

PATTERNS = (
    Pattern(
        "date_iso",
        "DATE_TIME",
        re.compile(
            rf"(?<![\w.-]){_YEAR}([-/.])(?:0?[1-9]|1[0-2])\1{_DAY}(?:T\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?)?(?![\w]|[-/]\d|\.\d)"
        ),
        0.95,
        None,
        "digit",
    ),
    Pattern(
        "date_numeric",
        "DATE_TIME",
        re.compile(r"(?<![\w./-])\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})(?![\w]|[-/]\d|\.\d)"),
        0.9,
        lambda v: _is_date(v),
        "digit",
    ),
    Pattern(
        "date_month_year", "DATE_TIME", re.compile(rf"(?<![\w./-])(?:0[1-9]|1[0-2])/{_YEAR}(?![\w/-])"), 0.8, None, "/"
    ),
    Pattern(
        "date_en",
        "DATE_TIME",
        ignoring_case(
            rf"""\b(?:(?:the[ ])?{_DAY}{_TH}(?:[ ]day)?(?:[ ]of)?[ -]?{_EN}(?:,?[ -]?(?:of[ ])?(?:{_YEAR}|'\d\d))?
            |{_EN}[ -]{{0,2}}{_DAY}{_TH}(?:,?[ -]{{1,2}}(?:{_YEAR}|'?\d\d(?!\d|:|[ ]?[ap]m)))?
            |{_EN},?[ ](?:of[ ])?{_YEAR})(?![\w/]|\.\d|:\d)"""
        ),
        0.9,
        lambda v: _is_named(v),
        "digit",
    ),
    Pattern(
        "date_es",
        "DATE_TIME",
        ignoring_case(
            rf"\b(?:{_DAY}º?(?:[ ]de)?[ -])?{_ES}(?:[ -](?:del?[ ])?(?:año[ ])?{_YEAR})?\b|\baño[ ]{_YEAR}\b"
        ),
        0.9,
        lambda v: any(map(str.isdigit, v)),
        "digit",
    ),
    Pattern(
        "date_es_worded",
        "DATE_TIME",
        ignoring_case(
            rf"\b(?P<v>{_DAYS_ES}[ ]de[ ]{_ES}(?:[ ]del?[ ](?:\d{{4}}|(?:mil|dos[ ]mil)(?:[ ]\w{{2,12}}){{0,4}}))?)\b"
        ),
        0.85,
        None,
        " de ",
        frozenset({"es"}),
    ),
    Pattern(
        "date_other",
        "DATE_TIME",
        ignoring_case(rf"\b{_DAY}(?:\.|er)?[ ]{_OTHER}(?:[ ]{_YEAR})?\b|\b{_OTHER}[ ]{_YEAR}\b"),
        0.85,
        None,
        "digit",
        frozenset({"fr", "de", "nl"}),
    ),
    Pattern(
        "date_worded",
        "DATE_TIME",
        ignoring_case(
            rf"\b(?:{_EN}[ ](?:the[ ])?(?:{_WORDED})|(?:the[ ])?(?:{_WORDED})(?:[ ]day)?[ ]of[ ]{_EN})(?:,?[ ](?:of[ ])?(?:{_YEAR}|(?:nineteen|twenty|two[ ]thousand)[ -]\w{{2,9}}(?:[ -]\w{{3,6}})?))?\b"
        ),
        0.9,
        lambda v: len(v) > 8,
    ),
    Pattern(
        "date_ja",
        "DATE_TIME",
        re.compile(
            r"(?:(?:(?:19|20)\d\d|(?:昭和|平成|令和|大正|明治)\s?(?:\d{1,2}|元))年)(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2}月\d{1,2}日"
        ),
        0.9,
        None,
        "digit",
    ),
    Pattern(
        "birth_date",
        "DATE_OF_BIRTH",
        ignoring_case(
            r"""\b(?:d\.?o\.?b\.?|date[ ]of[ ]birth|birth[ ]?da(?:te|y)|year[ ]of[ ]birth|born(?:[ ](?:on|in))?|nacid[oa](?:[ ](?:el|en))?|nac[ií](?:[ ](?:el|en))?|fecha[ ]de[ ]nacimiento)
            (?:[ ](?:is|es|on|was))?[ :]{0,3}(?P<v>\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|\d{8}|(?:19|20)\d\d)(?![\w/-])"""
        ),
        0.9,
        None,
        "digit",
    ),
    Pattern(
        "date_cued",
        "DATE_TIME",
        ignoring_case(
            r"\b(?:appointment|meet(?:ing)?(?:[ ]again)?|delivered|expires|cita|fecha)(?:[ ](?:on|el|is|es|date))?[ :]{1,3}(?P<v>\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?)(?![\w/-])"
        ),
        0.8,
        None,
        "digit",
    ),
    Pattern(
        "age_cued",
        "AGE",
        ignoring_case(
            r"""\b(?:age[ds]?|edad)[ ]?(?:is|es|:|=|of)?[ ]?(?P<v>\d{1,3})(?![\w/%.,]\d|\w|[ ]?%)
            """
        ),
        0.8,
        lambda v: 0 < int(v) < 120,
        "digit",
    ),
    Pattern(
        "age_es",
        "AGE",
        ignoring_case(
            rf"""\b(?:paciente|var[oó]n|mujer|hombre|niñ[oa]|hij[oa]|señora?|joven|adolescente|lactante)(?:[ ]\w{{1,15}}){{0,2}}?[ ]de[ ](?P<a>{_COUNT}[ ](?:años|meses|d[ií]as))\b
            |\b(?:tengo|tiene|edad:?|cumpl\w{{1,5}})[ ]{{1,2}}(?P<b>{_COUNT}[ ](?:años|añitos|meses))\b(?![ ]de[ ](?!edad))
            |\ba[ ]los[ ](?P<d>\d\d[ ]años)\b(?![ ]del?[ ](?!edad))
            |\b(?P<c>{_COUNT}[ ](?:años|meses))[ ]de[ ]edad\b"""
        ),
        0.6,
        None,
        None,
        frozenset({"es"}),
    ),
    Pattern(
        "age_self",
        "AGE",
        ignoring_case(
            r"\b(?:i'?m|i[ ]am|so[ ]im|he'?s|she'?s|he[ ]is|she[ ]is|turned)[ ](?P<v>\d{1,2})(?:[ ]?(?:years?[ ]old|y/?o|yrs?(?:[ ]old)?))?(?=[ ]*(?:$|[.,;!?]|and[ ]|y/o|years?[ ]old))"
        ),
        0.55,
        None,
        "digit",
    ),
)


def _is_date(value: str) -> bool:
    first, second, _ = (int(part) for part in re.split(r"[-/.]", value))
    if "." in value and len(value) < 8:
        return False
    return (1 <= first <= 31 and 1 <= second <= 12) or (1 <= first <= 12 and 1 <= second <= 31)


def _is_named(value: str) -> bool:
    # "may 5" or "mar 2" in lower case is as likely "it may 5" as a date; with a year or a day ending it is one.
    return re.fullmatch(r"(?:may|mar|march|dec|sun|sep) ?\d{1,2}", value) is None
