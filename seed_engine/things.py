"""Which mentions of dates, places and numbers are one thing: a normalised key that spellings share."""

from __future__ import annotations

from seed_engine.dates import date_key
from seed_engine.fold import fold

_NUMERIC = frozenset(
    [
        "PHONE",
        "CARD",
        "BANK_ACCOUNT",
        "NATIONAL_ID",
        "PASSPORT",
        "DRIVER_LICENSE",
        "RECORD",
        "INSURANCE",
        "ORDER",
        "ID",
        "VEHICLE",
    ]
)
_TAIL_DIGITS = 4
# Tails are looked for among this many numbers, latest first, so that 10,000 turns stay linear.
_WINDOW = 64


def thing_key(kind: str, surface: str, language: str) -> str:
    """A key that two mentions of one date, place or number share."""
    if kind == "DATE":
        return date_key(surface, language)
    if kind in _NUMERIC:
        bare = "".join(char for char in fold(surface) if char.isalnum())
        digits = "".join(char for char in bare if char.isdigit())
        # A country code in front does not make another phone.
        return digits[-9:] if kind == "PHONE" and len(digits) >= 9 else bare
    if kind == "URL":
        return fold(surface).removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    if kind == "AGE":
        digits = "".join(char for char in surface if char.isdecimal())
        return digits or fold(surface)
    if kind in ("LOCATION", "ORGANIZATION"):
        return " ".join("".join(char if char.isalnum() else " " for char in fold(surface)).split())
    return surface.strip() if kind == "PASSWORD" else fold(surface).strip()


def tail_of(kind: str, key: str, known: dict[str, int]) -> str | None:
    """The known number of which `key` is the tail ("the card ending 4821"), or that is a tail of `key`."""
    if kind not in _NUMERIC or len(key) < _TAIL_DIGITS:
        return None
    if len(key) > _TAIL_DIGITS + 2:
        return key[-_TAIL_DIGITS:] if key[-_TAIL_DIGITS:] in known else None
    latest = list(known)[-_WINDOW:]
    return next((whole for whole in latest if len(whole) > len(key) and whole.endswith(key)), None)
