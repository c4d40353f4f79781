"""The guard: nothing of a text comes through a foreign exception."""

from __future__ import annotations

import traceback

import pytest

from attacks.errors import TargetError
from attacks.guard import GuardedTarget
from tests.attacks.fakes import BrokenTarget, FakeTarget


def test_foreign_exception_leaves_only_its_type() -> None:
    guarded = GuardedTarget(BrokenTarget("raises"), name="x", chunk=8, progress=None)
    with pytest.raises(TargetError, match="ValueError") as caught:
        guarded.token_log_probabilities(["My name is Ada"], [" Lovelace"])
    assert caught.value.__context__ is caught.value.__cause__ is None
    assert "Ada" not in "".join(traceback.format_exception_only(caught.value))


def test_chunks_change_nothing() -> None:
    prefixes, secrets = [f"p{i}" for i in range(23)], [f"s{i}" for i in range(23)]
    whole = GuardedTarget(FakeTarget(), name="x", chunk=100, progress=None).log_likelihoods(prefixes, secrets)
    seen: list[tuple[str, int, int]] = []
    parts = GuardedTarget(FakeTarget(), name="x", chunk=5, progress=lambda *step: seen.append(step))
    assert (parts.log_likelihoods(prefixes, secrets) == whole).all()
    assert seen == [("x", done, 23) for done in (5, 10, 15, 20, 23)]
