"""The marker grammar is parsed as it is written, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.markers import Marker, iter_markers, parse_marker
from seed_engine.vocabulary import vocabulary

_markers = st.builds(Marker, kind=st.sampled_from(vocabulary().marker_kinds), number=st.integers(1, 999_999))


@given(_markers)
def test_round_trip(marker: Marker) -> None:
    assert parse_marker(str(marker)) == marker


@given(st.lists(st.tuples(st.text(st.characters(exclude_characters="[]")), _markers)))
def test_markers_are_found_where_they_stand(parts: list[tuple[str, Marker]]) -> None:
    text = "".join(before + str(marker) for before, marker in parts)
    found = list(iter_markers(text))
    assert [marker for _, _, marker in found] == [marker for _, marker in parts]
    assert all(text[start:end] == str(marker) for start, end, marker in found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PATIENT_1",
        "[PATIENT]",
        "[PATIENT_0]",
        "[PATIENT_01]",
        "[patient_1]",
        "[_1]",
        "[A__B_1]",
        "[PATIENT_1] ",
        "[PATIENT_1234567]",
        "[PÁTIENT_1]",
        "[PATIENT_١]",
    ],
)
def test_what_is_no_marker_is_refused_without_being_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=r"^not a role marker$"):
        parse_marker(text)
