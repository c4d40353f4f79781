"""With the switch on, a sensitive attribute is a marker in what is passed on, and no text of it is in the seed."""

from __future__ import annotations

import pytest

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.deidentify import deidentify
from seed_engine.detect import Detector
from seed_engine.extract import extract
from seed_engine.schema import violations
from seed_engine.sensitive.abstracting import with_attributes
from seed_engine.spans import EntitySpan

ON = Detector(DetectorConfig(engine="fast", attributes=True))
OFF = Detector(DetectorConfig(engine="fast"))


def _talk(language: str, *texts: str) -> Conversation:
    turns = tuple(Turn(role=("customer", "agent")[k % 2], text=text) for k, text in enumerate(texts))
    return Conversation(id="line-1", turns=turns, language=language, domain="support")


CASES = [
    ("en", "I have epilepsy, so I cannot drive to the shop.", "epilepsy", "[CONDITION_1]"),
    ("en", "My husband is Muslim, he asks for another meal.", "Muslim", "[GROUP_1]"),
    ("en", "I was convicted in 2011, can I still open an account?", "convicted", "[CONDITION_1]"),
    ("es", "Tengo epilepsia y no puedo conducir.", "epilepsia", "[CONDITION_1]"),
    ("es", "Mi hermano es gay y viaja conmigo.", "gay", "[GROUP_1]"),
    ("ja", "私はうつ病と診断されました。配送を遅らせてください。", "うつ病", "[CONDITION_1]"),
]


@pytest.mark.parametrize(("language", "text", "fact", "marker"), CASES)
def test_the_fact_goes_without_a_name_beside_it(language: str, text: str, fact: str, marker: str) -> None:
    talk = _talk(language, text, "OK.", "OK.")
    passed_on = deidentify(talk, ON.detect_conversation(talk)).turns[0].text
    assert fact not in passed_on
    assert marker in passed_on
    assert fact in deidentify(talk, OFF.detect_conversation(talk)).turns[0].text


@pytest.mark.parametrize(("language", "text", "fact", "marker"), [case for case in CASES if case[0] != "ja"])
def test_a_seed_holds_the_marker_and_no_word_of_the_fact(language: str, text: str, fact: str, marker: str) -> None:
    talk = _talk(language, text, "Thanks. Anything else?", "No, that is all.")
    made = extract(talk, ON.detect_conversation(talk), "seed-000001")
    assert made.seed is not None
    assert not violations(made.seed)
    assert fact.casefold() not in made.seed.model_dump_json().casefold()
    assert marker in made.seed.flow[0].slots
    assert fact in {secret.value for secret in made.secrets}


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "I have epilepsy, can I change the date?", "I have hepatitis, can I change the date?"),
        ("es", "Tengo epilepsia, ¿puedo cambiar la fecha?", "Tengo hepatitis, ¿puedo cambiar la fecha?"),
    ],
)
def test_which_illness_it_was_changes_nothing_in_a_seed(language: str, one: str, other: str) -> None:
    talks = [_talk(language, text, "Yes.", "Thanks.") for text in (one, other)]
    first, second = (extract(talk, ON.detect_conversation(talk), "seed-000001").seed for talk in talks)
    assert first == second


def test_general_talk_is_left_alone() -> None:
    talk = _talk("en", "What causes epilepsy?", "Research shows many causes.", "Thanks.")
    assert ON.detect_conversation(talk) == OFF.detect_conversation(talk)


def test_a_span_that_is_there_is_not_marked_twice() -> None:
    there = [EntitySpan(10, 16, "NRP", 0.9, "x")]
    assert with_attributes(["My aunt is Muslim."], ["en"], [there]) == [tuple(there)]
