"""Sensitive attributes of speakers in English, Spanish and Japanese; general talk tells nobody's."""

from __future__ import annotations

import pytest

from seed_engine.sensitive.attributes import regulations, sensitive_spans
from seed_engine.sensitive.categories import all_categories
from seed_engine.sensitive.evaluation_west import evaluate_west


@pytest.mark.parametrize(
    ("language", "text", "word", "name"),
    [
        ("en", "I have diabetes.", "diabetes", "gdpr_health"),
        ("en", "My mother is Muslim.", "Muslim", "gdpr_religious_beliefs"),
        ("en", "I was arrested last year", "arrested", "gdpr_criminal"),
        ("en", "Ana Ruiz is pregnant.", "pregnant", "gdpr_health"),
        ("es", "Tengo migrañas.", "migrañas", "gdpr_health"),
        ("es", "Mi hermano es gay.", "gay", "gdpr_sex_life"),
        ("es", "ESTOY AFILIADA A UGT", "AFILIADA A UGT", "gdpr_trade_union"),
        ("ja", "私はうつ病と診断されました。", "うつ病", "medical_history"),
    ],
)
def test_an_attribute_is_marked_without_a_name(language: str, text: str, word: str, name: str) -> None:
    assert (word, name) in [(text[span.start : span.end], span.category) for span in sensitive_spans(text, language)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What causes diabetes?"),
        ("en", "People with HIV need support."),
        ("en", "I don't have asthma."),
        ("en", "I would like to renew my licence."),
        ("es", "¿Qué es el cáncer?"),
        ("es", "No tengo alergias."),
        ("ja", "糖尿病の講演会が開かれた。"),
        ("fr", "J'ai le diabète."),
    ],
)
def test_general_talk_and_denials_are_nobodys(language: str, text: str) -> None:
    assert sensitive_spans(text, language) == []


def test_places_hold_in_text_with_accents_and_signs() -> None:
    text = "¡Hola! 😀 Señor, sí: tengo epilepsia."
    assert [text[span.start : span.end] for span in sensitive_spans(text, "es")] == ["epilepsia"]


def test_regulations_name_the_article() -> None:
    spans = sensitive_spans("I have diabetes and I was convicted.", "en")
    assert regulations(spans) == {
        "GDPR Art. 10": ("Criminal convictions and offences",),
        "GDPR Art. 9(1)": ("Data concerning health",),
    }


def test_every_category_of_the_gdpr_is_measured_in_both_languages() -> None:
    rows = evaluate_west()
    wanted = {(language, item.id) for language in ("en", "es") for item in all_categories() if item.scheme == "gdpr9"}
    assert {(row.language, row.category) for row in rows} == wanted
    assert all(row.told >= 3 and row.general >= 3 for row in rows)
    # What was found the first time that these turns were looked at; a change may only add to it.
    assert sum(row.found for row in rows) >= 49
    assert sum(row.flagged for row in rows) <= 10
