"""Surrogates keep what a marker's note tells: distance and order of dates, the band of an age."""

from __future__ import annotations

from datetime import datetime

import pytest

from generator.surrogates import SurrogateMaker
from seed_engine.markers import parse_marker


def day(text: str) -> datetime:
    return datetime.strptime(text, "%B %d, %Y")


@pytest.mark.parametrize(
    ("note", "least", "most"),
    [("+ 3 weeks", 19, 23), ("- 3 weeks", -23, -19), ("+ 1 day", 1, 1), ("- 4 months", -130, -110)],
)
def test_dates_keep_their_distance(note: str, least: int, most: int) -> None:
    for seed in range(20):
        maker = SurrogateMaker("en", seed)
        first = day(maker.draw(parse_marker("[DATE_1]")))
        second = day(maker.draw(parse_marker(f"[DATE_2: DATE_1 {note}]")))
        assert least <= (second - first).days <= most


@pytest.mark.parametrize(("band", "least", "most"), [("0-2", 0, 2), ("30-44", 30, 44), ("80+", 80, 95)])
def test_ages_keep_their_band(band: str, least: int, most: int) -> None:
    maker = SurrogateMaker("es", 1)
    assert all(least <= int(maker.draw(parse_marker(f"[AGE_1: {band}]"))) <= most for _ in range(40))


def test_a_relative_without_a_name_gets_one() -> None:
    maker = SurrogateMaker("en", 1)
    patient, spouse = (maker.draw(parse_marker(text)) for text in ("[PATIENT_1]", "[PATIENT_1.spouse]"))
    assert len(spouse.split()) == 2
    assert patient != spouse
