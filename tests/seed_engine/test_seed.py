"""Seeds are closed records; spans overlap as half-open intervals do."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from seed_engine.schema import violations
from seed_engine.seed import Guarantee, Seed
from seed_engine.spans import EntitySpan
from tests.seed_engine.test_schema import GOOD


def test_json_round_trip() -> None:
    seed = Seed.model_validate(GOOD)
    assert Seed.model_validate_json(seed.model_dump_json()) == seed


@pytest.mark.parametrize("key", ["text", "notes", "source_id"])
def test_a_seed_has_no_room_for_anything_else(key: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Seed.model_validate(GOOD | {key: "Zebulon"})
    assert "Zebulon" not in str(caught.value)


NUMBERS = [{"k": 34600123456}, {"k": 1}, {"epsilon": 34.600123456}, {"epsilon": 346001.0}, {"delta": 0.34600123456}]


@pytest.mark.parametrize("promise", NUMBERS)
def test_a_promise_has_no_room_for_a_number_of_the_source(promise: dict[str, float]) -> None:
    assert [fault.path for fault in violations(GOOD | {"privacy": promise})] == [f"privacy.{next(iter(promise))}"]
    with pytest.raises(ValidationError):
        Guarantee.model_validate(promise)


@given(st.floats(1e-3, 100), st.sampled_from((1e-5, 2.5e-7)))
def test_every_promise_that_a_release_makes_fits(epsilon: float, delta: float) -> None:
    assert Guarantee(epsilon=min(100, math.ceil(epsilon * 1e4) / 1e4), delta=delta)


_ends = st.tuples(st.integers(0, 12), st.integers(1, 6))


@given(_ends, _ends)
def test_overlap_is_sharing_a_code_point(one: tuple[int, int], other: tuple[int, int]) -> None:
    a, b = (EntitySpan(start, start + length, "PERSON", 1.0, "t") for start, length in (one, other))
    shared = set(range(a.start, a.end)) & set(range(b.start, b.end))
    assert a.overlaps(b) == bool(shared) == b.overlaps(a)
