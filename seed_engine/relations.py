"""Relations between people: the closed list of names that markers may use, and the words of kinship that mean them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from seed_engine.fold import fold


@dataclass(frozen=True, slots=True)
class Relation:
    """What somebody is to somebody else.

    Attributes:
        name: as markers spell it, e.g. `spouse`.
        kin: whether the person counts as a relative (friends and neighbours do, a boss does not).
        side: `child`, `parent` or empty: in lessons and surgeries who is the one taught or treated.
        gender: `m`, `f` or empty, as the word tells it.
    """

    name: str
    kin: bool
    side: str
    gender: str


@cache
def relation_words() -> dict[str, Relation]:
    """Relations by folded word, `husband` and `marido` alike."""
    found: dict[str, Relation] = {}
    for name, raw in _data().items():
        for gender in ("m", "f", "n"):
            relation = Relation(name, bool(raw["kin"]), str(raw.get("side", "")), gender.replace("n", ""))
            words = raw.get(gender, ())
            assert isinstance(words, list | tuple)
            found |= {fold(word): relation for word in words}
    return found


@cache
def relation_names() -> tuple[str, ...]:
    """Every relation that a marker may name, in published order."""
    return tuple(_data())


@cache
def _data() -> dict[str, dict[str, object]]:
    raw: dict[str, dict[str, object]] = json.loads(
        (files("seed_engine") / "data" / "relations.json").read_text("utf-8")
    )
    return raw
