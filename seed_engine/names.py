"""Ways of naming one person: full, first or last name, initials, nickname, misspelt, possessive, user name."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

from seed_engine.fold import fold

_SPLIT = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])|\d+")
_DOUBLED = re.compile(r"(.)\1+")
_POSSESSIVE = re.compile(r"['’`´]s?\b", re.IGNORECASE)
# Titles and particles carry no identity.
_TITLES = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "miss",
        "mx",
        "dr",
        "dra",
        "doctor",
        "doctora",
        "prof",
        "professor",
        "profesor",
        "profesora",
        "profe",
        "sir",
        "madam",
        "ma'am",
        "nurse",
        "don",
        "dona",
        "sr",
        "sra",
        "srta",
        "senor",
        "senora",
        "senorita",
        "lic",
        "ing",
        "coach",
        "teacher",
        "the",
        "de",
        "del",
        "la",
        "las",
        "los",
        "y",
        "von",
        "van",
        "der",
        "den",
        "da",
        "di",
    ]
)


def name_tokens(surface: str) -> tuple[str, ...]:
    """The parts of a name that identify, folded, in order; initials are single letters."""
    bare = surface.split("@")[0] if "@" in surface else surface
    parts = [fold(part) for part in _SPLIT.split(_POSSESSIVE.sub("", bare)) if part]
    named = tuple(part for part in parts if part not in _TITLES)
    # "JS" or "J.S." are initials, not a name.
    if len(named) == 1 and len(named[0]) == 2 and bare.strip().isupper():
        return tuple(named[0])
    return named


def same_person(mention: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Whether a mention can name the person known by a fuller (or shorter) name; tokens as `name_tokens` gives them."""
    if not mention or not known:
        return False
    short, full = (mention, known) if len(mention) <= len(known) else (known, mention)
    if len(short) > 1 or len(full) == 1:
        return _in_order(short, full)
    return any(_alike(short[0], token) for token in full) or short[0] in _joined(full)


def _in_order(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Every part of the shorter name stands in the longer one, in order, and the whole is not initials alone."""
    rest = iter(full)
    return all(any(_alike(part, token) for token in rest) for part in short)


def _joined(full: tuple[str, ...]) -> set[str]:
    """User names that are made of a name: `jsmith`, `johns`, `johnsmith`, `smithj`."""
    first, last = full[0], full[-1]
    return {first + last, first[0] + last, first + last[0], last + first[0], last + first, "".join(full)}


def _alike(a: str, b: str) -> bool:
    if a == b:
        return True
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    if _nicknames().get(a, a) == _nicknames().get(b, b):
        return True
    return _DOUBLED.sub(r"\1", a) == _DOUBLED.sub(r"\1", b) or (min(len(a), len(b)) >= 5 and _one_slip(a, b))


def _one_slip(a: str, b: str) -> bool:
    """One letter too many, or two swapped. A letter replaced is another name as often as a slip (Maria, Marta)."""
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) == len(b):
        return a[at + 2 :] == b[at + 2 :] and a[at : at + 2] == b[at : at + 2][::-1]
    # A final vowel makes Daniel into Daniela.
    return len(b) == len(a) + 1 and a[at:] == b[at + 1 :] and not (at == len(a) and b[-1] in "aeo")


@cache
def _nicknames() -> dict[str, str]:
    raw = json.loads((files("seed_engine") / "data" / "nicknames.json").read_text("utf-8"))
    return {short: name for name, shorts in raw.items() for short in shorts}
