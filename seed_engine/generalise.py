"""Rewrites a seed so that it tells no more than its class shares; what is left is a valid seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from seed_engine.markers import Marker, parse_marker
from seed_engine.numbering import renumbered
from seed_engine.quasi_identifiers import CLOSING, mention_sorts
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
    steps = tuple(
        FlowStep(role=roles[step.role], act=step.act, topic=topic, slots=tuple(_slots(step, shared)))
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
    changed += ["mentions"] * (sum(len(step.slots) for step in steps) < sum(len(step.slots) for step in seed.flow))
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


def _slots(step: FlowStep, shared: Shared) -> Iterator[str]:
    for slot in step.slots:
        allowed = [sort for sort in mention_sorts(slot) if shared.has("mention", sort)]
        told = mention_sorts(slot)
        if len(allowed) == len(told):
            yield slot
            continue
        marker = parse_marker(slot) if slot.startswith("[") else None
        # Without its note the marker tells its kind, if all tell that kind or the kind tells nothing.
        if marker is not None and marker.note and told[:-1] == tuple(allowed):
            yield str(Marker(marker.kind, marker.number, marker.relation))
