"""The best template asks for what comes next, does not ask for what is known, and is not said twice."""

from __future__ import annotations

import random
import re
from collections import Counter

from generator.draft import draft
from seed_engine.seed import FlowStep, Seed
from tests.generator.seeds import support_seed


def seed_of(steps: list[tuple[str, str, tuple[str, ...]]], topic: str = "account_access") -> Seed:
    flow = tuple(FlowStep(role=role, act=act, topic=topic, slots=slots) for role, act, slots in steps)
    return support_seed().model_copy(update={"flow": flow})


def test_a_number_that_comes_next_is_asked_for() -> None:
    """In every one of 40 draws: a telephone is not told to a question about the weather."""
    for kind, word in (
        ("EMAIL", "e-?mail"),
        ("PHONE", "number|phone"),
        ("CUSTOMER", r"name|who"),
        ("DATE", "date|when|day"),
    ):
        seed = seed_of(
            [("customer", "inform", ()), ("agent", "setQuestion", ()), ("customer", "answer", (f"[{kind}_1]",))]
        )
        for number in range(10):
            turns = draft(seed, random.Random(number))
            assert re.search(word, turns[1].text, re.IGNORECASE), (kind, turns[1].text)


def test_the_same_sentence_is_not_said_twice_while_there_are_others() -> None:
    steps = [(("customer", "agent")[i % 2], ("inform", "setQuestion")[i % 2], ()) for i in range(10)]
    for number in range(20):
        counted = Counter(turn.text for turn in draft(seed_of(steps, "delivery"), random.Random(number)))
        assert counted.most_common(1)[0][1] == 1


def test_yes_please_is_no_answer_to_a_question_of_fact() -> None:
    seed = seed_of([("agent", "propositionalQuestion", ()), ("customer", "confirm", ())], "refund")
    for number in range(60):
        turns = draft(seed, random.Random(number))
        assert not re.match(r"(?:Yes, please do|Yes, that works|That's correct, go ahead)", turns[1].text), turns[
            1
        ].text


def test_an_opening_line_opens_a_topic() -> None:
    """The first thing a customer tells of a late parcel is that it is late: one of the file's first lines, mostly."""
    seed = seed_of([("customer", "inform", ())], "technical_fault")
    first = Counter(draft(seed, random.Random(number))[0].text.split()[0] for number in range(60))
    assert first["My"] + first["It's"] + first["It"] >= 30, first


def test_thanks_that_take_leave_wait_for_the_end() -> None:
    acts = ("request", "inform", "thanking", "acceptThanking", "setQuestion", "answer", "thanking", "acceptThanking")
    seed = seed_of([(("customer", "agent")[i % 2], act, ()) for i, act in enumerate(acts)], "delivery")
    last = 0
    for number in range(40):
        turns = [turn.text for turn in draft(seed, random.Random(number))]
        leaving = [
            i for i, text in enumerate(turns) if re.search("(all|everything) I|good day|Take care|all I need", text)
        ]
        assert not set(leaving) & {2, 3}, turns
        last += bool(leaving)
    assert last > 10  # the sign is one that is said


def test_that_is_right_is_said_to_a_check_alone() -> None:
    right = r"(?:Yes|Yep|Yeah)?,? ?(?:that's|that is|it's) (?:right|correct|it)|Correct|Exactly|Right\b"
    seen = 0
    for act in ("propositionalQuestion", "checkQuestion"):
        seed = seed_of([("agent", act, ()), ("customer", "confirm", ())], "delivery")
        for number in range(60):
            said = draft(seed, random.Random(number))[1].text
            found = bool(re.match(right, said, re.IGNORECASE))
            seen += found
            assert act == "checkQuestion" or not found, said
    assert seen > 0  # the sign is one that is said


def test_neither_is_said_to_an_either_or_alone() -> None:
    seed = seed_of([("agent", "propositionalQuestion", ()), ("customer", "disconfirm", ())], "delivery")
    for number in range(60):
        assert not draft(seed, random.Random(number))[1].text.startswith("Neither")
