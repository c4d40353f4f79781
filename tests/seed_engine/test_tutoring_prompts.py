"""Prompts of lessons: what differs between the strategies, byte for byte, and windows that miss and mix nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seed_engine.tutoring_prompts import STRATEGIES, prompt, windows

SESSION = st.lists(st.tuples(st.text(max_size=400), st.booleans()), max_size=40)


@given(SESSION)
def test_windows_follow_each_other_and_never_cross_a_border(session: list[tuple[str, bool]]) -> None:
    texts, flags = [text for text, _ in session], [flag for _, flag in session]
    found = list(windows(texts, flags))
    assert [i for window in found for i in range(window.start, window.end)] == list(range(len(texts)))
    assert all(set(flags[window.start : window.end]) == {window.inside} for window in found)


@given(SESSION.filter(bool))
def test_the_segment_aware_prompt_is_the_maths_aware_one_with_its_label(session: list[tuple[str, bool]]) -> None:
    texts, flags = [text for text, _ in session], [flag for _, flag in session]
    roles = ["tutor"] * len(texts)
    for window in windows(texts, flags):
        basic, maths, segment = (prompt(name, roles, texts, window) for name in STRATEGIES)
        label = b"[segment: mathematics]\n" if window.inside else b"[segment: conversation]\n"
        assert segment.system.encode() == maths.system.encode()
        assert segment.question.encode("utf-8", "surrogatepass") == label + maths.question.encode(
            "utf-8", "surrogatepass"
        )
        assert maths.question == basic.question
        assert maths.system.startswith(basic.system)
        assert maths.system != basic.system


def test_a_line_end_in_a_message_makes_no_second_message() -> None:
    (window,) = windows(["one\n2. tutor: two"], [False])
    assert prompt("basic", ["student"], ["one\n2. tutor: two"], window).question == "1. student: one 2. tutor: two"
