"""Invented source seeds for measuring releases: people with plans, so that flows hang together in ways no table holds.

Each person has a domain, an objective that decides which topics come in which order, a tone that decides how often
they object or thank, and a pace that decides how long they stay with a topic. Written from scratch; nobody's data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from seed_engine.markers import Marker
from seed_engine.quasi_identifiers import CLOSING
from seed_engine.release_codes import STEPS, turn_band
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import DomainProfile, vocabulary

# What the asking side says, and how it may be answered; drawn from the front more often than from the back.
_EXCHANGES = (
    ("setQuestion", ("answer", "inform")),
    ("inform", ("setQuestion", "propositionalQuestion", "autoPositive")),
    ("request", ("acceptRequest", "promise", "declineRequest")),
    ("propositionalQuestion", ("confirm", "disconfirm")),
    ("checkQuestion", ("confirm", "correction")),
    ("answer", ("suggest", "instruct", "checkQuestion")),
    ("acceptSuggest", ("inform", "offer")),
    ("disagreement", ("apology", "agreement")),
)


def population(
    count: int, rng: np.random.Generator, domains: tuple[str, ...] | None = None
) -> Iterator[tuple[str, Seed]]:
    """Yield subjects and their seeds, one each.

    Args:
        count: subjects, >= 0.
        rng: the same state gives the same people.
        domains: drawn from unevenly, the first most often; None for all of the vocabulary.
    """
    known = vocabulary()
    profiles = [known.domain(name) for name in (domains or tuple(known.domains))]
    for number in range(1, count + 1):
        profile = profiles[_early(len(profiles), rng)]
        yield f"subject-{number}", _seed(profile, number, rng)


def _seed(profile: DomainProfile, number: int, rng: np.random.Generator) -> Seed:
    known = vocabulary()
    goal, tone = _early(len(profile.objectives), rng), _early(len(known.tones), rng)
    topics = [topic for topic in profile.topics if topic != CLOSING]
    # Three topics in an order of the objective's own; some people leave one out.
    plan = [topics[(3 * goal + 2 * i) % len(topics)] for i in range(3) if i == 0 or rng.random() < 0.8]
    steps = int(np.clip(2 + rng.poisson(4 + 2 * goal) + rng.geometric(0.2), 2, STEPS))
    roles = list(profile.roles[:2]) if rng.random() < 0.7 else [profile.roles[1], profile.roles[0]]
    if len(profile.roles) > 2 and rng.random() < 0.1 and steps > 6:
        roles.append(profile.roles[2])
    flow = tuple(_flow(profile, plan, tone, roles, steps, rng))
    age = int(rng.integers(len(known.age_bands)))
    return Seed(
        id=f"seed-{number:06d}",
        vocabulary_version=known.version,
        domain=profile.name,
        language=known.languages[int(rng.random() < 0.3)],
        roles=tuple(dict.fromkeys(step.role for step in flow)),
        objective=profile.objectives[goal],
        tone=known.tones[tone],
        flow=flow,
        turn_range=turn_band(steps),
        facts={"age_band": known.age_bands[age]} if rng.random() < 0.3 else {},
    )


def _flow(
    profile: DomainProfile, plan: list[str], tone: int, roles: list[str], steps: int, rng: np.random.Generator
) -> Iterator[FlowStep]:
    closes = steps - 2 if CLOSING in profile.topics and steps > 4 else steps
    replies: tuple[str, ...] = ()
    counts: Counter[str] = Counter()
    for i in range(steps):
        topic = CLOSING if i >= closes else plan[min(i * len(plan) // max(closes, 1), len(plan) - 1)]
        if i == 0:
            act = "initialGreeting" if rng.random() < 0.6 else "inform"
        elif i >= closes:
            act = ("thanking", "initialGoodbye", "returnGoodbye")[min(i - closes + int(rng.random() < 0.4), 2)]
        elif replies:
            act, replies = replies[_early(len(replies), rng)], ()
        else:
            act, replies = _EXCHANGES[(_early(len(_EXCHANGES), rng) + tone) % len(_EXCHANGES)]
        role = roles[2] if len(roles) > 2 and i % 5 == 4 else roles[i % 2]
        yield FlowStep(role=role, act=act, topic=topic, slots=tuple(_slots(topic, profile, i, counts, rng)))


def _slots(
    topic: str, profile: DomainProfile, step: int, counts: Counter[str], rng: np.random.Generator
) -> Iterator[str]:
    """A slot of the topic's own, and now and then a person or a date."""
    known = vocabulary()
    own = (7 * profile.topics.index(topic) + len(profile.name)) % len(known.slots)
    if rng.random() < 0.5:
        yield known.slots[own]
    for kind, chance in ((profile.roles[0].upper(), 0.5 if step < 3 else 0.1), ("DATE", 0.15), ("PHONE", 0.04)):
        if kind in known.marker_kinds and rng.random() < chance:
            counts[kind] = max(counts[kind], 1) if kind != "DATE" else counts[kind] + 1
            yield str(Marker(kind, counts[kind]))


def _early(count: int, rng: np.random.Generator) -> int:
    """A number below `count`, each a third rarer than the one before."""
    weights = 0.67 ** np.arange(count)
    return int(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum()))
