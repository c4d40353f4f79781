"""Seeds of one domain told in every other: what was done when and by whom stays, what it was about is exchanged.

A set of conversations covers few domains, and the seeds of invented people hang together less than anybody's do. So
the flows of real conversations are put in the words of each domain: the one who asks and the one who serves keep their
parts, the first topic becomes one of the domain's, and so on; markers of people get their kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.scene import side
from seed_engine.markers import parse_marker
from seed_engine.numbering import renumbered
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import DomainProfile, vocabulary

# Topics that every conversation can come to keep their place where the domain has them.
_SHARED = ("closing", "contact_details", "identity_check", "appointment")
# Slots that say nothing of a domain.
_PLAIN = frozenset({"amount", "quantity", "duration", "time_of_day", "weekday", "rating", "deadline", "document"})


def everywhere(seeds: Sequence[Seed]) -> Iterator[Seed]:
    """Yield every seed in every domain and language, those of a cell that were there before first.

    Args:
        seeds: valid ones, of any domains and languages.
    """
    known, number = vocabulary(), 0
    for name, profile in known.domains.items():
        for language in known.languages:
            own = [seed for seed in seeds if (seed.domain, seed.language) == (name, language)]
            others = [seed for seed in seeds if (seed.domain, seed.language) != (name, language)]
            # Another start for each cell, so that cells are not copies of each other.
            start = (7 * number) % max(len(others), 1)
            moved = (_moved(seed, profile, language, i) for i, seed in enumerate(others[start:] + others[:start]))
            for seed in (*own, *moved):
                number += 1
                yield seed.model_copy(update={"id": f"seed-{number:06d}"})


def _moved(seed: Seed, profile: DomainProfile, language: str, shift: int) -> Seed:
    source = vocabulary().domains[seed.domain]
    topics, roles = _topics(seed, profile, shift), _roles(source, profile)
    flow = tuple(
        FlowStep(
            role=roles[step.role],
            act=step.act,
            topic=topics[step.topic],
            slots=tuple(dict.fromkeys(slot for old in step.slots for slot in _slot(old, roles))),
        )
        for step in seed.flow
    )
    return seed.model_copy(
        update={
            "domain": profile.name,
            "language": language,
            "objective": profile.objectives[shift % len(profile.objectives)],
            "roles": tuple(dict.fromkeys(step.role for step in flow)),
            "flow": renumbered(flow),
        }
    )


def _topics(seed: Seed, profile: DomainProfile, shift: int) -> dict[str, str]:
    free = [topic for topic in profile.topics if topic not in _SHARED]
    found: dict[str, str] = {}
    for step in seed.flow:
        if step.topic not in found:
            kept = step.topic in _SHARED and step.topic in profile.topics
            found[step.topic] = step.topic if kept else free[(shift + len(found)) % len(free)]
    return found


def _roles(source: DomainProfile, target: DomainProfile) -> dict[str, str]:
    """The first role is who asks, the second who serves; others keep their side, and a part of their own if any."""
    found: dict[str, str] = {}
    for role in source.roles:
        free = [other for other in target.roles if side(other) == side(role) and other not in found.values()]
        found[role] = free[0] if free else target.roles[side(role) == "serves"]
    return found


def _slot(slot: str, roles: dict[str, str]) -> tuple[str, ...]:
    if not slot.startswith("["):
        return (slot,) if slot in _PLAIN else ()
    marker = parse_marker(slot)
    kind = roles.get(marker.kind.lower())
    # What a marker says beyond its kind may count from another one: it stays with the source.
    return (f"[{kind.upper() if kind else marker.kind}_{marker.number}]",)
