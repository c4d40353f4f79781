"""The measures of a release, and the invented people that it is measured on."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.schema import violations
from seed_engine.seed_distances import FEATURES, distributions, total_variation
from seed_engine.seed_population import population
from seed_engine.vocabulary import vocabulary

counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 50))


@given(counts, counts)
def test_total_variation_is_the_largest_difference_of_any_event(one: dict[str, int], other: dict[str, int]) -> None:
    found = total_variation(one, other)
    assert 0 <= found <= 1 + 1e-9
    assert abs(found - total_variation(other, one)) < 1e-9
    if one and other:
        p = {key: value / sum(one.values()) for key, value in one.items()}
        q = {key: value / sum(other.values()) for key, value in other.items()}
        event = {key for key in p if p[key] > q.get(key, 0)}
        largest = sum(p[key] for key in event) - sum(q.get(key, 0) for key in event)
        assert abs(found - largest) < 1e-9


def test_a_set_without_its_acts_is_far_from_itself() -> None:
    seeds = [seed for _, seed in population(200, np.random.default_rng(0))]
    flat = [
        seed.model_copy(update={"flow": tuple(step.model_copy(update={"act": "inform"}) for step in seed.flow)})
        for seed in seeds
    ]
    whole, other = distributions(seeds), distributions(flat)
    distances = {name: total_variation(whole[name], other[name]) for name in FEATURES}
    assert distances["acts"] > 0.4
    assert {name for name, distance in distances.items() if distance > 0} == {"acts", "act_pairs", "topic_acts"}


def test_invented_people_are_valid_cover_every_domain_and_follow_the_generator() -> None:
    first, second = (list(population(300, np.random.default_rng(5))) for _ in range(2))
    assert first == second
    assert not [fault for _, seed in first for fault in violations(seed)]
    assert {seed.domain for _, seed in first} == set(vocabulary().domains)
    assert set(Counter(unit for unit, _ in first).values()) == {1}
