"""Gates: known models get the right verdict, and a gate that cannot see never passes."""

from __future__ import annotations

import pytest

from attacks.canaries import CanarySet
from attacks.config import AttackConfig
from attacks.errors import UnknownAttackError
from attacks.gates import ATTACKS, run_gates
from tests.attacks.fakes import BrokenTarget, FakeTarget, StatisticsFake, canary_set

CONFIG = AttackConfig()


def texts(canaries: CanarySet, share: float) -> list[str]:
    return [c.prefix + c.secret for c in canaries.members[: round(share * len(canaries.members))]]


@pytest.mark.parametrize("seed", range(10))
def test_memorising_model_fails_and_is_never_passed(seed: int) -> None:
    canaries = canary_set(seed=seed)
    report = run_gates(FakeTarget(texts(canaries, 1.0), seed=seed), canaries, CONFIG)
    assert report.verdict == "fail"
    assert {a.name: a.verdict for a in report.attacks} == {"membership": "fail", "extraction": "fail"}


@pytest.mark.parametrize("seed", range(10))
def test_private_model_passes(seed: int) -> None:
    """Deterministic, since the seeds are fixed; any one seed is expected to pass with probability 0.97."""
    report = run_gates(FakeTarget(seed=seed), canary_set(seed=seed), CONFIG)
    assert report.verdict == "pass", [(a.name, a.successes, a.reason) for a in report.attacks]


@pytest.mark.parametrize("share", [0.03, 0.1])
def test_partial_memory_fails(share: float) -> None:
    canaries = canary_set()
    assert run_gates(FakeTarget(texts(canaries, share)), canaries, CONFIG).verdict == "fail"


def test_membership_sees_what_extraction_does_not() -> None:
    canaries = canary_set()
    report = run_gates(FakeTarget(texts(canaries, 1.0), completes=False), canaries, CONFIG)
    assert {a.name: a.verdict for a in report.attacks} == {"membership": "fail", "extraction": "pass"}
    assert report.verdict == "fail"


@pytest.mark.parametrize(
    "fault", ["raises", "nan", "infinite", "positive", "empty", "missing", "constant", "adapter off"]
)
def test_a_target_that_cannot_be_read_is_inconclusive(fault: str) -> None:
    canaries = canary_set()
    report = run_gates(BrokenTarget(fault), canaries, CONFIG)
    membership = report.attacks[0]
    assert report.verdict == membership.verdict == "inconclusive"
    assert membership.reason
    assert canaries.members[0].prefix not in report.model_dump_json()


def test_a_silent_model_is_inconclusive() -> None:
    report = run_gates(BrokenTarget("silent"), canary_set(), CONFIG)
    assert report.attacks[1].verdict == "inconclusive"


@pytest.mark.parametrize(("members", "nonmembers"), [(0, 0), (0, 1500), (650, 0), (10, 10), (250, 1500)])
def test_too_few_canaries_are_inconclusive(members: int, nonmembers: int) -> None:
    report = run_gates(FakeTarget(), canary_set(members, nonmembers), CONFIG)
    assert report.verdict == "inconclusive"
    assert all(0.0 <= a.rate <= 1.0 for a in report.attacks)


def test_no_interruption_is_swallowed() -> None:
    class Interrupted(FakeTarget):
        def complete(self, prefixes: object, max_new_tokens: int) -> list[str]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_gates(Interrupted(), canary_set(), CONFIG)


def test_records_are_an_attack_of_their_own() -> None:
    canaries, records = canary_set(), canary_set(seed=9)
    inside = [c.prefix + c.secret for c in records.members]
    outside = [c.prefix + c.secret for c in records.nonmembers]
    report = run_gates(FakeTarget(inside, completes=False), canaries, CONFIG, members=inside, nonmembers=outside)
    assert {a.name: (a.family, a.verdict) for a in report.attacks} == {
        "membership": ("membership", "pass"),
        "extraction": ("extraction", "pass"),
        "records": ("membership", "fail"),
        "records_extraction": ("extraction", "pass"),
    }
    assert "records loss" in report.plots.roc


def test_unknown_name_lists_the_known() -> None:
    with pytest.raises(UnknownAttackError, match="attribute, extraction, membership"):
        run_gates(FakeTarget(), canary_set(30, 30), AttackConfig(attacks=("guess",)))
    assert set(AttackConfig().attacks) < set(ATTACKS)


def test_statistics_add_a_scorer_without_a_pass() -> None:
    canaries = canary_set(300, 300)
    plain, rich = FakeTarget(), StatisticsFake()
    run_gates(plain, canaries, AttackConfig(attacks=("membership",)))
    report = run_gates(rich, canaries, AttackConfig(attacks=("membership",)))
    assert plain.scored == rich.scored == 2 * 600
    assert "min_k_plus_plus" in report.plots.roc


def test_progress_ends_at_the_total() -> None:
    seen: dict[str, list[tuple[int, int]]] = {}
    run_gates(FakeTarget(), canary_set(60, 60), CONFIG, progress=lambda n, a, b: seen.setdefault(n, []).append((a, b)))
    assert set(seen) == {"membership", "extraction"}
    assert all(done <= total for steps in seen.values() for done, total in steps)


def test_same_input_same_report() -> None:
    canaries = canary_set()
    assert run_gates(FakeTarget(), canaries, CONFIG) == run_gates(FakeTarget(), canaries, CONFIG)
