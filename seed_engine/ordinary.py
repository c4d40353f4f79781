"""Ordinary words: what anybody may write, so that finding it says nothing about a person.

The list is the union of Faker's English and Spanish word lists, less the proper names in them, and the project's own
`data/ordinary_words.txt`. A word also counts when a regular ending was added to a listed one (`waited`, `pastillas`).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from seed_engine.fold import fold

# Faker's Spanish list is drawn from newspapers, so it holds names; a name on the list would never be searched for.
_NAMES = """
josé juan carlos maría luis antonio gonzález manuel garcía miguel pedro francisco fernando felipe jorge rodríguez lópez
victoria santiago martín pablo rafael marco madrid barcelona españa europa américa méxico argentina chile parís cuba
francia psoe
"""
NAMES_IN_FAKER = frozenset(_NAMES.split())
ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "er", "ers", "mente")
SHORTEST_STEM = 3


def is_ordinary(word: str) -> bool:
    """Whether a folded word (see `seed_engine.fold`) is an ordinary one, as listed or with a regular ending.

    Examples:
        >>> is_ordinary("tomorrow"), is_ordinary("waited"), is_ordinary("quillfeather")
        (True, True, False)
    """
    words = ordinary_words()
    if word in words:
        return True
    stems = (word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending))
    return any(len(stem) >= SHORTEST_STEM and (stem in words or f"{stem}e" in words) for stem in stems)


@cache
def ordinary_words() -> frozenset[str]:
    """Every listed word, folded."""
    # Faker is imported here: it costs 0.15 s that `semilla --help` must not pay.
    from faker.providers.lorem.en_US import Provider as English
    from faker.providers.lorem.es_ES import Provider as Spanish

    own = (files("seed_engine") / "data" / "ordinary_words.txt").read_text("utf-8").split()
    listed = (set(English.word_list) | set(Spanish.word_list)) - NAMES_IN_FAKER
    return frozenset(fold(word) for word in (*own, *listed))
