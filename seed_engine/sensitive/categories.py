"""The categories of special-care information, each with its legal source, as data (`data/categories.json`)."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

from seed_engine.conversation import Boundary
from seed_engine.errors import UnknownNameError

Scheme = Literal["appi", "extension", "gdpr9", "hipaa"]


class Category(Boundary):
    """One kind of special-care information.

    Attributes:
        id: snake case, unique over all schemes.
        scheme: `appi` (Japan), `extension` (not in a law's list, switched on by default), `gdpr9` (EU; with Art. 10),
            `hipaa` (US).
        ja: Japanese name.
        en: English name.
        es: Spanish name.
        source: article that names it.
        definition: what belongs to it, in English, for prompts.
        definition_ja: the same in Japanese; empty for schemes that are not used on Japanese.
    """

    id: str
    scheme: Scheme
    ja: str
    en: str
    es: str
    source: str
    definition: str
    definition_ja: str = ""


@cache
def all_categories() -> tuple[Category, ...]:
    """Every category of every scheme, in the file's order."""
    path = files("seed_engine.sensitive") / "data" / "categories.json"
    return tuple(Category(**item) for item in json.loads(path.read_text("utf-8"))["categories"])


def japanese_categories(extensions: bool = True) -> tuple[Category, ...]:
    """The eleven of APPI and, unless switched off, the extensions (LGBT)."""
    schemes = ("appi", "extension") if extensions else ("appi",)
    return tuple(item for item in all_categories() if item.scheme in schemes)


def category(id: str) -> Category:
    """The category of an id.

    Raises:
        UnknownNameError: there is none.
    """
    known = {item.id: item for item in all_categories()}
    if id not in known:
        raise UnknownNameError("category", known)
    return known[id]
