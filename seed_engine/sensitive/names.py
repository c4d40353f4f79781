"""Invented people for written texts: names, experts, relatives, each drawn from lists that the project wrote."""

from __future__ import annotations

import json
import random
from functools import cache
from importlib.resources import files

# Papers and friends write a surname and nothing else.
_BARE = 0.42


class Names:
    """Fills the slots of a frame that are not about a fact.

    Args:
        lists: of `data/names.json`.
        prefix: `test_` for the names that no training text holds.
    """

    def __init__(self, lists: dict[str, list[str]], prefix: str) -> None:
        self._lists = lists
        self._surnames, self._given, self._foreign = (lists[prefix + kind] for kind in ("surnames", "given", "foreign"))

    def fill(self, slot: str, draw: random.Random) -> str:
        """A value for a slot: P Q a person, S T a surname, I me, K kin, e an expert, g people, n a a number, c o w."""
        lists = self._lists
        if slot in "PQ":
            return self._person(draw)
        if slot == "e":
            return self._expert(draw)
        if slot in "ST":
            return draw.choice(self._surnames)
        if slot == "n":
            return str(draw.randint(2, 9))
        if slot == "a":
            return str(draw.randint(19, 84))
        named = {"I": "me", "K": "kin", "g": "groups", "c": "places", "o": "organisations", "w": "works"}
        return draw.choice(lists[named[slot]])

    def full(self, draw: random.Random) -> str:
        """A name without anything beside it; one in eight is foreign."""
        if draw.random() < 0.125:
            return draw.choice(self._foreign)
        return draw.choice(self._surnames) + draw.choice(self._given)

    def _person(self, draw: random.Random) -> str:
        kind = draw.random()
        if kind < 0.3:
            return draw.choice(self._surnames) + draw.choice(("さん", "氏", "さん", "君"))
        if kind < _BARE:
            return draw.choice(self._surnames)
        return draw.choice(self._lists["roles"]) + self.full(draw) + draw.choice(self._lists["honorifics"])

    def _expert(self, draw: random.Random) -> str:
        pattern = draw.choice(self._lists["experts"])
        parts = {
            "{s}": self._surnames,
            "{g}": self._given,
            "{o}": self._lists["organisations"],
            "{c}": self._lists["places"],
        }
        for slot, values in parts.items():
            pattern = pattern.replace(slot, draw.choice(values))
        return pattern


@cache
def load_names(prefix: str) -> Names:
    """The lists of `data/names.json`; `test_` for those of the evaluation, which share no name with the others."""
    lists = json.loads((files("seed_engine.sensitive") / "data" / "names.json").read_text("utf-8"))
    return Names(lists, prefix)
