"""Source canaries: invented values that are said in a source conversation before it is seeded.

Unlike the values that a detector found, they are known whether it finds them or not. Their kinds are those that people
say of themselves; the words are made of syllables that no language and no template of the house has.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

_SYLLABLES = ("zor", "quim", "vel", "drax", "plon", "wix", "yub", "kref", "gost", "jund", "mabb", "thizz")

# By kind and language: what is said. The value stands in the place of {}.
_SAYINGS: tuple[dict[str, str], ...] = (
    {"en": "My name is {}.", "es": "Me llamo {}."},
    {"en": "The reference is {}.", "es": "La referencia es {}."},
    {"en": "Write to {}, please.", "es": "Escríbame a {}, por favor."},
    {"en": "You can call me at {}.", "es": "Puede llamarme al {}."},
    {"en": "We live in {} now.", "es": "Ahora vivimos en {}."},
    {"en": "Everyone at {} knows about it.", "es": "Todos en {} lo saben."},
)


@dataclass(frozen=True, slots=True, repr=False)
class SourceCanary:
    """One invented value and how somebody says it.

    Attributes:
        value: has at least eight letters or digits, and stands in no other canary.
        kind: number of its saying.
    """

    value: str
    kind: int

    def said(self, language: str | None) -> str:
        """The sentence; in English where the language has no wording of its own."""
        sayings = _SAYINGS[self.kind]
        return sayings.get(language or "en", sayings["en"]).format(self.value)

    def __repr__(self) -> str:
        return f"SourceCanary(<{len(self.value)}>)"


def make_source_canaries(count: int, seed: int) -> list[SourceCanary]:
    """Draw so many, all different, of every kind in turn."""
    rng = random.Random(f"source canaries {seed}")
    drawn: dict[str, SourceCanary] = {}
    while len(drawn) < count:
        kind = len(drawn) % len(_SAYINGS)
        value = _value(kind, rng)
        drawn[value] = SourceCanary(value, kind)
    return list(drawn.values())


def _value(kind: int, rng: random.Random) -> str:
    first, second = (_word(rng) for _ in range(2))
    digits = f"{rng.randrange(10**9):09d}"
    forms = (
        f"{first.capitalize()} {second.capitalize()}sson",
        f"{first[:2].upper()}-{digits[:6]}-{second[:3].upper()}",
        f"{first}.{second}@example.org",
        f"{digits[:3]} {digits[3:6]} {digits[6:]}",
        f"{rng.randrange(2, 99)} {first.capitalize()}{second} Lane",
        f"{first.capitalize()} {second} works",
    )
    return forms[kind]


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(3))
