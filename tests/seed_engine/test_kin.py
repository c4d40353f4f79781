"""Relatives are found in words, with whose they are, unless their name stands beside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.fold import fold
from seed_engine.kin import kin_after, kin_asked, kin_before, kin_mentions
from seed_engine.relations import relation_names, relation_words

FOUND = [
    ("I asked my wife.", "my wife", "spouse", "speaker"),
    ("Is your older brother in?", "your older brother", "brother", "addressee"),
    ("her mother-in-law called", "her mother-in-law", "mother_in_law", "other"),
    ("vive con su hija mayor", "su hija mayor", "daughter", "either"),
    ("MI MAMÁ dice", "MI MAMÁ", "mother", "speaker"),
    ("hablé con mi señora", "mi señora", "spouse", "speaker"),
    ("my boss is out", "my boss", "boss", "speaker"),
    ("mi cuñado", "mi cuñado", "brother_in_law", "speaker"),
    ("my 6-year-old son", "my 6-year-old son", "son", "speaker"),
]


@pytest.mark.parametrize(("text", "words", "relation", "owner"), FOUND)
def test_found(text: str, words: str, relation: str, owner: str) -> None:
    (mention,) = kin_mentions(text, [])
    assert text[mention.start : mention.end] == words
    assert (mention.kin.relation.name, mention.kin.owner) == (relation, owner)


@pytest.mark.parametrize(
    "text",
    [
        "the mother of all bugs",
        "my daughters are fine",
        "la señora Paz",
        "thanks my friend!",
        "a wife and a husband",
        "army son",
        "my sonata",
        "mi primogénito",
    ],
)
def test_left_alone(text: str) -> None:
    assert list(kin_mentions(text, [])) == []


def beside(text: str, name: str) -> int:
    start = text.index(name)
    return len(list(kin_mentions(text, [(start, start + len(name))])))


@pytest.mark.parametrize(
    "text",
    [
        "my daughter Ana",
        "Ana, my daughter, is",
        "mi hija se llama Ana",
        "Ana is my sister",
        "my boss, Mr. Ana",
        "my son's name is Ana",
    ],
)
def test_a_name_beside_is_the_mention(text: str) -> None:
    assert beside(text, "Ana") == 0


@pytest.mark.parametrize(
    "text", ["my wife and Ana", "Ana called. My wife was out", "thanks Ana, my wife will call", "my wife saw Ana"]
)
def test_a_name_further_off_is_not(text: str) -> None:
    assert beside(text, "Ana") == 1


def test_words_around_a_name() -> None:
    before, after, asked = (
        kin_before("this is my late husband, mr. "),
        kin_after(", mi hermana, vive"),
        kin_asked("and your mum's name?"),
    )
    assert before is not None
    assert after is not None
    assert asked is not None
    assert [kin.relation.name for kin in (before, after, asked)] == ["spouse", "sister", "mother"]
    assert kin_after(", my wife will call") is None
    assert kin_before("i like ") is None


def test_the_words_of_a_relation_mean_it_alone() -> None:
    assert {relation.name for relation in relation_words().values()} == set(relation_names())
    assert all(word == fold(word) for word in relation_words())


@given(st.text(st.sampled_from("my WIFEñ é's, 😊.İ"), max_size=30))
def test_mentions_lie_in_the_text_they_came_from(text: str) -> None:
    for mention in kin_mentions(text, []):
        assert fold(text[mention.start : mention.end]).split()[0] == "my"
