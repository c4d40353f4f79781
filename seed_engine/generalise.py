"""Rewrites a seed so that it tells no more than its class shares; what is left is a valid seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from seed_engine.markers import Marker, parse_marker
from seed_engine.numbering import renumbered
from seed_engine.quasi_identifiers import CLOSING, mention_sorts, things, twice
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import DomainProfile, vocabulary


@dataclass(frozen=True, slots=True)
class Shared:
    """What all seeds of a class have in common.

    Attributes:
        values: by part (`objective`, `tone`, `roles`, `topic`, `mention`, names of facts), values that all have.
        topic: the topic that most of them have, which stands for every other one when none is shared; empty when none
            of them has one.
    """

    values: dict[str, frozenset[str]]
    topic: str

    def has(self, part: str, value: str) -> bool:
        """Whether all seeds of the class have this value."""
        return value in self.values.get(part, ())


def generalise(seed: Seed, shared: Shared) -> tuple[Seed, tuple[str, ...]]:
    """The seed as its class allows, and the parts that were changed.

    Args:
        seed: a valid seed of the class.
        shared: what the class has in common.
    """
    profile = vocabulary().domain(seed.domain)
    roles = _roles(seed, profile, shared)
    topics = _topics(seed, profile, shared)
    written = _written(seed, shared)
    steps = tuple(
        FlowStep(role=roles[step.role], act=step.act, topic=topic, slots=tuple(_slots(step, shared, written)))
        for step, topic in zip(seed.flow, topics, strict=True)
    )
    changes = {
        "objective": seed.objective if shared.has("objective", seed.objective) else profile.objectives[-1],
        "tone": seed.tone if shared.has("tone", seed.tone) else vocabulary().tones[0],
        "roles": tuple(dict.fromkeys(roles[role] for role in seed.roles)),
        "facts": {name: band for name, band in seed.facts.items() if shared.has(name, band)},
        "flow": renumbered(steps),
    }
    changed = [name for name in ("objective", "tone", "roles", "facts") if changes[name] != getattr(seed, name)]
    changed += ["topics"] * (topics != [step.topic for step in seed.flow])
    changed += ["mentions"] * ([step.slots for step in steps] != [step.slots for step in seed.flow])
    return seed.model_copy(update=changes), tuple(changed)


def _roles(seed: Seed, profile: DomainProfile, shared: Shared) -> dict[str, str]:
    """New role by old one: as it is, or the domain's asking side for whoever asks, its answering side for the rest."""
    if shared.values.get("roles"):
        return {role: role for role in seed.roles}
    asking = profile.roles[0] if profile.roles[0] in seed.roles else seed.roles[0]
    return {role: profile.roles[0] if role == asking else profile.roles[1] for role in seed.roles}


def _topics(seed: Seed, profile: DomainProfile, shared: Shared) -> list[str]:
    """A topic that is not shared gives way to the shared one before it, else to the one after; leave is still taken."""
    old = [step.topic for step in seed.flow]
    last = next((topic for topic in old if shared.has("topic", topic)), shared.topic or profile.topics[0])
    new = []
    for topic in old:
        last = topic if shared.has("topic", topic) else last
        new.append(CLOSING if topic == CLOSING else last)
    # A talk that takes leave all along would be the one of its class without a topic.
    return new if set(new) != {CLOSING} else [last, *new[1:]]


def _written(seed: Seed, shared: Shared) -> dict[Marker, str]:
    """How each marked thing is written that may be: with its note, or without; of a sort no more than all have."""
    left = Counter[str]()
    for marker in things(seed):
        for sort in mention_sorts(str(marker)):
            left[sort] = shared.has("mention", sort) + shared.has("mention", twice(sort))
    written = {}
    # Notes go first: who keeps one depends on no order of mention, which differs within a class.
    for marker in things(seed):
        sorts = mention_sorts(str(marker))
        if marker.note and left[sorts[-1]] > 0:
            left.subtract(sorts)
            written[marker] = str(marker)
    for marker in things(seed):
        bare = str(Marker(marker.kind, marker.number, marker.relation))
        if marker not in written and all(left[sort] > 0 for sort in mention_sorts(bare)):
            left.subtract(mention_sorts(bare))
            written[marker] = bare
    return written


def _slots(step: FlowStep, shared: Shared, written: dict[Marker, str]) -> Iterator[str]:
    for slot in step.slots:
        if not slot.startswith("["):
            if all(shared.has("mention", sort) for sort in mention_sorts(slot)):
                yield slot
        elif (told := written.get(parse_marker(slot))) is not None:
            yield told
