"""Language: one of the known ones, whatever the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.language import LANGUAGES, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("my order is late and I would like my money back", "en"),
        ("hola, buenos días, no me llega el pedido", "es"),
        ("bonjour, je voudrais parler avec un conseiller", "fr"),
        ("guten Tag, ich habe eine Frage zu meiner Rechnung", "de"),
        ("goedemorgen, ik heb een vraag over mijn rekening", "nl"),
        ("注文した商品がまだ届きません", "ja"),
    ],
)
def test_tells_languages_apart(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "42", "!?", "👍"])
def test_says_the_default_where_nothing_tells(text: str) -> None:
    assert detect_language(text, "es") == "es"


@given(st.text(max_size=60))
def test_is_always_a_known_language(text: str) -> None:
    assert detect_language(text) in LANGUAGES
