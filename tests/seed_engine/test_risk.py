"""Risk: 0 for nothing, more for more, combinations count, laws are named, and no text is in a report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.risk import assess, weight
from seed_engine.spans import EntitySpan

KINDS = ["PERSON", "US_SSN", "EMAIL_ADDRESS", "DATE_TIME", "LOCATION", "AGE", "MX_CURP", "SOMETHING_NEW"]


def report(*kinds: str, text: str = "x" * 400):
    spans = [EntitySpan(i * 10, i * 10 + 5, kind, 0.9, "test") for i, kind in enumerate(kinds)]
    return assess("d", [text], [spans])


def test_nothing_found_is_no_risk() -> None:
    empty = report()
    assert (empty.score, empty.types, empty.regulations, empty.advice) == (0.0, {}, {}, ())
    assert len(empty.hipaa) == 18
    assert not any(item.count for item in empty.hipaa)


@given(st.lists(st.sampled_from(KINDS), max_size=12), st.sampled_from(KINDS))
def test_another_find_never_lowers_the_score(kinds: list[str], more: str) -> None:
    assert 0 <= report(*kinds).score <= report(*kinds, more).score <= 100


@pytest.mark.parametrize(
    ("kind", "expected"), [("US_SSN", 10), ("MX_CURP", 10), ("EMAIL_ADDRESS", 5), ("SOMETHING_NEW", 4)]
)
def test_weights(kind: str, expected: float) -> None:
    assert weight(kind) == expected


def test_birth_date_postcode_and_sex_single_out_87_percent() -> None:
    text = "female, born 3/4/81, zip 02138 "
    spans = [EntitySpan(13, 19, "DATE_OF_BIRTH", 0.9, "t"), EntitySpan(25, 30, "LOCATION", 0.9, "t")]
    with_sex = assess("d", [text], [spans])
    assert with_sex.score >= 87
    assert with_sex.combinations[0].name == "birth date + postcode + sex"
    assert assess("d", [text.replace("female", "person")], [spans]).score < 87


def test_hipaa_counts_ages_only_over_89() -> None:
    young = assess("d", ["age 42"], [[EntitySpan(4, 6, "AGE", 0.9, "t")]])
    old = assess("d", ["age 92"], [[EntitySpan(4, 6, "AGE", 0.9, "t")]])
    assert (young.hipaa[2].count, old.hipaa[2].count) == (0, 1)


def test_laws_are_touched_by_their_types() -> None:
    found = report("US_SSN", "MEDICAL_RECORD")
    assert set(found.regulations) == {"GDPR", "DPDP", "CCPA", "APPI", "HIPAA"}
    assert found.regulations["GDPR"]["Art. 9 special categories (health)"] == ("MEDICAL_RECORD",)
    assert found.hipaa[6].count == 1


def test_a_report_holds_no_text() -> None:
    text = "Quillfeather 536-22-1234"
    spans = [EntitySpan(0, 12, "PERSON", 0.9, "t"), EntitySpan(13, 24, "US_SSN", 0.9, "t")]
    dumped = assess("d", [text], [spans]).model_dump_json()
    assert "Quillfeather" not in dumped
    assert "536" not in dumped
