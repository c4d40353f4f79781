"""The decision: its guarantee by simulation, and attacks on the rule that no score helps to judge itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from attacks.config import AttackConfig
from attacks.decide import chance, decide, explained_by_chance
from attacks.verdict import conclude, result

Float64 = NDArray[np.float64]
CONFIG = AttackConfig()


def gaussian(
    seed: int, *, share: float, shift: float, members: int = 650, nonmembers: int = 1500
) -> tuple[dict[str, Float64], dict[str, Float64]]:
    """Five correlated scorers; one sees the whole shift, the others half of it."""
    rng = np.random.default_rng(seed)
    lift = np.zeros(members + nonmembers)
    lift[: round(share * members)] = shift
    rng.shuffle(lift[:members])
    common = rng.normal(size=len(lift))
    scores = {
        str(i): 0.8 * common + 0.6 * rng.normal(size=len(lift)) + lift * (1.0 if i == 3 else 0.5) for i in range(5)
    }
    return {k: v[:members] for k, v in scores.items()}, {k: v[members:] for k, v in scores.items()}


def verdict(seed: int, **world: float) -> str:
    inside, outside = gaussian(seed, **world)
    decision = decide(inside, outside, selection_share=0.1, seed=seed)
    doubt = explained_by_chance(decision.successes, decision.trials, decision.calibration, CONFIG, level=0.001)
    membership = result("membership", "membership", decision.successes, decision.trials, CONFIG, blind=doubt)
    return conclude([membership, result("extraction", "extraction", 0, 650, CONFIG)]).verdict


def test_honest_models_pass_as_often_as_stated() -> None:
    """Stated: pass 0.97, fail below 0.001; over 400 fixed seeds the bounds below then hold with p > 0.99."""
    verdicts = [verdict(seed, share=0.0, shift=0.0) for seed in range(400)]
    assert verdicts.count("fail") <= 2
    assert verdicts.count("pass") >= 374


@pytest.mark.parametrize(("share", "shift"), [(1.0, 4.0), (1.0, 3.0), (0.2, 5.0), (0.05, 8.0)])
def test_leaking_models_never_pass(share: float, shift: float) -> None:
    assert {verdict(seed, share=share, shift=shift) for seed in range(10)} == {"fail"}


def test_rate_at_the_threshold_passes_at_most_one_in_twenty() -> None:
    """7 of 650 members recognised with certainty is above 1%: every pass would be a false one."""
    assert [verdict(seed, share=0.0108, shift=40.0) for seed in range(200)].count("pass") == 0


def test_chance_equals_counting_arrangements() -> None:
    members, nonmembers = 3, 4
    arrangements = list(itertools.permutations(range(members + nonmembers)))
    for count in range(members + 1):
        hits = sum(all(order[i] < members for i in range(count)) for order in arrangements)
        assert chance(count, members, nonmembers) == pytest.approx(hits / len(arrangements))


@pytest.mark.parametrize("above", [0, 1, 2, 3])
def test_chance_with_outliers_equals_counting_arrangements(above: int) -> None:
    """Naive: everybody in every order, and how many members stand before the non-member that follows the outliers."""
    members, nonmembers = 3, 4
    before = []
    for places in itertools.combinations(range(members + nonmembers), nonmembers):
        stop = places[above] if above < nonmembers else members + nonmembers
        before.append(stop - sum(place < stop for place in places))
    for count in range(members + 1):
        hits = sum(found >= count for found in before)
        assert chance(count, members, nonmembers, above) == pytest.approx(hits / len(before))


@pytest.mark.parametrize(("members", "nonmembers"), [(30, 747), (300, 270), (650, 1350), (600, 100), (7, 7)])
def test_two_scorers_make_chance_no_likelier(members: int, nonmembers: int) -> None:
    """Each half judged by a scorer of its own, independent of the other: the sum of two counts, from three on."""
    half = members // 2
    one = [chance(k, half, nonmembers) for k in range(half + 2)]
    exactly = np.array(one[:-1]) - np.array(one[1:])
    together = np.convolve(exactly, exactly)
    for count in range(3, members):
        said = chance(count, members, nonmembers)
        assert said > 0.2 or together[count:].sum() <= said * 1.0001 + 1e-12


def test_each_member_is_a_trial_once() -> None:
    inside, outside = {"a": np.full(7, 2.0)}, {"a": np.linspace(0, 1, 30)}
    assert decide(inside, outside, selection_share=0.1, seed=0).successes == 7


def test_ties_with_the_highest_control_are_no_success() -> None:
    assert decide({"a": np.ones(50)}, {"a": np.ones(50)}, selection_share=0.1, seed=0).successes == 0


def test_a_scorer_that_fits_the_judged_members_is_not_chosen_for_them() -> None:
    """A scorer that is right about one half only must be chosen on it and then fail on the other."""
    seed, members = 3, 100
    first = np.random.default_rng(seed).permutation(members)[:50]
    cheat = np.full(members, -1.0)
    cheat[first] = 9.0
    rng = np.random.default_rng(0)
    found = decide(
        {"honest": rng.normal(size=members), "cheat": cheat},
        {"honest": rng.normal(size=400), "cheat": rng.normal(size=400)},
        selection_share=0.1,
        seed=seed,
    )
    assert found.strongest == ("cheat", "honest")
    assert found.successes < 5


def test_guessing_explains_failures_with_few_nonmembers() -> None:
    assert explained_by_chance(4, 300, 270, CONFIG, level=0.001)
    assert explained_by_chance(1, 30, 747, CONFIG, level=0.001)
    assert not explained_by_chance(40, 300, 270, CONFIG, level=0.001)
    assert not explained_by_chance(7, 650, 1350, CONFIG, level=0.001)
    assert not explained_by_chance(0, 300, 270, CONFIG, level=0.001)


@pytest.mark.parametrize(("members", "nonmembers"), [(20, 400), (30, 830), (60, 100), (330, 330)])
def test_a_model_that_learned_nothing_is_not_failed_however_few_the_trials(members: int, nonmembers: int) -> None:
    """1,000 fixed seeds at level 0.001: one failure expected at most; more than 5 has probability 0.0006."""
    verdicts = [verdict(seed, share=0.0, shift=0.0, members=members, nonmembers=nonmembers) for seed in range(1000)]
    assert verdicts.count("fail") <= 5
    assert members > 300 or "pass" not in verdicts
