"""Dates as comparable keys: `March 3rd, 1985`, `3/3/1985` and `3 de marzo de 1985` are one."""

from __future__ import annotations

import re

from seed_engine.fold import fold

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan enero ene",
            "february feb febrero",
            "march mar marzo",
            "april apr abril abr",
            "may mayo",
            "june jun junio",
            "july jul julio",
            "august aug agosto ago",
            "september sep sept septiembre setiembre",
            "october oct octubre",
            "november nov noviembre",
            "december dec diciembre dic",
        ),
        1,
    )
    for name in names.split()
}
_PARTS = re.compile(r"\d+|[a-z]+")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "de", "del", "of", "the", "el", "on"})


def date_key(surface: str, language: str) -> str:
    """`year-month-day` of a date where it can be read (parts that are not said are 0), else the folded text.

    Args:
        surface: the words of the date.
        language: ISO 639-1; decides whether `3/4` is in March (en) or in April (others).
    """
    folded = fold(surface)
    parts = [part for part in _PARTS.findall(folded) if part not in _ORDINALS]
    months = [_MONTHS[part] for part in parts if part in _MONTHS]
    numbers = [int(part) for part in parts if part.isdigit() and len(part) <= 4]
    readable = len(parts) == len(months) + len(numbers) and len(parts) in (2, 3) and ":" not in folded
    if not readable or len(months) > 1:
        return " ".join(folded.split())
    years = [number for number in numbers if number > 31]
    rest = [number for number in numbers if number <= 31]
    if months:
        day, rest = (rest[0], rest[1:]) if rest else (0, [])
        return _key(years or rest, months[0], day)
    if len(rest) == 3:
        years, rest = [rest[2]], rest[:2]
    if len(rest) != 2 or max(rest) == 0:
        return " ".join(folded.split())
    year_first = bool(years) and numbers[0] == years[0]
    month, day = rest if (language == "en" and rest[0] <= 12) or year_first else (rest[1], rest[0])
    if month > 12:
        month, day = day, month
    return _key(years, month, day)


def _key(years: list[int], month: int, day: int) -> str:
    year = years[0] if years else 0
    if 0 < year < 100:
        year += 1900 if year > 30 else 2000
    return f"{year}-{month}-{day}"
