"""Rendered text has a surrogate for every marker, the same one everywhere, and none that the source holds."""

from __future__ import annotations

import re

import pytest

from generator.errors import SurrogateError
from generator.render import render
from seed_engine.conversation import Conversation, Turn
from seed_engine.markers import iter_markers
from seed_engine.vocabulary import vocabulary


def conversation(language: str = "en", *texts: str) -> Conversation:
    kinds = vocabulary().marker_kinds
    said = texts or (" ".join(f"[{kind}_1] and [{kind}_2]," for kind in kinds), "Hi [CUSTOMER_1], mail [EMAIL_1]!")
    turns = tuple(Turn(role=("customer", "agent")[i % 2], text=text) for i, text in enumerate(said))
    return Conversation(id="seed-000001-0", turns=turns, language=language, provenance="synthetic")


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("seed", range(20))
def test_every_marker_is_filled_consistently_and_spans_point_at_it(language: str, seed: int) -> None:
    made = render(conversation(language), seed=seed, forbidden=lambda _: False)
    values: dict[str, str] = {}
    for place in made.surrogates:
        value = made.turns[place.turn].text[place.start : place.end]
        assert values.setdefault(place.marker, value) == value
    assert len(set(values.values())) == len(values) == 2 * len(vocabulary().marker_kinds)
    assert not any(list(iter_markers(turn.text)) for turn in made.turns)


def test_same_seed_same_surrogates_and_other_seed_others() -> None:
    one, same, other = (render(conversation(), seed=s, forbidden=lambda _: False) for s in (1, 1, 2))
    assert one == same
    assert one.turns != other.turns


def test_values_of_the_source_are_never_used() -> None:
    source = {render(conversation(), seed=s, forbidden=lambda _: False).turns[1].text[3:] for s in range(3)}
    names = {word.strip(",!") for text in source for word in text.split()[:2]}
    for seed in range(3):
        made = render(conversation(), seed=seed, forbidden=names.__contains__)
        words = {made.turns[p.turn].text[p.start : p.end] for p in made.surrogates}
        assert not names & {part for word in words for part in word.split()}


def test_when_the_source_holds_everything_it_stops() -> None:
    with pytest.raises(SurrogateError):
        render(conversation(), seed=1, forbidden=lambda _: True)


def test_mail_fits_the_name_and_numbers_belong_to_nobody() -> None:
    text = "I am [CUSTOMER_1], [EMAIL_1], [PHONE_1], [NATIONAL_ID_1], [IP_1], [URL_1]"
    for seed in range(50):
        made = render(conversation("en", text), seed=seed, forbidden=lambda _: False)
        values = {p.marker: made.turns[0].text[p.start : p.end] for p in made.surrogates}
        first, last = values["[CUSTOMER_1]"].lower().split()
        assert re.fullmatch(rf"{first}\.{last}\d*@example\.com", values["[EMAIL_1]"])
        assert re.fullmatch(r"\(\d{3}\) 555-01\d\d", values["[PHONE_1]"])
        assert values["[NATIONAL_ID_1]"].startswith("9")
        assert values["[IP_1]"].startswith("203.0.113.")
        assert values["[URL_1]"].startswith("https://www.example.com/")
