"""Manner: how a conversation is held, drawn on purpose from distributions that the settings declare.

Five things that a seed leaves open: who asks (persona), in which register, at what length, how it ends, and how hard
it is. Each is drawn on its own, from weights; the draw depends on the run's seed, the conversation's and the variant
alone. A seed whose tone is formal has said its register.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from seed_engine.conversation import Boundary

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Persona = Literal["plain", "hurried", "talkative", "doubtful", "cheerful"]
Register = Literal["neutral", "formal", "casual"]
Length = Literal["short", "medium", "long"]
Outcome = Literal["resolved", "follow_up", "unresolved"]
Difficulty = Literal["easy", "medium", "hard"]


class Diversity(Boundary):
    """Weights of each manner, >= 0, not all zero; what is left out is never drawn."""

    # A field named `register` would hide a method of every class.
    model_config = ConfigDict(populate_by_name=True)

    persona: dict[Persona, Weight] = Field(
        default={"plain": 0.3, "hurried": 0.15, "talkative": 0.2, "doubtful": 0.15, "cheerful": 0.2},
        description="Who asks; shows in a sentence or two.",
    )
    register_: dict[Register, Weight] = Field(
        default={"neutral": 0.5, "formal": 0.25, "casual": 0.25},
        alias="register",
        description="Formal spells contractions out; casual is the asking side's alone, nobody serves so.",
    )
    length: dict[Length, Weight] = Field(
        default={"short": 0.3, "medium": 0.45, "long": 0.25},
        description="Words a turn, since the number of turns is the seed's.",
    )
    outcome: dict[Outcome, Weight] = Field(
        default={"resolved": 0.6, "follow_up": 0.25, "unresolved": 0.15},
        description="How it ends, said before the goodbye; most matters are settled, not all.",
    )
    difficulty: dict[Difficulty, Weight] = Field(
        default={"easy": 0.5, "medium": 0.3, "hard": 0.2},
        description="How often the asking side does not follow, or comes with more.",
    )

    @model_validator(mode="after")
    def _something_to_draw(self) -> Diversity:
        if not all(sum(weights.values()) > 0 for weights in self.weights.values()):
            raise ValueError("the weights of a manner are all zero")
        return self

    @property
    def weights(self) -> dict[str, dict[str, float]]:
        """Weights by manner and label."""
        tables: tuple[Mapping[Any, float], ...] = (
            self.persona,
            self.register_,
            self.length,
            self.outcome,
            self.difficulty,
        )
        return {name: dict(table) for name, table in zip(_NAMES, tables, strict=True)}


@dataclass(frozen=True, slots=True)
class Manner:
    """How one conversation is held; labels of `Diversity`, the outcome empty where none is said."""

    persona: str = "plain"
    register: str = "neutral"
    length: str = "medium"
    outcome: str = ""
    difficulty: str = "easy"

    @property
    def labels(self) -> tuple[str, ...]:
        """`persona_hurried`, `register_formal`, ..., to count by."""
        return tuple(f"{name}_{label}" for name, label in asdict(self).items() if label)


_NAMES = ("persona", "register", "length", "outcome", "difficulty")
PLAIN = Manner()


def draw_manner(diversity: Diversity, tone: str, rng: random.Random) -> Manner:
    """A manner for a conversation of a seed with that tone."""
    drawn = {
        name: rng.choices(list(table), weights=list(table.values()))[0] for name, table in diversity.weights.items()
    }
    return Manner(**drawn | ({"register": "formal"} if tone == "formal" else {}))
