"""Which words are first names, and whose: lists of English and Spanish first names, by gender.

Only lists of their own names tell Maria and Marta (two women) from Marta and Martta (a slip). They are Faker's, whose
generated values the house uses as surrogates.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files

from seed_engine.fold import fold

_LOCALES = ("en_US", "en_GB", "es_ES", "es_MX")
_SHORTEST_STEM = 3
_ENDINGS = ("citos", "cito", "cita", "itos", "ito", "ita", "illo", "illa", "in", "ie", "y", "i", "s")


@dataclass(frozen=True, slots=True)
class _Lexicon:
    male: frozenset[str]
    female: frozenset[str]
    long_forms: dict[str, frozenset[str]]


def is_first_name(token: str) -> bool:
    """Whether a folded word is listed as somebody's first name."""
    return token in _lexicon().male or token in _lexicon().female


def gender_of(token: str) -> str:
    """`m` or `f` of a folded first name; empty when it is not listed, or is both men's and women's."""
    names = _lexicon()
    male = token in names.male or bool(names.long_forms.get(token, frozenset()) & names.male)
    female = token in names.female or bool(names.long_forms.get(token, frozenset()) & names.female)
    return "" if male == female else "m" if male else "f"


def is_short_for(short: str, name: str) -> bool:
    """Whether one folded name is listed as short for the other, or both for a third."""
    forms = _lexicon().long_forms
    ours, theirs = forms.get(short, frozenset()) | {short}, forms.get(name, frozenset()) | {name}
    return bool(ours & theirs)


def looks_short_for(short: str, name: str) -> bool:
    """Whether a word is built like a pet name of another: `gwen` of Gwendolyn, `carmencita`, `pippa` of Philippa.

    Two names that are both listed are two names, however alike: Ana is not Anabel.
    """
    if is_first_name(short) and is_first_name(name):
        return False
    return any(_stem_fits(a, b) for a, b in ((short, name), (name, short)))


def _stem_fits(short: str, name: str) -> bool:
    if len(short) >= _SHORTEST_STEM and len(name) > len(short) + 1 and (name.startswith(short) or name.endswith(short)):
        return True
    for ending in _ENDINGS:
        stem = short.removesuffix(ending)
        if stem == short:
            continue
        if stem.endswith("qu"):
            # "Marquitos" of Marcos.
            stem = stem.removesuffix("qu") + "c"
        if len(stem) >= _SHORTEST_STEM and name.startswith(stem) and name != stem + ending:
            return True
        # "Immy" of Imogen, "Teddy" of Edward's Ted: the doubled letter stands for one.
        if len(stem) >= _SHORTEST_STEM and stem[-1] == stem[-2] and name.startswith(stem[:-1]):
            return True
    return False


@cache
def _lexicon() -> _Lexicon:
    male: set[str] = set()
    female: set[str] = set()
    for locale in _LOCALES:
        # Faker is imported here: it costs time that `semilla --help` must not pay.
        provider = import_module(f"faker.providers.person.{locale}").Provider
        male |= {fold(word) for name in provider.first_names_male for word in (name, *name.split())}
        female |= {fold(word) for name in provider.first_names_female for word in (name, *name.split())}
    raw = json.loads((files("seed_engine") / "data" / "nicknames.json").read_text("utf-8"))
    long_forms: dict[str, set[str]] = {}
    for name, shorts in raw.items():
        for short in shorts:
            long_forms.setdefault(short, set()).add(name)
    return _Lexicon(
        frozenset(male), frozenset(female), {short: frozenset(names) for short, names in long_forms.items()}
    )
