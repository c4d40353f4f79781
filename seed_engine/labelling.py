"""Labels by a language model that the user allows to see the text: it chooses among the vocabulary's, nothing else.

Guarantees:
    The model's words never enter a seed. A reply that is not, to the letter, one of the labels offered changes nothing,
    so a text that talks the model into something can at most make it choose another label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary

# What a turn does and is about stands at its beginning; the cost grows with the length.
_SHOWN = 600
_OPENING = 4


class Choose(Protocol):
    """Chooses a label for a text; whatever else it returns is thrown away."""

    def __call__(self, part: str, text: str, labels: tuple[str, ...], /) -> str:
        """Choose.

        Args:
            part: what is asked for: `objective`, `act` or `topic`.
            text: markers in place of what the detector found; the rest is the source's own words.
            labels: the choice.
        """
        ...


def labelled(seed: Seed, texts: Sequence[str], choose: Choose) -> Seed:
    """The seed with the objective, acts and topics that the model chooses, the rules' where it chooses none.

    Args:
        seed: as the rules made it.
        texts: one text a step of its flow.
        choose: the model.
    """
    profile = vocabulary().domain(seed.domain)
    opening = "\n".join(f"{step.role}: {text}" for step, text in zip(seed.flow[:_OPENING], texts, strict=False))
    objective = _chosen(choose, "objective", opening, profile.objectives, seed.objective)
    return seed.model_copy(update={"objective": objective, "flow": tuple(_steps(seed, texts, choose))})


def _steps(seed: Seed, texts: Sequence[str], choose: Choose) -> Iterator[FlowStep]:
    known = vocabulary()
    topics = known.domain(seed.domain).topics
    for step, text in zip(seed.flow, texts, strict=True):
        act = _chosen(choose, "act", text, known.dialogue_acts, step.act)
        yield step.model_copy(update={"act": act, "topic": _chosen(choose, "topic", text, topics, step.topic)})


def _chosen(choose: Choose, part: str, text: str, labels: tuple[str, ...], otherwise: str) -> str:
    said = choose(part, text[:_SHOWN], labels)
    return next((label for label in labels if label == said), otherwise)
