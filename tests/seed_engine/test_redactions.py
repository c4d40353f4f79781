"""Redactions: what is one, which hid mathematics, and what stood there; equations against a naive twin."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.redaction_context import judge
from seed_engine.redaction_review import NOT_PERSONAL, Decision, propose, resolution, settled
from seed_engine.redactions import redactions
from seed_engine.unknowns import equations, solve
from seed_engine.unredact import unredact


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("[REDACTED] <NAME_1> {{PHONE}} [Student Name] ****", ["", "PERSON", "PHONE_NUMBER", "PERSON", ""]),
        ("█████ XXXX <US_DRIVER_LICENSE>", ["", "", "ID_OTHER"]),
        ("[laughs] 3 + ____ = 7, 2**3, a<b and c>d, [0, 4], x[i], *ok*", []),
    ],
)
def test_a_redaction_is_what_tools_write(text: str, kinds: list[str]) -> None:
    assert [mark.kind for mark in redactions(text)] == kinds


LESSON = ("she runs 5 miles each day", "9351 / 7 = 1335.86 as we saw")
JUDGED = [
    ("So 24 / [REDACTED] = 8, right?", [("expression", "3")]),
    ("it says 9351 / 7 = <US_DRIVER_LICENSE> there", [("expression", "1335.86")]),
    ("so 15% of [REDACTED] is 9", [("expression", "60")]),
    ("what is <DATE_TIME> of 24?", [("expression", "")]),
    ("it equals [NUMBER]", [("expression", "")]),
    ("she runs [REDACTED] miles each day", [("quantity", "5")]),
    ("point ([REDACTED], 3) on the graph", [("quantity", "")]),
    ("[NAME] and [NAME] share 24 marbles", [("problem", "Alex"), ("problem", "Alex")]),
    ("If <NAME_2> has 5 apples and gives 2 away", [("problem", "Sam")]),
    ("siete menos [REDACTED] es 4", [("expression", "")]),
    ("7 menos [REDACTED] es 4", [("expression", "3")]),
    ("Hi [NAME], how are you?", [("personal", "PERSON")]),
    ("well done <NAME_2>", [("personal", "PERSON")]),
    ("my number is [PHONE], call me", [("personal", "PHONE_NUMBER")]),
    ("im [REDACTED] years old", [("personal", "AGE")]),
    ("i live on [REDACTED]", [("personal", "LOCATION")]),
    ("me llamo [REDACTED]", [("personal", "PERSON")]),
    ("**** **** ok", [("personal", "ID_OTHER"), ("personal", "ID_OTHER")]),
]


@pytest.mark.parametrize(("text", "wanted"), JUDGED)
def test_context_tells_mathematics_from_people(text: str, wanted: list[tuple[str, str]]) -> None:
    texts = (*LESSON, text)
    found = [judge(texts, 2, mark) for mark in redactions(text)]
    assert [(one.reason, one.original if one.is_wrong else one.entity_type) for one in found] == wanted


NUMBERS = st.integers(1, 99)


@given(NUMBERS, NUMBERS, NUMBERS, st.sampled_from("+-*/"), st.sampled_from("+-*/"), st.integers(0, 3))
def test_an_unknown_is_the_number_that_was_taken_out(a: int, b: int, c: int, one: str, two: str, hole: int) -> None:
    # The twin: Python's own arithmetic, in fractions.
    value = eval(f"Fraction({a}) {one} Fraction({b}) {two} Fraction({c})")
    if value.denominator != 1:
        return
    terms = [str(a), str(b), str(c), str(value)]
    gone, terms[hole] = terms[hole], "_"
    found = solve(f"{terms[0]} {one} {terms[1]} {two} {terms[2]} = {terms[3]}")
    # A factor of nothing could have been any number.
    assert found == gone or (found is None and (value == 0 or one + two in ("*/", "//", "/*")))


@pytest.mark.parametrize(
    "equation", ["_ = _", "3 + _", "0 * _ = 0", "_ * 0 = 4", "3 / _ = 0", "(3 + _ = 4", "a + _ = 4"]
)
def test_what_is_not_certain_is_not_said(equation: str) -> None:
    assert solve(equation) is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_surroundings_of_a_hole_are_read(before: str, after: str) -> None:
    for piece in equations(f"{before.replace('_', '')}_{after.replace('_', '')}"):
        solve(piece)


TALK = Conversation(
    id="t",
    turns=(
        Turn(role="tutor", text="Hi [NAME], this is Quillon Verrazzi"),
        Turn(role="student", text="my name is [NAME] and 3 + [ID] = 12"),
        Turn(role="tutor", text="well done [NAME], mail quillon@verrazzi.org or [PHONE]"),
    ),
    language="en",
    domain="tutoring",
)
MARKS = [[(mark.start, mark.end) for mark in redactions(turn.text)] for turn in TALK.turns]


def decided() -> list[Decision]:
    return [
        Decision(0, *MARKS[0][0], "PERSON", ""),
        Decision(0, 19, 35, "PERSON", ""),
        Decision(1, *MARKS[1][0], "PERSON", ""),
        Decision(1, *MARKS[1][1], NOT_PERSONAL, "9"),
        Decision(2, *MARKS[2][0], "PERSON", ""),
        Decision(2, 23, 43, "EMAIL_ADDRESS", ""),
        Decision(2, *MARKS[2][1], "PHONE_NUMBER", ""),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_people_get_surrogates_that_agree_and_mathematics_comes_back(seed: int) -> None:
    made = unredact(TALK, decided(), seed=seed)
    texts = [turn.text for turn in made.conversation.turns]
    values = [[text[span.start : span.end] for span in spans] for text, spans in zip(texts, made.spans, strict=True)]
    assert "3 + 9 = 12" in texts[1]
    assert not any(redactions(text) for text in texts)
    assert not any(word in text.lower() for text in texts for word in ("quillon", "verrazzi"))
    # The student is greeted, says who she is and is praised: one name.
    assert values[0][0] == values[1][0] == values[2][0]
    assert values[0][0] != values[0][1]
    assert [[span.entity_type for span in spans] for spans in made.spans] == [
        ["PERSON", "PERSON"],
        ["PERSON"],
        ["PERSON", "EMAIL_ADDRESS", "PHONE_NUMBER"],
    ]


def test_a_redaction_that_nobody_decided_stays() -> None:
    made = unredact(TALK, decided()[1:2], seed=0)
    assert [len(redactions(turn.text)) for turn in made.conversation.turns] == [1, 2, 2]


def test_a_problem_is_resolved_by_an_answer_that_can_be_carried_out() -> None:
    proposals = propose(TALK, ((), (), ()))
    assert [item.reason for item in proposals if item.is_problem] == ["expression"]
    place = MARKS[1][1]
    counts = {
        None: (0, 0),
        (): (0, 0),
        (Decision(1, *place, NOT_PERSONAL, ""),): (0, 0),
        (Decision(1, *place, NOT_PERSONAL, "9"),): (1, 1),
        (Decision(1, *place, NOT_PERSONAL, "8"),): (1, 0),
        (Decision(1, *place, "ID_OTHER", ""),): (1, 0),
    }
    for decisions, (resolved, accepted) in counts.items():
        found = resolution(proposals, decisions)
        assert (found.problems, found.resolved, found.accepted) == (1, resolved, accepted)
    assert Decision(1, *place, NOT_PERSONAL, "9") in settled(proposals, None)
    assert settled(proposals, (Decision(1, *place, NOT_PERSONAL, ""),)) == ()


def test_fractions_are_the_twins_currency() -> None:
    assert solve("1 / 8 = _") == "0.125"
    assert solve("1 / 3 = _") is None
    assert Fraction(1, 8) == Fraction("0.125")
