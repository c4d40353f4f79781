"""What is hung on a sentence: once, from the right side, and in one breath."""

from __future__ import annotations

import random
import re

import pytest

from generator.draft import draft
from seed_engine.seed import FlowStep, Seed
from tests.generator.seeds import support_seed

PAIR = {"en": r"\[(\w+)_1\] and \[\1_2\]", "es": r"\[(\w+)_1\] y \[\1_2\]"}


def seed_of(language: str, *steps: tuple[str, str, tuple[str, ...]], topic: str = "delivery") -> Seed:
    flow = tuple(FlowStep(role=role, act=act, topic=topic, slots=slots) for role, act, slots in steps)
    return support_seed().model_copy(update={"flow": flow, "language": language})


@pytest.mark.parametrize("language", ["en", "es"])
def test_persons_are_not_put_down_for_a_matter_as_days_are(language: str) -> None:
    seed = seed_of(language, ("agent", "inform", ("[PERSON_1]", "[PERSON_2]")))
    for number in range(20):
        said = draft(seed, random.Random(number))[0].text
        assert re.search(PAIR[language], said), said
        assert not re.search(r"down for it|I mean|Tengo apuntado|Me refiero", said), said


@pytest.mark.parametrize("language", ["en", "es"])
def test_who_asks_for_help_speaks_of_no_file_and_no_screen(language: str) -> None:
    kinds = ("[PHONE_1]", "[EMAIL_1]", "[DATE_1]", "[LOCATION_1: city]")
    for kind in kinds:
        seed = seed_of(language, ("customer", "request", (kind,)), ("agent", "inform", ()))
        for number in range(10):
            said = draft(seed, random.Random(number))[0].text
            assert not re.search(r"on file|screen|in the notes|en la ficha|pantalla|en las notas", said), said


def test_a_day_and_a_place_that_a_question_is_about_are_told_at_once() -> None:
    seed = seed_of("en", ("customer", "propositionalQuestion", ("[DATE_1]", "[LOCATION_1: city]")))
    for number in range(20):
        said = draft(seed, random.Random(number))[0].text
        assert re.search(r"\[DATE_1\] and \[LOCATION_1: city\]\.", said), said
        assert len(re.findall(r"[.?!](?:\s|$)", said)) == 2, said


def test_one_is_at_an_address_and_in_a_city() -> None:
    for kind, word in (("address", "at"), ("facility", "at"), ("city", "in")):
        seed = seed_of("en", ("agent", "inform", (f"[LOCATION_1: {kind}]",)))
        other = "in" if word == "at" else "at"
        for number in range(20):
            said = draft(seed, random.Random(number))[0].text.casefold()
            assert f"{other} [location_1" not in said, said


def test_no_sentence_stands_twice_in_a_turn() -> None:
    for number in range(60):
        steps = [("agent" if i % 2 else "customer", "answer" if i % 2 else "setQuestion", ()) for i in range(12)]
        for turn in draft(seed_of("en", *steps), random.Random(number)):
            sentences = re.split(r"(?<=[.?!]) ", turn.text)
            assert len(sentences) == len(set(sentences)), turn.text


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_was_named_before_is_named_again_in_one_breath(language: str) -> None:
    """A place and a company that both have been named lead to the sentence together, and stand in it once."""
    known = ("[LOCATION_1]", "[ORGANIZATION_1]")
    steps = (("customer", "inform", known), ("agent", "setQuestion", known), ("customer", "inform", known))
    led = 0
    for number in range(20):
        for turn in draft(seed_of(language, *steps, topic="billing"), random.Random(number))[1:]:
            assert all(turn.text.count(marker) == 1 for marker in known), turn.text
            led += bool(re.search(r"\[LOCATION_1\] (?:and|y) \[ORGANIZATION_1\]: ", turn.text))
    assert led >= 30, led


def test_only_who_is_spoken_to_is_addressed() -> None:
    for marker, spoken_to in (("[CUSTOMER_1]", True), ("[CUSTOMER_1.mother]", False), ("[TUTOR_1]", False)):
        seed = seed_of("en", ("customer", "request", ()), ("agent", "promise", (marker,)))
        said = [draft(seed, random.Random(number))[1].text for number in range(20)]
        called = [text for text in said if re.search(rf"^{re.escape(marker)},|, {re.escape(marker)}[.!]", text)]
        assert len(called) == (20 if spoken_to else 0), called
