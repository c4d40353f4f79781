"""Ways of naming one person: full, first or last name, initials, nickname, misspelt, possessive, user name."""

from __future__ import annotations

import re
from functools import lru_cache

from seed_engine.fold import fold
from seed_engine.name_lexicon import is_first_name, is_short_for, looks_short_for

# How alike two names are. A slip or a pet name that no list knows is a guess, which context may overrule.
DIFFERENT, GUESSED, ALIKE, SAME = 0, 1, 2, 3

_SPLIT = re.compile(r"[^\w]+|_|(?<=[a-z]{3})(?=[A-Z])|\d+")
_DOUBLED = re.compile(r"(.)\1+")
_POSSESSIVE = re.compile(r"['’`´]s?\b", re.IGNORECASE)
_MEN = frozenset(["mr", "sir", "don", "sr", "senor", "mister", "el"])
_WOMEN = frozenset(
    [
        "mrs",
        "ms",
        "miss",
        "madam",
        "ma'am",
        "dona",
        "sra",
        "srta",
        "senora",
        "senorita",
        "dra",
        "doctora",
        "profesora",
        "la",
    ]
)
# "Doña" and "Don" go with a first name, the others with a surname; "doctor" with either.
_BEFORE_SURNAMES = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "miss",
        "mx",
        "sir",
        "madam",
        "sr",
        "sra",
        "srta",
        "senor",
        "senora",
        "senorita",
        "mister",
        "lic",
    ]
)
_OTHERS = """
dr doctor prof professor profesor profe nurse ing coach teacher the de del las los y von van der den da di licenciado
licenciada aunt auntie uncle tia tio abuela abuelo little sister brother cousin enfermera enfermero seno maestra
maestro hijo jr junior
"""
# Titles and particles carry no identity.
_TITLES = _MEN | _WOMEN | _BEFORE_SURNAMES | frozenset(_OTHERS.split())
_SOUNDS = (
    ("ph", "f"), ("qu", "k"), ("ck", "k"), ("gue", "ge"), ("gui", "gi"), ("ll", "y"), ("sch", "sh"), ("h", ""),
    ("ce", "se"), ("ci", "si"), ("c", "k"), ("z", "s"), ("v", "b"), ("y", "i"), ("j", "g"), ("x", "s"), ("w", "b"),
)  # fmt: skip
_SHORTEST_SLIP, _LONG_NAME = 4, 6


@lru_cache(maxsize=50_000)
def name_tokens(surface: str) -> tuple[str, ...]:
    """The parts of a name that identify, folded, in order; initials are single letters."""
    bare = surface.split("@")[0] if "@" in surface else surface
    parts = [fold(part) for part in _SPLIT.split(_POSSESSIVE.sub("", bare)) if part]
    # "R-U-I-Z" spells one name.
    if len(parts) > 3 and all(len(part) == 1 for part in parts):
        return ("".join(parts),)
    named = tuple(part for part in parts if part not in _TITLES)
    # "JS" or "J.S." are initials, not a name.
    if len(named) == 1 and len(named[0]) == 2 and bare.strip().isupper():
        return tuple(named[0])
    return named


def title_gender(surface: str) -> str:
    """`m` or `f` as a title at the start of a name tells it (`Mrs`, `don`); else empty."""
    first = _first_word(surface)
    return "m" if first in _MEN else "f" if first in _WOMEN else ""


def is_surname(surface: str) -> bool:
    """Whether a title says that the one name after it is a surname."""
    double = len(name_tokens(surface)) == 2 and "-" in surface
    return _first_word(surface) in _BEFORE_SURNAMES and (len(name_tokens(surface)) == 1 or double)


def likeness(mention: tuple[str, ...], known: tuple[str, ...]) -> int:
    """How well a mention can name the person known by a fuller (or shorter) name: `DIFFERENT` to `SAME`.

    Args:
        mention: as `name_tokens` gives it.
        known: likewise.
    """
    if not mention or not known:
        return DIFFERENT
    short, full = (mention, known) if len(mention) <= len(known) else (known, mention)
    if len(short) > 1 or len(full) == 1:
        return _in_order(short, full)
    if short[0] in _joined(full):
        return ALIKE
    return max(_alike(short[0], token) for token in full)


def is_login_of(local: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether a user name is made of a name's parts and initials: `e.vasquezthornton`, `jsmith`, `smithj`."""
    squeezed = "".join(local)
    longest = max((len(token) for token in name), default=0)
    if longest < 3 or len(squeezed) < 3:
        return False
    # Of whom only the surname is known, the first letter may be the first name's.
    rest = squeezed[1:] if len(name) == 1 and len(name[0]) > 3 else ""
    return _made_of(squeezed, name, whole=False) or rest == name[0]


def _made_of(rest: str, left: tuple[str, ...], *, whole: bool) -> bool:
    if not rest:
        return whole
    for i, token in enumerate(left):
        others = left[:i] + left[i + 1 :]
        if len(token) >= 3 and rest.startswith(token) and _made_of(rest[len(token) :], others, whole=True):
            return True
        if rest[0] == token[0] and _made_of(rest[1:], others, whole=whole):
            return True
    return False


def _in_order(short: tuple[str, ...], full: tuple[str, ...]) -> int:
    """Every part of the shorter name stands in the longer one, in order; the worst of the parts counts."""
    rest, worst = list(full), SAME
    for part in short:
        found = next(((i, like) for i, token in enumerate(rest) if (like := _alike(part, token))), None)
        if found is None:
            return DIFFERENT
        worst = min(worst, found[1])
        rest = rest[found[0] + 1 :]
    return worst


def _joined(full: tuple[str, ...]) -> set[str]:
    """User names that are made of a name: `jsmith`, `johns`, `johnsmith`, `smithj`."""
    first, last = full[0], full[-1]
    return {first + last, first[0] + last, first + last[0], last + first[0], last + first, "".join(full)}


@lru_cache(maxsize=50_000)
def _alike(a: str, b: str) -> int:
    if a == b:
        return SAME
    if len(a) == 1 or len(b) == 1:
        return ALIKE if a[0] == b[0] else DIFFERENT
    if is_short_for(a, b) or _DOUBLED.sub(r"\1", a) == _DOUBLED.sub(r"\1", b):
        return ALIKE
    if is_first_name(a) and is_first_name(b):
        return GUESSED if _one_vowel(a, b) else DIFFERENT
    slip = min(len(a), len(b)) >= _SHORTEST_SLIP and len(a) + len(b) > 2 * _SHORTEST_SLIP and _one_slip(a, b)
    return GUESSED if slip or _sound(a) == _sound(b) or looks_short_for(*sorted((a, b), key=len)) else DIFFERENT


def _one_slip(a: str, b: str) -> bool:
    """One letter too many, two swapped, or one (not the first) replaced."""
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) == len(b):
        swapped = a[at + 2 :] == b[at + 2 :] and a[at : at + 2] == b[at : at + 2][::-1]
        return swapped or (
            at > 0 and a[at + 1 :] == b[at + 1 :] and not (at == len(a) - 1 and {a[-1], b[-1]} <= set("aeo"))
        )
    # A final vowel makes Daniel into Daniela.
    return len(b) == len(a) + 1 and a[at:] == b[at + 1 :] and not (at == len(a) and b[-1] in "ao")


def _one_vowel(a: str, b: str) -> bool:
    """Whether long names differ in one vowel inside alone: Jonathon is Jonathan, though lists have both."""
    unlike = [(x, y) for x, y in zip(a[1:-1], b[1:-1], strict=False) if x != y]
    same_ends = (a[0], a[-1], len(a)) == (b[0], b[-1], len(b))
    return same_ends and len(a) >= _LONG_NAME and len(unlike) == 1 and set(unlike[0]) <= set("aeiou")


@lru_cache(maxsize=50_000)
def _sound(token: str) -> str:
    """How a name sounds, roughly, in Spanish or English: Gonzales is González, Amaia is Amaya."""
    for spelled, sound in _SOUNDS:
        token = token.replace(spelled, sound)
    return _DOUBLED.sub(r"\1", token)


def _first_word(surface: str) -> str:
    words = [word for word in re.split(r"[^\w']+", fold(surface)) if word]
    return words[1] if len(words) > 2 and words[0] in ("la", "el", "the") else words[0] if len(words) > 1 else ""
