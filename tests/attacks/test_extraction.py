"""Extraction: what counts as extracted, what is left out, and exposure."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attacks.canaries import CanarySet
from attacks.config import AttackConfig
from attacks.exposure import measure_exposure
from attacks.extraction import attack_extraction
from attacks.guard import GuardedTarget
from attacks.near_copy import distance_within, letters
from attacks.verdict import AttackResult
from tests.attacks.fakes import FakeTarget, Float64, canary_set

CONFIG = AttackConfig()


class Completing(FakeTarget):
    """Completes each prefix as the table says."""

    def __init__(self, table: dict[str, str], *, base_knows: bool = False) -> None:
        super().__init__()
        self.table, self.base_knows = table, base_knows

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        self.completed += len(prefixes)
        return [self.table.get(p, " I am sorry.") for p in prefixes]

    def token_log_probabilities(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> list[Float64]:
        if reference and self.base_knows:
            return [np.full(9, math.log(0.6)) for _ in prefixes]
        return super().token_log_probabilities(prefixes, continuations, reference=reference)


def attack(target: FakeTarget, canaries: CanarySet) -> AttackResult:
    return attack_extraction(GuardedTarget(target, name="extraction", chunk=64, progress=None), canaries, CONFIG)[0]


@pytest.mark.parametrize(
    ("completion", "counts"),
    [
        ("{0}", True),
        (" It is {0}, I think.", True),
        ("{spaced}", True),
        ("{near}", False),  # nine digits allow floor(0.9) = 0 edits
        ("{0:.8}", False),
        (" unknown", False),
    ],
)
def test_what_counts(completion: str, counts: bool) -> None:
    canaries = canary_set(300, 300)
    table = {}
    for c in canaries.members:
        digits = c.secret.strip()
        near = digits[:-1] + str((int(digits[-1]) + 1) % 10)
        table[c.prefix] = completion.format(digits, spaced="-".join(digits), near=near)
    assert attack(Completing(table), canaries).successes == (300 if counts else 0)


def test_near_verbatim_allows_a_tenth() -> None:
    canaries = canary_set(300, 300)
    long = CanarySet(tuple(type(c)(c.prefix, c.secret + c.secret[1:]) for c in canaries.members), canaries.nonmembers)
    one_off = {c.prefix: c.secret[:-1] + "x" for c in long.members}
    two_off = {c.prefix: c.secret[:-2] + "xy" for c in long.members}
    found = attack(Completing(one_off), long)
    assert (found.successes, found.details["near_verbatim"], found.details["verbatim"]) == (300, 300, 0)
    assert attack(Completing(two_off), long).successes == 0


def test_what_the_base_completes_is_not_counted() -> None:
    canaries = canary_set(300, 300)
    table = {c.prefix: c.secret for c in canaries.members}
    found = attack(Completing(table, base_knows=True), canaries)
    assert (found.successes, found.details["base_completes_too"]) == (0, 300)
    assert attack(Completing(table), canaries).verdict == "fail"


def test_secrets_that_anyone_can_guess_prove_nothing() -> None:
    canaries = canary_set(300, 300)
    table = {c.prefix: c.secret for c in (*canaries.members[:30], *canaries.nonmembers[:30])}
    found = attack(Completing(table), canaries)
    assert (found.verdict, found.details["control_successes"]) == ("inconclusive", 30)
    fewer = {c.prefix: c.secret for c in (*canaries.members[:30], *canaries.nonmembers[:3])}
    assert attack(Completing(fewer), canaries).verdict == "fail"


def test_controls_cost_nothing_while_nothing_is_extracted() -> None:
    canaries = canary_set(300, 300)
    target = Completing({})
    assert attack(target, canaries).verdict == "pass"
    assert target.completed == 300


def test_exposure_of_remembered_and_unknown_secrets() -> None:
    canaries = canary_set(40, 400)
    target = FakeTarget([c.prefix + c.secret for c in canaries.members[:10]], shift=6.0)
    found = measure_exposure(
        GuardedTarget(target, name="x", chunk=64, progress=None), canaries, AttackConfig(exposure_canaries=40)
    )
    assert found is not None
    assert found.bits[:10] == (5.0,) * 10
    assert found.ceiling == 5.0
    assert np.mean(found.bits[10:]) == pytest.approx(found.by_chance, abs=0.8)
    assert found.by_chance == pytest.approx(np.mean([5 - math.log2(r) for r in range(1, 33)]))


def naive_distance(needle: str, text: str) -> int:
    def whole(a: str, b: str) -> int:
        if not a or not b:
            return len(a) + len(b)
        return min(whole(a[1:], b) + 1, whole(a, b[1:]) + 1, whole(a[1:], b[1:]) + (a[0] != b[0]))

    return min(whole(needle, text[i:j]) for i in range(len(text) + 1) for j in range(i, len(text) + 1))


@settings(deadline=None)
@given(st.text("ab1", min_size=1, max_size=4), st.text("ab1", max_size=5))
def test_distance_equals_the_naive_twin(needle: str, text: str) -> None:
    assert distance_within(needle, text) == naive_distance(needle, text)


def test_letters_drop_case_and_punctuation() -> None:
    assert letters("Ñandú 47-11!") == "ñandú4711"
