"""Risk: 0 for nothing, more for more, combinations count, laws are named, and no text is in a report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.kinds import MARKER_KINDS
from seed_engine.recognizers.registry import RECOGNIZERS
from seed_engine.risk import BANDS, assess, assess_conversation, band, weight
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
    ("kind", "expected"),
    [
        ("US_SSN", 10),
        ("MX_CURP", 10),
        ("EMAIL_ADDRESS", 5),
        ("SOMETHING_NEW", 4),
        ("US_PASSPORT", 9),
        ("UK_DRIVING_LICENCE", 8),
        ("US_BANK_NUMBER", 8),
        ("GPE", 3),
        ("FR_NIR", 10),
    ],
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


def one(kind: str, before: str, value: str, after: str = ""):
    span = EntitySpan(len(before), len(before) + len(value), kind, 0.9, "t")
    return assess("d", [before + value + after], [[span]])


# One find of every identifier of 45 CFR 164.514(b)(2)(i), in the rule's order.
SAFE_HARBOR = [
    (1, "PERSON", "I am ", "Zoe Quill"),
    (2, "LOCATION", "I live in ", "Leeds"),
    (2, "GPE", "I live in ", "Leeds"),
    (3, "DATE_TIME", "admitted ", "3 May 2021"),
    (3, "DATE_OF_BIRTH", "", "3 May 1921"),
    (3, "AGE", "aged ", "94"),
    (4, "PHONE_NUMBER", "call ", "202-555-0143"),
    (5, "PHONE_NUMBER", "fax: ", "202-555-0143"),
    (6, "EMAIL_ADDRESS", "", "zoe@example.org"),
    (7, "US_SSN", "", "536-22-1234"),
    (7, "NATIONAL_ID", "", "536-22-1234"),
    (8, "MEDICAL_RECORD", "MRN ", "7713056"),
    (9, "INSURANCE_ID", "member ", "XJ22813"),
    (10, "BANK_ACCOUNT", "account ", "12345678"),
    (10, "CREDIT_CARD", "", "4111111111111111"),
    (10, "US_BANK_NUMBER", "", "12345678"),
    (11, "DRIVER_LICENSE", "", "D1234567"),
    (11, "US_DRIVER_LICENSE", "", "D1234567"),
    (11, "MEDICAL_LICENSE", "", "BB1388568"),
    (12, "VEHICLE_ID", "", "AB12 CDE"),
    (13, "MAC_ADDRESS", "", "00:1b:44:11:3a:b7"),
    (13, "ID_OTHER", "serial number ", "XK-22817"),
    (14, "URL", "", "https://example.org/zoe"),
    (15, "IP_ADDRESS", "", "192.0.2.7"),
    (18, "ID_OTHER", "badge ", "E-22817"),
    (18, "FR_NIR", "", "1 85 05 78 006 084 36"),
    (18, "IN_AADHAAR", "", "2234 5678 9012"),
    (18, "USERNAME", "", "zoe_q"),
]


@pytest.mark.parametrize(("number", "kind", "before", "value"), SAFE_HARBOR)
def test_each_find_is_one_safe_harbor_identifier(number: int, kind: str, before: str, value: str) -> None:
    found = one(kind, before, value)
    assert [item.number for item in found.hipaa] == list(range(1, 19))
    assert {item.number: item.count for item in found.hipaa if item.count} == {number: 1}
    touched = found.regulations["HIPAA"]
    assert [rule.split(":")[0] for rule in touched] == [f"Safe Harbor {number}"]
    assert list(touched.values()) == [found.hipaa[number - 1].types]


@pytest.mark.parametrize(
    ("number", "text"), [(16, "her fingerprint and a voice print are on file"), (17, "photo and full-face portrait")]
)
def test_what_no_recognizer_finds_is_told_by_a_word(number: int, text: str) -> None:
    counts = {item.number: item.count for item in assess("d", [text], [[]]).hipaa if item.count}
    assert counts == {number: 2}


@pytest.mark.parametrize(("kind", "value"), [("AGE", "42"), ("ORGANIZATION", "Acme"), ("NRP", "Catholic")])
def test_what_safe_harbor_does_not_list(kind: str, value: str) -> None:
    found = one(kind, "", value)
    assert not any(item.count for item in found.hipaa)
    assert "HIPAA" not in found.regulations


def test_every_type_that_a_recognizer_finds_has_a_weight_and_an_advice() -> None:
    kinds = {pattern.entity_type for pattern in RECOGNIZERS} | set(MARKER_KINDS)
    for kind in kinds - {"ORGANIZATION"}:
        found = report(kind)
        assert 1 <= weight(kind) <= 10
        assert found.advice, kind
        assert {"GDPR", "DPDP", "CCPA", "APPI"} <= set(found.regulations), kind


@pytest.mark.parametrize(
    ("law", "rule", "kind"),
    [
        ("GDPR", "Art. 9 special categories (origin, belief)", "NRP"),
        ("GDPR", "Art. 87 national identification number", "FR_NIR"),
        ("DPDP", "Aadhaar Act s. 29", "IN_AADHAAR"),
        ("CCPA", "1798.140(ae) sensitive: government identifiers", "US_PASSPORT"),
        ("CCPA", "1798.140(ae) sensitive: account log-in and cards", "PASSWORD"),
        ("APPI", "My Number Act Art. 19", "JP_MY_NUMBER"),
        ("APPI", "Art. 2(2) individual identification code", "JP_MY_NUMBER"),
    ],
)
def test_rules_are_touched_by_their_types_and_by_no_other(law: str, rule: str, kind: str) -> None:
    assert report(kind, "PERSON").regulations[law][rule] == (kind,)
    assert rule not in report("PERSON", "EMAIL_ADDRESS").regulations[law]


def test_a_company_alone_touches_no_law() -> None:
    assert report("ORGANIZATION").regulations == {}


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("DOB ", "DATE_OF_BIRTH"),
        ("she was born on ", "DATE_OF_BIRTH"),
        ("fecha de nacimiento: ", "DATE_OF_BIRTH"),
        ("生年月日: ", "DATE_OF_BIRTH"),
        ("admitted ", "DATE_TIME"),
        ("born in Leeds. Admitted ", "DATE_TIME"),
    ],
)
def test_a_date_after_a_word_of_birth_is_a_birth_date(before: str, expected: str) -> None:
    assert one("DATE_TIME", before, "3/4/1981").types == {expected: 1}


def test_health_counts_when_a_person_can_be_found_in_the_text() -> None:
    text = "Zoe Quill was diagnosed with asthma"
    span = [EntitySpan(0, 9, "PERSON", 0.9, "t")]
    ill, well = assess("d", [text], [span]), assess("d", [text[:9] + " likes to sing"], [span])
    assert ill.score > well.score
    assert "HEALTH" in ill.regulations["GDPR"]["Art. 9 special categories (health)"]
    assert "HEALTH" not in ill.types
    assert assess("d", [text], [[]]).score == 0
    assert assess("d", ["Zoe Quill, it is a pain"], [span]).score == well.score


def test_a_name_beside_an_address_is_told_but_singles_out_in_any_case() -> None:
    text = "Zoe Quill, 12 Elm Street, LS1 4AP"
    spans = [EntitySpan(0, 9, "PERSON", 0.9, "t"), EntitySpan(11, 33, "LOCATION", 0.9, "t")]
    found = assess("d", [text], [spans])
    assert [item.name for item in found.combinations] == ["name + address"]
    assert found.score < 50
    assert found.advice[0].startswith("Break up the combination name + address")


def test_speakers_names_are_finds() -> None:
    turns = (Turn(role="user", text="hi", name="Zoe"), Turn(role="user", text="ok", name="Zoe"))
    found = assess_conversation(Conversation(id="c", turns=turns), [(), ()])
    assert found.types == {"PERSON": 1}


def test_bands_cover_the_scale() -> None:
    assert [band(score) for score in (0, 24.9, 25, 50, 75, 100)] == [
        "low", "low", "medium", "high", "very high", "very high",
    ]  # fmt: skip
    assert [least for _, least in BANDS] == sorted(least for _, least in BANDS)


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


def test_a_protected_fact_about_somebody_touches_its_article_though_nobody_is_named() -> None:
    told = assess("a", ["I have diabetes, and my wife is muslim."], [()], "en")
    assert told.attributes == {"gdpr_health": 1, "gdpr_religious_beliefs": 1}
    assert told.regulations["GDPR"]["Art. 9(1)"] == ("gdpr_health", "gdpr_religious_beliefs")
    general = assess("b", ["People with diabetes should eat well. What causes asthma?"], [()], "en")
    assert general.attributes == {}
    assert "GDPR" not in general.regulations
