"""Marker numbers say the order of mention and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.numbering import renumbered
from seed_engine.seed import FlowStep

_slots = st.lists(
    st.one_of(
        st.sampled_from(["product", "symptom"]),
        st.builds("[{}_{}]".format, st.sampled_from(["PATIENT", "DATE"]), st.integers(1, 9_999)),
    ),
    max_size=4,
    unique=True,
)
_flows = st.lists(
    st.builds(
        FlowStep, role=st.just("patient"), act=st.just("inform"), topic=st.just("symptoms"), slots=_slots.map(tuple)
    ),
    max_size=6,
)


@given(_flows)
def test_numbers_count_up_and_keep_who_is_who(flow: list[FlowStep]) -> None:
    before = [slot for step in flow for slot in step.slots]
    after = [slot for step in renumbered(flow) for slot in step.slots]
    pairs = set(zip(before, after, strict=True))
    assert len(pairs) == len(set(before)) == len(set(after))
    for kind in ("PATIENT", "DATE"):
        numbers = [
            int(found[1]) for slot in dict.fromkeys(after) if (found := re.fullmatch(rf"\[{kind}_(\d+)\]", slot))
        ]
        assert numbers == list(range(1, len(numbers) + 1))


@given(_flows)
def test_counting_twice_changes_nothing(flow: list[FlowStep]) -> None:
    assert renumbered(renumbered(flow)) == renumbered(flow)


def test_what_stands_in_brackets_and_is_no_marker_is_refused() -> None:
    with pytest.raises(ValueError, match="not a role marker"):
        renumbered([FlowStep(role="patient", act="inform", topic="symptoms", slots=("[Zebulon]",))])
