"""Policy: absolute dates are personal, relative ones are not, markers never are, edges are clean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.markers import iter_markers
from seed_engine.policy import BLANK, is_absolute_date, keep, mask_markers, tidy
from seed_engine.spans import EntitySpan


@pytest.mark.parametrize(
    "date",
    ["3 May 1987", "May 3rd", "03/05/1987", "1987-05-03", "13 de julio de 1989", "julio de 1989", "trece de julio",
     "March twelfth", "1987年5月", "5月3日", "04/16", "12 mars 2020", "19870503"],
)  # fmt: skip
def test_absolute_dates(date: str) -> None:
    assert is_absolute_date(date)


@pytest.mark.parametrize(
    "date",
    ["tomorrow", "Monday", "two weeks", "next month", "5 pm", "9:30", "1945", "the 1990s", "last year", "mañana",
     "el jueves que viene", "hace dos semanas", "Good morning", "18 months ago", "every May", "120/80x"],
)  # fmt: skip
def test_relative_dates(date: str) -> None:
    assert not is_absolute_date(date)


def test_masking_keeps_length_and_everything_but_the_marker() -> None:
    assert mask_markers("hi [PATIENT_1]!") == "hi " + BLANK * 11 + "!"


@given(st.text(st.sampled_from("ab [PATIENT_1]{}"), max_size=80))
def test_no_kept_span_touches_a_marker(text: str) -> None:
    masked = mask_markers(text)
    every = [
        EntitySpan(a, b, kind, 1.0, "test")
        for a in range(0, len(text), 3)
        for b in range(a + 1, len(text) + 1, 4)
        for kind in ("PERSON", "PASSWORD")
    ]
    taken = {i for start, end, _ in iter_markers(text) for i in range(start, end)}
    for span in keep(masked, every):
        assert 0 <= span.start < span.end <= len(text)
        assert not taken & set(range(span.start, span.end))


@pytest.mark.parametrize(
    ("text", "start", "end", "kept"),
    [
        ("say: Ann Lee, ok", 4, 13, "Ann Lee"),
        ("(Ann)", 0, 5, "Ann"),
        ("call (415) 555-0132.", 5, 20, "(415) 555-0132"),
        (" , . ", 0, 5, None),
    ],
)
def test_edges_are_trimmed(text: str, start: int, end: int, kept: str | None) -> None:
    kind = "PHONE_NUMBER" if "415" in text else "PERSON"
    spans = keep(text, [EntitySpan(start, end, kind, 1.0, "test")])
    assert [text[span.start : span.end] for span in spans] == ([] if kept is None else [kept])


def test_a_name_behind_its_sign_is_an_account() -> None:
    assert [s.entity_type for s in keep("hi @AnnLee", [EntitySpan(3, 10, "PERSON", 1.0, "test")])] == ["USERNAME"]


def test_a_rest_without_letters_is_no_span() -> None:
    spans = tidy("Gran Vía 36 - 31080 Pamplona", [EntitySpan(11, 14, "LOCATION", 1.0, "test")])
    assert spans == ()


def test_a_place_of_two_signs_is_a_state_or_of_another_script() -> None:
    for text, kept in (("Pa", 0), ("PA", 1), ("大阪", 1)):
        assert len(keep(text, [EntitySpan(0, 2, "LOCATION", 1.0, "test")])) == kept


def test_what_only_looks_like_a_marker_stays_readable() -> None:
    for text in ("I am [MARIA_GARCIA_1985]", "call [PHONE_612345]", "[JOHN_SMITH_1]"):
        assert mask_markers(text) == text
    assert mask_markers("hi [PATIENT_12]") == "hi " + BLANK * 12


def test_a_password_keeps_its_signs() -> None:
    spans = keep("pw *d%98Wr*)1!", [EntitySpan(3, 14, "PASSWORD", 1.0, "test")])
    assert [(span.start, span.end) for span in spans] == [(3, 14)]
