"""Dates keep order and distance, ages fall into bands, places keep their kind: coarsely, and never wrongly."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.markers import PLACE_KINDS, Marker, parse_marker
from seed_engine.notes import age_note, date_notes, place_note
from seed_engine.vocabulary import vocabulary

ONE, TWO = Marker("DATE", 1), Marker("DATE", 2)


def note(first: str, second: str) -> str:
    noted = date_notes([(ONE, first), (TWO, second)])
    return noted[TWO].note if TWO in noted else ""


DISTANCES = [
    ("2024-5-3", "2024-5-4", "DATE_1 + 1 day"),
    ("2024-5-3", "2024-5-16", "DATE_1 + 13 days"),
    ("2024-5-3", "2024-5-24", "DATE_1 + 3 weeks"),
    ("2024-5-3", "2024-4-12", "DATE_1 - 3 weeks"),
    ("2024-5-3", "2024-9-3", "DATE_1 + 4 months"),
    ("2024-5-3", "2020-5-3", "DATE_1 - 4 years"),
    ("2024-5-3", "1977-3-5", "DATE_1 - 50 years"),
    ("0-2-28", "0-3-1", "DATE_1 + 2 days"),
    ("2024-5-3", "0-5-4", ""),
    ("2024-5-3", "2024-5-0", ""),
    ("2024-5-3", "next week", ""),
    ("2024-2-31", "2024-3-1", ""),
]


@pytest.mark.parametrize(("first", "second", "expected"), DISTANCES)
def test_distances(first: str, second: str, expected: str) -> None:
    assert note(first, second) == expected


_dates = st.dates(date(1900, 1, 1), date(2099, 12, 31))


def key(day: date) -> str:
    return f"{day.year}-{day.month}-{day.day}"


@given(_dates, _dates)
def test_a_distance_keeps_order_and_about_the_length(first: date, second: date) -> None:
    told = note(key(first), key(second))
    if first == second:
        assert told == ""
        return
    marker = parse_marker(f"[DATE_2: {told}]")
    sign, count, unit = marker.distance.split()
    days = int(count) * {"day": 1, "week": 7, "month": 30.44, "year": 365.25}[unit.rstrip("s")]
    true = (second - first).days
    assert (sign == "+") == (true > 0)
    assert abs(days - abs(true)) <= {"day": 0, "week": 3.5, "month": 15.5}.get(
        unit.rstrip("s"), max(190, 6 * 366 if abs(true) < 95 * 365 else 1e6)
    )


@given(st.integers(1, 80))
def test_two_lives_a_few_days_apart_read_the_same(years: int) -> None:
    """What a far date tells is a year or a decade, so that a day of birth cannot be counted back."""
    start = date(2024, 5, 3)
    born = start - timedelta(days=round(365.25 * (years + 2)))
    notes = {note(key(start), key(born + timedelta(days=shift))) for shift in range(-30, 31)}
    assert len(notes) <= 2


AGES = {
    "47": "45-64",
    "47 years old": "45-64",
    "8 months": "0-2",
    "48 months": "3-12",
    "18-month-old": "0-2",
    "200 weeks": "3-12",
    "6 years 11 months": "3-12",
    "8か月": "0-2",
    "9歳": "3-12",
    "80": "80+",
    "119": "80+",
    "120": "",
    "forty": "",
    "1985": "",
}


@pytest.mark.parametrize("surface", AGES)
def test_ages(surface: str) -> None:
    assert age_note(surface) == AGES[surface]


@given(st.integers(0, 119))
def test_every_age_has_a_band_of_the_vocabulary(age: int) -> None:
    assert age_note(str(age)) in vocabulary().age_bands


PLACES = [
    ("12 Elm Street", "LOCATION", "address"),
    ("Calle Mayor", "LOCATION", "address"),
    ("28013", "LOCATION", "postcode"),
    ("SW1A 1AA", "LOCATION", "postcode"),
    ("Hospital del Mar", "LOCATION", "facility"),
    ("España", "LOCATION", "country"),
    ("Texas", "LOCATION", "region"),
    ("Lugo", "LOCATION", "city"),
    ("Lugo", "ADDRESS", "address"),
]


@pytest.mark.parametrize(("surface", "entity_type", "kind"), PLACES)
def test_places(surface: str, entity_type: str, kind: str) -> None:
    assert place_note(surface, entity_type) == kind


@given(st.text(max_size=20), st.sampled_from(["LOCATION", "ADDRESS", "FACILITY", "GPE"]))
def test_a_place_note_is_of_the_closed_list(surface: str, entity_type: str) -> None:
    assert place_note(surface, entity_type) in PLACE_KINDS
