"""The blind baseline: silent on one distribution, loud on two."""

from __future__ import annotations

import numpy as np
import pytest

from attacks.blind import blind_baseline
from attacks.config import AttackConfig
from attacks.gates import run_gates
from tests.attacks.fakes import FakeTarget, canary_set

WORDS = ["parcel", "invoice", "delay", "refund", "router", "screen", "order", "account", "ticket", "coffee", "garden"]


def random_texts(count: int, seed: int, extra: str = "") -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, size=12)) + f" {rng.integers(10**6)} {extra}" for _ in range(count)]


def test_same_distribution_raises_no_alarm() -> None:
    """40 fixed seeds at level 0.01: 0.4 alarms expected; more than 4 has probability 0.0001 if the level is kept."""
    assert _alarms(range(40)) <= 4


@pytest.mark.slow
def test_same_distribution_raises_no_alarm_on_many_seeds() -> None:
    """160 fixed seeds at level 0.01: 1.6 alarms expected; more than 7 has probability 0.0003 if the level is kept."""
    assert _alarms(range(40, 200)) <= 7


def _alarms(seeds: range) -> int:
    alarms = 0
    for seed in seeds:
        texts = random_texts(300, seed)
        alarms += not blind_baseline(texts[:100], texts[100:], level=0.01, seed=seed).at_chance
    return alarms


def test_one_word_in_three_gives_the_sides_away() -> None:
    members = random_texts(200, 1) + random_texts(100, 2, "kindly")
    assert not blind_baseline(members, random_texts(600, 3), level=0.001, seed=0).at_chance


@pytest.mark.parametrize(("inside", "outside"), [(24, 12), (12, 24), (14, 12), (12, 14)])
def test_length_alone_gives_the_sides_away(inside: int, outside: int) -> None:
    """The same words, more or fewer of them: a loss summed over tokens, or one per compressed byte, would see it."""
    rng = np.random.default_rng(2)
    sides = [[" ".join(rng.choice(WORDS, size=size)) for _ in range(300)] for size in (inside, outside)]
    assert not blind_baseline(*sides, level=0.001, seed=0).at_chance


def test_a_shift_makes_membership_inconclusive_instead_of_fail() -> None:
    canaries = canary_set()
    shifted = type(canaries)(
        tuple(type(c)(c.prefix, c.secret + " please") for c in canaries.members), canaries.nonmembers
    )
    target = FakeTarget([c.prefix + c.secret for c in shifted.members], completes=False)
    membership = run_gates(target, shifted, AttackConfig()).attacks[0]
    assert membership.successes > 100
    assert (membership.verdict, "differ" in membership.reason) == ("inconclusive", True)
