"""The marker grammar is parsed as it is written, and nothing else is; no text of a source fits in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector
from seed_engine.markers import PLACE_KINDS, Marker, iter_markers, parse_marker, without_notes
from seed_engine.relations import relation_names
from seed_engine.vocabulary import vocabulary

KNOWN = vocabulary()
PEOPLE = [kind for kind in KNOWN.marker_kinds if Marker(kind, 1).is_person]
DISTANCES = [
    *("1 day", *(f"{n} days" for n in range(2, 14))),
    *(f"{n} weeks" for n in range(2, 9)),
    *(f"{n} months" for n in range(2, 24)),
    *(f"{n} years" for n in (*range(2, 10), *range(10, 100, 10))),
]
_numbers = st.integers(1, 9_999)
_notes = st.one_of(
    st.sampled_from(["", *relation_names(), *PLACE_KINDS, *KNOWN.age_bands]),
    st.builds("DATE_{} {} {}".format, _numbers, st.sampled_from("+-"), st.sampled_from(DISTANCES)),
)
_relations = st.sampled_from(["", "", *relation_names()])
_markers = st.builds(Marker, st.sampled_from(KNOWN.marker_kinds), _numbers, _relations, _notes)


@given(_markers)
def test_round_trip(marker: Marker) -> None:
    read = parse_marker(str(marker))
    assert (read, read.note) == (marker, marker.note)
    assert str(read) == str(marker)


@given(st.lists(st.tuples(st.text(st.characters(exclude_characters="[]")), _markers)))
def test_markers_are_found_where_they_stand(parts: list[tuple[str, Marker]]) -> None:
    text = "".join(before + str(marker) for before, marker in parts)
    found = list(iter_markers(text))
    assert [marker for _, _, marker in found] == [marker for _, marker in parts]
    assert all(text[start:end] == str(marker) for start, end, marker in found)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "PATIENT_1",
            "[PATIENT]",
            "[PATIENT_0]",
            "[PATIENT_01]",
            "[patient_1]",
            "[_1]",
            "[A__B_1]",
            "[PATIENT_1] ",
        ),
        *("[PATIENT_1234567]", "[PÁTIENT_1]", "[PATIENT_١]", "[PATIENT_1.]", "[PATIENT_1.zebulon]", "[PATIENT_1: ]"),
        *("[PATIENT_1:daughter]", "[RELATIVE_1: Ana]", "[RELATIVE_1: daughter Ana]", "[PATIENT_1.spouse.mother]"),
        *("[DATE_2: DATE_1 + 14 days]", "[DATE_2: DATE_1 + 0 days]", "[DATE_2: DATE_1 + 41 years]", "[DATE_2: DATE_1]"),
        *("[DATE_2: DATE_1 +3 weeks]", "[DATE_2: DATE_1 + 3 centuries]", "[AGE_1: 47]", "[AGE_1: 30-45]"),
        *("[LOCATION_1: paris]", "[LOCATION_1: city] [", "[RELATIVE_1: daughter: city]", "[DATE_2: date_1 + 1 day]"),
    ],
)
def test_what_is_no_marker_is_refused_without_being_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=r"^not a role marker$"):
        parse_marker(text)


@given(_markers)
def test_every_word_of_a_marker_is_of_a_closed_list(marker: Marker) -> None:
    closed = {*KNOWN.marker_kinds, *relation_names(), *PLACE_KINDS, *KNOWN.age_bands}
    closed |= {"day", "days", "weeks", "months", "years", "+", "-"}
    words = re.split(r"[\s:.]+", str(marker)[1:-1])
    assert all(re.sub(r"_\d+$", "", word) in closed or int(word) <= 90 for word in words)


def test_a_note_is_no_part_of_the_identity() -> None:
    assert parse_marker("[DATE_2: DATE_1 + 3 weeks]") == parse_marker("[DATE_2]")
    assert parse_marker("[PATIENT_1.spouse]") != parse_marker("[PATIENT_1]")
    assert parse_marker("[PATIENT_1.spouse]").role == "RELATIVE"
    dated = parse_marker("[DATE_2: DATE_1 - 3 weeks]")
    assert (dated.reference, dated.distance) == (Marker("DATE", 1), "- 3 weeks")


FITTING = {
    "[PATIENT_1.spouse]": True,
    "[RELATIVE_1: daughter]": True,
    "[DATE_2: DATE_1 + 3 weeks]": True,
    "[AGE_1: 80+]": True,
    "[LOCATION_1: city]": True,
    "[EMAIL_1]": True,
    "[EMAIL_1.spouse]": False,
    "[EMAIL_1: daughter]": False,
    "[DATE_1: DATE_1 + 3 weeks]": False,
    "[DATE_2: PATIENT_1 + 3 weeks]": False,
    "[AGE_1: city]": False,
    "[LOCATION_1: 80+]": False,
    "[RELATIVE_1: 80+]": False,
    "[PATIENT_1.spouse: daughter]": False,
}


@pytest.mark.parametrize("text", FITTING)
def test_only_some_notes_fit_a_kind(text: str) -> None:
    assert parse_marker(text).fits is FITTING[text]


@given(_markers)
def test_rules_that_read_texts_can_see_markers_without_notes(marker: Marker) -> None:
    assert without_notes(f"a {marker} b") == f"a [{marker.kind}_{marker.number}] b"


_words = st.sampled_from(
    ["Ana", "born", "on", "my wife", "call 555 010 2030", "Dr.", "in", "email", "a@b.org", "3/4/1985", ","]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(_words, _markers.map(str)), max_size=12), st.sampled_from(["en", "es"]))
def test_a_marker_is_never_personal_data_again(parts: list[str], language: str) -> None:
    text = " ".join(parts)
    spans = Detector(DetectorConfig(engine="regex")).detect(text, language)
    for start, end, _ in iter_markers(text):
        assert not any(span.start < end and start < span.end for span in spans)
