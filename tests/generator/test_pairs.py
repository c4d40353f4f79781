"""What a seed's acts leave out is said along with them, and nothing is that was there."""

from __future__ import annotations

import random
import re

import pytest

from generator.draft import draft
from generator.pairs import missing_before, opened_along, passes_over, turns_away
from seed_engine.seed import FlowStep, Seed
from tests.generator.seeds import support_seed


def seed_of(*acts: str, topic: str = "delivery", topics: tuple[str, ...] = ()) -> Seed:
    roles = ("customer", "agent")
    flow = tuple(
        FlowStep(role=roles[i % 2], act=act, topic=topics[i] if topics else topic) for i, act in enumerate(acts)
    )
    return support_seed().model_copy(update={"flow": flow})


@pytest.mark.parametrize(
    ("act", "following", "missing"),
    [
        ("offer", "acceptOffer", None),
        ("inform", "acceptOffer", "offer"),
        ("inform", "declineSuggest", "suggest"),
        ("instruct", "acceptRequest", None),
        ("inform", "acceptRequest", "request"),
        ("thanking", "acceptThanking", None),
        ("inform", "acceptApology", "apology"),
        ("inform", "confirm", None),
        ("apology", "confirm", "propositionalQuestion"),
        ("inform", "answer", None),
        ("initialGoodbye", "acceptOffer", None),
    ],
)
def test_what_is_missing_before_a_response(act: str, following: str, missing: str | None) -> None:
    assert missing_before(seed_of(act, following).flow, 0, act) == missing


def test_nobody_answers_their_own_turn_and_nothing_follows_the_last() -> None:
    flow = seed_of("inform", "acceptOffer").flow
    alone = tuple(step.model_copy(update={"role": "agent"}) for step in flow)
    assert missing_before(alone, 0, "inform") is None
    assert missing_before(flow, 1, "acceptOffer") is None


def test_an_offer_that_is_accepted_was_made() -> None:
    for number in range(30):
        turns = draft(seed_of("inform", "inform", "acceptOffer"), random.Random(number))
        assert re.search(
            r"\bI (?:can|could)\b|[Ww]ould you like|[Ss]h(?:all|ould) I|[Dd]o you want|[Aa]nything", turns[1].text
        ), turns[1].text


def test_a_question_that_is_met_by_a_question_is_answered_first() -> None:
    for number in range(30):
        turns = draft(seed_of("inform", "propositionalQuestion", "setQuestion"), random.Random(number))
        sentences = re.split(r"(?<=[.!?])\s+", turns[2].text)
        assert len(sentences) >= 2, turns[2].text
        assert not sentences[0].endswith("?")


@pytest.mark.parametrize(
    ("act", "passes"),
    [("setQuestion", True), ("request", True), ("answer", False), ("inform", False), ("stalling", False)],
)
def test_which_acts_pass_over_what_was_asked(act: str, passes: bool) -> None:
    assert passes_over(act) is passes


def test_another_topic_is_announced_once() -> None:
    seed = seed_of("inform", "inform", "setQuestion", "answer", topics=("delivery", "delivery", "billing", "billing"))
    assert [turns_away(seed.flow, i, step.act) for i, step in enumerate(seed.flow)] == [False, False, True, False]
    back = seed_of("inform", "inform", "setQuestion", topics=("delivery", "billing", "delivery"))
    assert not turns_away(back.flow, 2, "setQuestion")


def test_an_answer_that_nobody_asked_for_tells_something() -> None:
    for number in range(30):
        (only,) = draft(seed_of("answer"), random.Random(number))
        assert not re.match(r"(?:Yes|No)\b", only.text), only.text


@pytest.mark.parametrize(
    ("act", "following", "opened"),
    [
        ("agreement", "suggest", "request"),
        ("confirm", "setQuestion", "request"),
        ("acceptSuggest", "answer", "setQuestion"),
        ("confirm", "inform", None),
        ("inform", "suggest", None),
        ("disconfirm", "suggest", None),
    ],
)
def test_a_yes_goes_on_only_to_what_the_other_side_takes_up(act: str, following: str, opened: str | None) -> None:
    assert opened_along(seed_of(act, following).flow, 0, act) == opened


def test_who_serves_asks_for_nothing_along_with_a_yes_and_nobody_before_the_end() -> None:
    flow = seed_of("inform", "agreement", "suggest").flow
    assert opened_along(flow, 1, "agreement") is None
    assert opened_along(seed_of("agreement", "suggest", topics=("delivery", "closing")).flow, 0, "agreement") is None


def test_who_leaves_after_a_suggestion_answers_it_and_after_an_offer_of_help_does_not() -> None:
    for number in range(20):
        said = draft(seed_of("inform", "suggest", "initialGoodbye"), random.Random(number))[2].text
        assert re.match(r"Yes|Yeah|Okay|Sure|Great|Good|Perfect|That|I like|I love|I do|It |Sounds|Nice|Alright", said)
        assert re.search(r"\b[Bb]ye|Goodbye|goodbye|Take care|See you|good one", said), said
        help_first = seed_of("inform", "offer", "initialGoodbye", topics=("delivery", "closing", "closing"))
        leaving = draft(help_first, random.Random(number))[2].text
        assert not re.match(r"Yes|Sure|That works|Please do", leaving), leaving
