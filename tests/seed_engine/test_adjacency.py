"""Adjacency: the shape of the public table, and what a sampler makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from seed_engine import release_sampler
from seed_engine.adjacency import adjacency, bearing, leaving, staying
from seed_engine.discrete_noise import Noise
from seed_engine.release import mechanism_for, release_private
from seed_engine.seed_population import population
from seed_engine.vocabulary import vocabulary

ACTS = vocabulary().dialogue_acts


def seeded_noise() -> Noise:
    """The real noise is the operating system's, and strays by a tenth."""
    drawn = np.random.default_rng(5)

    def noise(values: NDArray[np.int64], scale: int) -> NDArray[np.int64]:
        return values + np.rint(drawn.normal(0, scale, values.shape)).astype(np.int64)

    return noise


@pytest.mark.parametrize(
    ("before", "likelier", "rarer"),
    [
        ("offer", "acceptOffer", "acceptRequest"),
        ("setQuestion", "answer", "confirm"),
        ("checkQuestion", "confirm", "acceptSuggest"),
        ("returnGoodbye", "returnGoodbye", "offer"),
        ("inform", "suggest", "initialGreeting"),
        ("", "initialGreeting", "answer"),
        ("", "request", "promise"),
        ("setQuestion", "inform", "autoPositive"),
    ],
)
def test_what_responds_is_likelier_than_what_hangs(before: str, likelier: str, rarer: str) -> None:
    row = adjacency()[ACTS.index(before) if before else -1]
    assert row[ACTS.index(likelier)] > row[ACTS.index(rarer)]


def test_a_goodbye_in_the_middle_draws_no_string_of_goodbyes_after_it() -> None:
    row = (adjacency() * leaving())[ACTS.index("initialGoodbye")]
    assert row[ACTS.index("inform")] > 10 * row[ACTS.index("returnGoodbye")]
    assert row[ACTS.index("inform")] > 10 * row[ACTS.index("initialGreeting")]


def test_nothing_is_ruled_out() -> None:
    # A weight of nothing could leave a step without any act.
    for table in (adjacency(), staying(), leaving()):
        assert table.shape == (len(ACTS) + 1, len(ACTS))
        assert (table > 0).all()
    assert bearing().shape == (len(ACTS),)
    assert (bearing() > 0).all()


def test_private_seeds_keep_to_the_matter_where_somebody_responds(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer about another topic than its question's, and a number in a thank-you, get rarer than without."""
    people = [(str(n), seed) for n, (_, seed) in enumerate(population(300, np.random.default_rng(3), ("support",)))]

    def shares() -> tuple[float, float]:
        seeds = list(
            release_private(people, mechanism_for(3.0, 1e-5), noise=seeded_noise(), rng=np.random.default_rng(4))
        )
        pairs = [(a, b) for seed in seeds for a, b in zip(seed.flow, seed.flow[1:], strict=False) if a.role != b.role]
        kept = [a.topic == b.topic for a, b in pairs if staying()[ACTS.index(a.act), ACTS.index(b.act)] > 1]
        little = [len(step.slots) for seed in seeds for step in seed.flow if bearing()[ACTS.index(step.act)] < 1]
        return sum(kept) / len(kept), sum(little) / len(little)

    kept, little = shares()
    monkeypatch.setattr(release_sampler, "staying", lambda: np.ones_like(staying()))
    monkeypatch.setattr(release_sampler, "bearing", lambda: np.ones_like(bearing()))
    kept_without, little_without = shares()
    assert kept > 0.8, kept
    assert kept > kept_without + 0.1, (kept, kept_without)
    assert little < little_without / 2, (little, little_without)


def test_private_seeds_respond_to_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [(str(n), seed) for n, (_, seed) in enumerate(population(300, np.random.default_rng(3), ("support",)))]

    def responding() -> float:
        seeds = release_private(people, mechanism_for(3.0, 1e-5), noise=seeded_noise(), rng=np.random.default_rng(4))
        pairs = [(a, b) for seed in seeds for a, b in zip(seed.flow, seed.flow[1:], strict=False) if a.role != b.role]
        fits = [adjacency()[ACTS.index(a.act), ACTS.index(b.act)] for a, b in pairs]
        return sum(fit > 1 for fit in fits) / max(sum(fit != 1 for fit in fits), 1)

    with_prior = responding()
    monkeypatch.setattr(release_sampler, "adjacency", lambda: np.ones_like(adjacency()))
    without = responding()
    assert with_prior > 0.6, with_prior
    assert with_prior > without + 0.2, (with_prior, without)


def test_noise_invents_neither_who_asks_in_another_domain_nor_who_talks_alone() -> None:
    people = list(population(300, np.random.default_rng(3), ("tutoring",)))
    seeds = list(release_private(people, mechanism_for(3.0, 1e-5), noise=seeded_noise(), rng=np.random.default_rng(4)))
    kinds = {slot.strip("[]").split("_")[0] for seed in seeds for step in seed.flow for slot in step.slots}
    assert not kinds & {"CLIENT", "PATIENT", "CUSTOMER", "USER"}, kinds
    assert "STUDENT" in kinds
    assert all(len(seed.roles) > 1 for seed in seeds if len(seed.flow) > 1)
