"""Budgets stop cleanly, busy providers are asked again, fallbacks come after, and nothing paid for is asked twice."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.completion import Complete, CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BadReply, BudgetSpent, ProviderBusy, ProviderError, ProviderTimeout, ProviderUnavailable
from generator.generate import generate_many
from generator.journal import Journal
from generator.persistence import Answer, Ask, persistent
from generator.spending import Spending, Usage
from tests.generator.seeds import support_seed
from tests.provider import as_reply


def request(number: int = 1) -> CompletionRequest:
    return CompletionRequest("system", f"prompt {number}", 10, number)


def answering(text: str = "fine", cost: float = 0.01) -> tuple[Ask, list[CompletionRequest]]:
    asked: list[CompletionRequest] = []

    def ask(sent: CompletionRequest) -> Answer:
        asked.append(sent)
        return Answer(text, Usage(1, 5, 7, cost))

    return ask, asked


def failing(*errors: type[ProviderError]) -> Ask:
    left = iter(errors)

    def ask(_: CompletionRequest) -> Answer:
        error = next(left, None)
        if error is None:
            return Answer("fine", Usage(1, 5, 7))
        raise error

    return ask


def build(ask: Ask, sleep: Callable[[float], None] = lambda _: None, **settings: object) -> tuple[Complete, Spending]:
    config = GeneratorConfig.model_validate(settings)
    spending = Spending(config)
    return persistent([("m", ask)], config, spending, sleep=sleep), spending


def test_a_busy_provider_is_asked_again_after_growing_pauses() -> None:
    pauses: list[float] = []
    complete, spending = build(failing(ProviderBusy, ProviderBusy), pauses.append, retries=2, backoff_s=1)
    assert complete(request()) == "fine"
    assert [0.5 <= pauses[0] <= 1, 1 <= pauses[1] <= 2] == [True, True]
    assert spending.usage.requests == 1


@pytest.mark.parametrize("error", [ProviderTimeout, ProviderUnavailable, BadReply])
def test_other_failures_are_not_asked_again_here(error: type[ProviderError]) -> None:
    complete, _ = build(failing(error), lambda _: pytest.fail("waited"))
    with pytest.raises(error):
        complete(request())


def test_fallbacks_are_asked_in_order() -> None:
    config = GeneratorConfig()
    asks = [("a", failing(ProviderUnavailable)), ("b", failing(ProviderTimeout)), ("c", answering("third")[0])]
    assert persistent(asks, config, Spending(config))(request()) == "third"


def test_an_empty_reply_is_paid_for_and_no_reply() -> None:
    complete, spending = build(answering("  ")[0])
    with pytest.raises(BadReply):
        complete(request())
    assert spending.usage == Usage(1, 5, 7, 0.01)


def test_tokens_never_pass_the_budget_with_many_threads() -> None:
    ask, asked = answering()
    complete, spending = build(ask, max_tokens=200)

    def work() -> None:
        for number in range(20):
            try:
                complete(request(number))
            except BudgetSpent:
                return

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert spending.usage.requests == len(asked) > 8
    assert spending.usage.tokens <= 200


def test_money_stops_after_the_request_that_spends_it() -> None:
    complete, spending = build(answering(cost=0.4)[0], max_cost_usd=1)
    for number in range(3):
        complete(request(number))
    with pytest.raises(BudgetSpent):
        complete(request(4))
    assert spending.usage.cost_usd == pytest.approx(1.2)


def test_requests_keep_the_allowed_rate() -> None:
    pauses: list[float] = []
    complete, _ = build(answering()[0], pauses.append, requests_per_minute=60)
    for number in range(5):
        complete(request(number))
    assert pauses == pytest.approx([1, 2, 3, 4], abs=0.2)


def test_a_reply_is_asked_for_once_even_after_a_crash(tmp_path: Path) -> None:
    ask, asked = answering("paid for")
    config = GeneratorConfig()
    path = tmp_path / "replies"
    assert persistent([("m", ask)], config, Spending(config), Journal(path))(request()) == "paid for"
    with path.open("a") as file:
        file.write('{"key": "cut off in the mid')
    spending = Spending(config)
    again = persistent([("m", ask)], config, spending, Journal(path))
    assert again(request()) == "paid for"
    assert again(request(2)) == "paid for"
    assert (len(asked), spending.usage.requests) == (2, 1)
    assert path.stat().st_mode & 0o077 == 0
    assert "prompt" not in path.read_text()


def test_a_run_that_its_budget_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    flow = support_seed(4).flow
    seeds = [support_seed(4).model_copy(update={"id": f"seed-{i:06d}", "flow": flow}) for i in range(1, 7)]
    asked: list[CompletionRequest] = []

    def ask(sent: CompletionRequest) -> Answer:
        asked.append(sent)
        number = len(asked)
        texts = [f"Now {word} {number} of {step.slots[1]} was seen." for step, word in zip(flow, "abcd", strict=True)]
        return Answer(as_reply(texts, [{"content": sent.prompt}]), Usage(1, 100, 100))

    def run(budget: int | None) -> tuple[int, bool]:
        config = GeneratorConfig(strategy="conversation", concurrency=1, max_tokens=budget)
        complete = persistent([("m", ask)], config, Spending(config), Journal(tmp_path / "replies"))
        made = 0
        try:
            for result in generate_many([(seed, 0) for seed in seeds], config, complete):
                made += result.conversation is not None
        except BudgetSpent:
            return made, True
        return made, False

    assert run(1500) == (pytest.approx(3, abs=2), True)
    before = len(asked)
    assert 0 < before < 6
    assert run(None) == (6, False)
    assert len(asked) == 6
    assert len({json.dumps([sent.prompt, sent.seed]) for sent in asked}) == 6
