"""What became of one seed: a conversation, or why there is none, and how it came about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from generator.manner import PLAIN, Manner
from seed_engine.conversation import Conversation

# What is counted of the house's own work: a draw that is like another says nothing of a provider.
OWN_LABELS = frozenset({"template", "near_duplicate", "low_quality"})


@dataclass(frozen=True, slots=True)
class Generation:
    """What became of one seed.

    Attributes:
        seed_id: the seed.
        conversation: the synthetic conversation, or None when it was dropped.
        attempts: requests for the conversation as a whole, >= 1.
        dropped: label of the last fault when dropped.
        faults: how often each fault was met, by label; also with a conversation in the end.
        turns: how the turns came about, by label: `template`, `chosen`, `rewritten`, `model`, or why the
            best draft was kept (a provider's failure, or what spoke against a rewrite).
        manner: how it is held, as drawn from `config.diversity`.
    """

    seed_id: str
    conversation: Conversation | None
    attempts: int
    dropped: str | None = None
    faults: dict[str, int] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)
    manner: Manner = PLAIN

    @property
    def failures(self) -> Counter[str]:
        """How often the provider gave no reply, by label."""
        met = (Counter(self.faults) + Counter(self.turns)).items()
        return Counter({label: count for label, count in met if is_silence(label)})

    @property
    def answered(self) -> bool:
        """Whether the provider replied at all, usable or not."""
        return bool((set(self.faults) | set(self.turns)) - OWN_LABELS - set(self.failures))

    @property
    def silenced(self) -> bool:
        """Whether it is not what it would be had the provider replied: dropped for that, or a draft stands in."""
        return is_silence(self.dropped or "") or any(map(is_silence, self.turns))


def is_silence(label: str) -> bool:
    """Whether a label says that a provider gave no reply, as against a bad one."""
    return label.startswith("provider_")
