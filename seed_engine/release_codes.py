"""Seeds as arrays of label numbers and back: what the release's statistics are counted on, and its sampler writes.

The numbers follow the vocabulary's published order. Markers are counted by kind: which of two dates a turn names is not
modelled, and what a marker says beyond its kind (a relation, a distance) is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from seed_engine.markers import parse_marker
from seed_engine.schema import violations
from seed_engine.seed import Seed
from seed_engine.vocabulary import band, vocabulary

Ints = NDArray[np.int64]

# Longest flow that is modelled, in steps; `extract` writes none that is longer. Length 0 stands for "more than that".
STEPS = 80
# The last steps of a flow, in which leave is taken, have act transitions of their own.
CLOSING = 2
BATCH = 2048


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many labels there are of each sort; of sorts that differ by domain, in the largest domain."""

    domains: int
    languages: int
    objectives: int
    tones: int
    ages: int
    roles: int
    acts: int
    topics: int
    slots: int
    bands: int


@dataclass(frozen=True, slots=True)
class Codes:
    """A batch of seeds, one a row.

    Attributes:
        domain, language, objective, tone, opener, age: label numbers, shape (n,); the last age means "not told".
        cast: bit mask of the roles that take part, shape (n,).
        length: steps, or 0 when the turn range says more than the flow holds, shape (n,).
        steps: length of the flow, 1 to `STEPS`, shape (n,).
        role, act, topic: label numbers, shape (n, STEPS); -1 after the end.
        slots: row, step and slot number of each mention.
    """

    domain: Ints
    language: Ints
    objective: Ints
    tone: Ints
    opener: Ints
    age: Ints
    cast: Ints
    length: Ints
    steps: Ints
    role: Ints
    act: Ints
    topic: Ints
    slots: tuple[Ints, Ints, Ints]


@cache
def sizes() -> Sizes:
    """Counts of the published vocabulary."""
    known = vocabulary()
    profiles = known.domains.values()
    return Sizes(
        domains=len(known.domains),
        languages=len(known.languages),
        objectives=max(len(profile.objectives) for profile in profiles),
        tones=len(known.tones),
        ages=len(known.age_bands) + 1,
        roles=max(len(profile.roles) for profile in profiles),
        acts=len(known.dialogue_acts),
        topics=max(len(profile.topics) for profile in profiles),
        slots=len(slot_names()),
        bands=len(known.turn_bands),
    )


@cache
def slot_names() -> tuple[str, ...]:
    """Slot labels, then marker kinds; no kind is spelt like a label."""
    known = vocabulary()
    return (*known.slots, *known.marker_kinds)


def encode(seeds: Iterable[Seed]) -> Iterator[Codes]:
    """Yield seeds in batches of `BATCH`; a seed that breaks the schema is left out."""
    valid = (seed for seed in seeds if not violations(seed))
    while batch := list(islice(valid, BATCH)):
        yield _encoded(batch)


def length_code(flow_steps: int, turn_range: str) -> int:
    """Steps of a flow, or 0 when its turn range begins beyond `STEPS`."""
    return 0 if int(turn_range.rstrip("+").partition("-")[0]) > STEPS else min(flow_steps, STEPS)


def turn_band(length: int) -> str:
    """The vocabulary's band of a length code."""
    bands = vocabulary().turn_bands
    return band(length, bands) if length else bands[-1]


@cache
def band_numbers() -> Ints:
    """The number of the turn band of each length code, shape (STEPS + 1,)."""
    bands = vocabulary().turn_bands
    return np.array([bands.index(turn_band(length)) for length in range(STEPS + 1)], np.int64)


def _encoded(seeds: list[Seed]) -> Codes:
    n, known = len(seeds), vocabulary()
    number = {sort: _numbers(labels) for sort, labels in _whole_labels().items()}
    columns = {name: np.zeros(n, np.int64) for name in (*number, "objective", "opener", "age", "cast", "length")}
    flows = {name: np.full((n, STEPS), -1, np.int64) for name in ("role", "act", "topic")}
    mentions: list[tuple[int, int, int]] = []
    acts, slots, ages = _numbers(known.dialogue_acts), _numbers(slot_names()), _numbers(known.age_bands)
    for i, seed in enumerate(seeds):
        profile, flow = known.domains[seed.domain], seed.flow[:STEPS]
        for sort, numbers in number.items():
            columns[sort][i] = numbers[getattr(seed, sort)]
        columns["objective"][i] = profile.objectives.index(seed.objective)
        columns["age"][i] = ages.get(seed.facts.get("age_band", ""), len(ages))
        columns["length"][i] = length_code(len(flow), seed.turn_range)
        roles, topics = _numbers(profile.roles), _numbers(profile.topics)
        columns["opener"][i] = roles[flow[0].role]
        columns["cast"][i] = sum(1 << role for role in {roles[step.role] for step in flow})
        for j, step in enumerate(flow):
            flows["role"][i, j], flows["act"][i, j] = roles[step.role], acts[step.act]
            flows["topic"][i, j] = topics[step.topic]
            mentions += [(i, j, slots[name]) for name in dict.fromkeys(map(_slot_name, step.slots))]
    where = np.array(mentions, np.int64).reshape(-1, 3)
    steps = (flows["role"] >= 0).sum(1).astype(np.int64)
    return Codes(**columns, **flows, steps=steps, slots=(where[:, 0], where[:, 1], where[:, 2]))


def _whole_labels() -> dict[str, tuple[str, ...]]:
    known = vocabulary()
    return {"domain": tuple(known.domains), "language": known.languages, "tone": known.tones}


def _numbers(labels: tuple[str, ...]) -> dict[str, int]:
    return {label: i for i, label in enumerate(labels)}


def _slot_name(slot: str) -> str:
    return parse_marker(slot).role if slot.startswith("[") else slot
