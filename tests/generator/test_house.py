"""The house's texts: every template is among them, bare of its notation."""

from __future__ import annotations

from generator.catalogue import catalogue
from generator.house import house_sentences, house_texts


def test_every_value_and_scenario_is_a_house_text() -> None:
    known = set(house_texts())
    support = catalogue("support", "en")
    assert {value for values in support.values.values() for value in values} <= known
    assert {value for scenario in support.scenarios for value in scenario.values.values()} <= known


def test_no_notation_is_left() -> None:
    texts = " ".join(house_texts())
    assert len(texts) > 10_000
    assert not set(texts) & set("{}|")


def test_sentences_of_a_language_are_whole_and_name_nobody() -> None:
    english, spanish = house_sentences("en"), house_sentences("es")
    assert min(len(english), len(spanish)) > 300
    assert all(len(text.split()) >= 4 and not set("{}~|[]") & set(text) for text in (*english, *spanish))
    assert house_sentences("xx") == []
