"""The scene of one conversation: what is known of it beforehand, and what has been said so far."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from generator.catalogue import Catalogue
from generator.manner import PLAIN, Manner
from generator.memory import Memory
from seed_engine.seed import Seed

QUESTIONS = frozenset({"setQuestion", "propositionalQuestion", "choiceQuestion", "checkQuestion", "request"})
ANSWERS = frozenset({"answer", "confirm", "disconfirm", "inform", "acceptRequest"})
TELLING = frozenset({"inform", "answer", "promise", "offer", "suggest", "instruct"})
GREETINGS = frozenset({"initialGreeting", "returnGreeting"})
GOODBYES = frozenset({"initialGoodbye", "returnGoodbye"})
SHORT = GREETINGS | GOODBYES | {"thanking", "acceptThanking"}
_ASKING = frozenset({"customer", "patient", "relative", "student", "parent", "client", "user"})

Choose = Callable[[tuple[str, ...], tuple[str, ...]], int]


@dataclass(slots=True)
class Scene:
    """What has been said so far.

    Attributes:
        seed: what is followed.
        known: the templates.
        by_topic: value of every place, drawn once, by topic.
        rng: source of every choice.
        choose: chooses among wordings that fit equally well.
        manner: how it is said.
        said: the turns so far.
        pending: by role, what it was asked for and has not answered.
        used: how often each template was used.
        given: slots, kinds and sentences that were told already.
        named: markers that stand in a turn already.
        values: value of every place where the conversation is now.
        opened: topics and who has said something about them.
        memory: what each role has said, by content.
    """

    seed: Seed
    known: Catalogue
    by_topic: dict[str, dict[str, str]]
    rng: random.Random
    choose: Choose
    manner: Manner = PLAIN
    said: list[str] = field(default_factory=list)
    pending: dict[str, frozenset[str]] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)
    given: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    opened: set[tuple[str, str]] = field(default_factory=set)
    values: dict[str, str] = field(default_factory=dict)
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing said."""
        self.memory = Memory(self.seed.domain, self.seed.language)

    @property
    def ending(self) -> bool:
        """Whether what comes after this turn is thanks and leave-taking alone."""
        return all(step.act in SHORT for step in self.seed.flow[len(self.said) + 1 :])

    def turn_to(self, topic: str) -> None:
        """Let the places have the values of a topic, and the topic one of its names."""
        values = self.by_topic[topic]
        self.values = values | {"topic": self.rng.choice(self.known.topics[topic]).format_map(values)}


def side(role: str) -> str:
    """Whether a role comes with the matter (`asks`) or looks after it (`serves`)."""
    return "asks" if role in _ASKING else "serves"
