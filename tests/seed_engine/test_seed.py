"""Seeds are closed records; spans overlap as half-open intervals do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from seed_engine.seed import Seed
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


_ends = st.tuples(st.integers(0, 12), st.integers(1, 6))


@given(_ends, _ends)
def test_overlap_is_sharing_a_code_point(one: tuple[int, int], other: tuple[int, int]) -> None:
    a, b = (EntitySpan(start, start + length, "PERSON", 1.0, "t") for start, length in (one, other))
    shared = set(range(a.start, a.end)) & set(range(b.start, b.end))
    assert a.overlaps(b) == bool(shared) == b.overlaps(a)
