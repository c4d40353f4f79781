"""The model may choose a wording, never write one."""

from __future__ import annotations

import pytest

from generator.choose import choose_wording
from generator.completion import CompletionRequest

OPTIONS = ("How long has it been?", "How bad is it?", 'Does it "hurt" [DATE_1]?')


@pytest.mark.parametrize(("reply", "index"), [("How long", 0), ("How b", 1), ("Does", 2), ("Brenda", 0)])
def test_the_reply_points_at_an_option(reply: str, index: int) -> None:
    assert choose_wording(("hello",), OPTIONS, "en", lambda _: reply, 1) == index


def test_the_grammar_is_the_options_and_the_history_is_short() -> None:
    asked: list[CompletionRequest] = []

    def stub(request: CompletionRequest) -> str:
        asked.append(request)
        return "How"

    choose_wording(tuple(f"turn {i}" for i in range(50)), OPTIONS, "en", stub, 1)
    assert asked[0].grammar == ('root ::= "How long has it been?" | "How bad is it?" | "Does it \\"hurt\\" [DATE_1]?"')
    assert asked[0].prompt == "turn 48\nturn 49"
    # "How " is shared, so more tokens than those four characters can hold must be allowed.
    assert asked[0].max_tokens >= 5
