"""How far released seeds are from source seeds: total variation of what seeds are used for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import pairwise

from seed_engine.markers import parse_marker
from seed_engine.seed import Seed

Feature = Callable[[Seed], Iterable[Hashable]]


def distributions(seeds: Iterable[Seed]) -> dict[str, Counter[Hashable]]:
    """Counts by feature (`FEATURES`); every step, pair or mention counts once, every whole seed once."""
    counts: dict[str, Counter[Hashable]] = {name: Counter() for name in FEATURES}
    for seed in seeds:
        for name, feature in FEATURES.items():
            counts[name].update(feature(seed))
    return counts


def total_variation(first: Mapping[Hashable, int], second: Mapping[Hashable, int]) -> float:
    """Half the L1 distance of two distributions given as counts, in [0, 1]; 1 when exactly one of them is empty.

    >>> total_variation({"a": 2, "b": 2}, {"a": 1})
    0.5
    """
    one, other = sum(first.values()), sum(second.values())
    if not one or not other:
        return float(one != other)
    keys = {*first, *second}
    return sum(abs(first.get(key, 0) / one - second.get(key, 0) / other) for key in keys) / 2


def _slots(seed: Seed) -> Iterator[Hashable]:
    for step in seed.flow:
        for slot in step.slots:
            yield parse_marker(slot).role if slot.startswith("[") else slot


# Topics of different domains are different labels even where they are spelt alike.
FEATURES: dict[str, Feature] = {
    "lengths": lambda seed: (len(seed.flow),),
    "acts": lambda seed: (step.act for step in seed.flow),
    "topics": lambda seed: ((seed.domain, step.topic) for step in seed.flow),
    "turn_ranges": lambda seed: (seed.turn_range,),
    "objectives": lambda seed: ((seed.domain, seed.objective),),
    "tones": lambda seed: (seed.tone,),
    "roles": lambda seed: ((seed.domain, seed.roles),),
    "slots": _slots,
    "age_bands": lambda seed: (seed.facts.get("age_band", ""),),
    "act_pairs": lambda seed: ((one.act, other.act) for one, other in pairwise(seed.flow)),
    "topic_pairs": lambda seed: ((seed.domain, one.topic, other.topic) for one, other in pairwise(seed.flow)),
    "topic_acts": lambda seed: ((seed.domain, step.topic, step.act) for step in seed.flow),
    "objective_topics": lambda seed: ((seed.domain, seed.objective, step.topic) for step in seed.flow),
}
