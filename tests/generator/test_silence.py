"""A provider that is gone for a while costs no conversation; a question that is never answered costs its own only."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import chain, count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.completion import CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BadReply, ProviderBusy, ProviderDown, ProviderError, ProviderTimeout, ProviderUnavailable
from generator.generate import Generation, generate_many
from generator.silence import KNOCKS, PATIENCE, is_there
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed
from tests.generator.seeds import support_seed
from tests.provider import as_reply, follow_plan

ALL = 12
STRATEGIES = ("conversation", "choose", "rewrite")


class Double:
    """A model with a journal; it is gone for some of the requests that reach it, and never answers about some seeds.

    Attributes:
        answered: requests that were answered.
        knocks: questions that hold nothing of a seed.
    """

    def __init__(self, gone: frozenset[int] = frozenset(), never: frozenset[int] = frozenset()) -> None:
        self._gone, self._never, self._numbers = gone, never, count()
        self._journal: dict[CompletionRequest, str] = {}
        self.answered, self.knocks = list[CompletionRequest](), 0

    def __call__(self, request: CompletionRequest) -> str:
        key = CompletionRequest(request.system, request.prompt, request.max_tokens, request.seed)
        if key in self._journal:
            return self._journal[key]
        self.knocks += request.prompt == "Are you there?"
        if next(self._numbers) in self._gone or any(
            f"Plan ({turns} messages)" in request.prompt for turns in self._never
        ):
            raise ProviderTimeout
        self.answered.append(key)
        return self._journal.setdefault(key, told(request.prompt) if "Plan (" in request.prompt else request.prompt)


def told(prompt: str) -> str:
    """What the plan says, in a conversation's own words: two of them are no near-duplicates."""
    messages = [{"content": prompt}]
    texts = [turn["text"] for turn in json.loads(follow_plan(messages))["turns"]]
    own = random.Random(len(texts))
    words = [" ".join("".join(own.choices("aeioklmnrst", k=6)) for _ in range(12)) for _ in texts]
    return as_reply([f"{text} {more}." for text, more in zip(texts, words, strict=True)], messages)


def jobs(total: int = ALL) -> list[tuple[Seed, int]]:
    """Seeds that differ in their number of turns, 3 and more, by which a request tells them apart."""
    return [(support_seed(turns).model_copy(update={"id": f"seed-{turns:06d}"}), 0) for turns in range(3, 3 + total)]


def config(strategy: str, **more: object) -> GeneratorConfig:
    told = {"strategy": strategy, "model_share": 1, "max_attempts": 2, "concurrency": 1}
    return GeneratorConfig.model_validate(told | more)


def so_far(how: GeneratorConfig, double: Double, made: list[Generation]) -> ProviderDown | None:
    """Generate what is not made yet, as a resumed run does; what stopped it."""
    kept = tuple(item.conversation for item in made if item.conversation is not None)
    stop = None
    try:
        for result in generate_many(jobs()[len(made) :], how, double, kept):
            made.append(result)
    except ProviderDown as error:
        stop = error
    assert stop is None or stop.owed == ALL - len(made)
    return stop


def until_done(how: GeneratorConfig, double: Double) -> tuple[list[Generation], list[ProviderDown]]:
    """Generate, and go on wherever it was stopped."""
    made: list[Generation] = []
    stops: list[ProviderDown] = []
    while (stop := so_far(how, double, made)) is not None:
        stops.append(stop)
    return made, stops


@cache
def undisturbed(strategy: str) -> list[Conversation | None]:
    return [result.conversation for result in generate_many(jobs(), config(strategy), Double())]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("last", range(1, PATIENCE + 2))
def test_a_provider_that_goes_away_for_the_last_stops_and_the_set_is_whole_afterwards(strategy: str, last: int) -> None:
    how, double = config(strategy), Double()
    list(generate_many(jobs(ALL - last), how, double))
    before = len(double.answered)
    cut = Double(gone=frozenset(range(before, before + 4 * ALL * ALL)))
    made: list[Generation] = []
    stop = so_far(how, cut, made)
    assert stop is not None
    assert (stop.owed, stop.conversations) == (last, min(last, PATIENCE))
    assert not any(result.silenced for result in made)
    assert so_far(how, double, made) is None
    assert [result.conversation for result in made] == undisturbed(strategy)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40)), max_size=4),
    st.sampled_from(STRATEGIES),
    st.sampled_from([1, 3]),
)
def test_whenever_it_is_gone_the_set_is_what_it_would_have_been(
    outages: list[tuple[int, int]], strategy: str, concurrency: int
) -> None:
    """Unless it is silent to both tries of one conversation and there again when it is asked whether it is."""
    how, gone = config(strategy, concurrency=concurrency), chain(*(range(at, at + length) for at, length in outages))
    double = Double(gone=frozenset(gone))
    made, _ = until_done(how, double)
    lost = [result for result in made if result.silenced]
    assert len(lost) <= double.knocks
    for result, whole in zip(made, undisturbed(strategy), strict=True):
        assert result.silenced or result.conversation == whole


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("at", [0, 5, ALL - 1])
def test_a_short_silence_is_asked_about_again_and_counted(strategy: str, at: int) -> None:
    """As long as two tries of one conversation, in the middle of the answers, before them and after them."""
    how, before = config(strategy), Double()
    if at:
        list(generate_many(jobs(at), how, before))
    began = len(before.answered)
    double = Double(gone=frozenset(range(began, began + (2 if strategy == "conversation" else 1))))
    made, stops = until_done(how, double)
    assert stops == []
    assert double.knocks == 0
    assert [result.conversation for result in made] == undisturbed(strategy)
    assert made[at].faults["provider_timeout"] == (2 if strategy == "conversation" else 1)


@pytest.mark.parametrize("at", [0, 5, ALL - 1])
@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_question_that_is_never_answered_is_dropped_and_holds_nobody_up(at: int, concurrency: int) -> None:
    how, double = config("conversation", concurrency=concurrency), Double(never=frozenset({3 + at}))
    made, stops = until_done(how, double)
    assert stops == []
    assert [number for number, result in enumerate(made) if result.conversation is None] == [at]
    assert made[at].dropped == "provider_timeout"
    assert made[at].failures == {"provider_timeout": 4}
    assert double.knocks == 1


def test_when_only_that_question_is_left_it_is_dropped_as_well() -> None:
    """A resumed run has nobody else to ask about: the simple question tells that the provider is there."""
    how, double = config("conversation"), Double(never=frozenset({14}))
    (kept,) = generate_many(jobs(1), how, double)
    assert kept.conversation is not None
    (result,) = generate_many(jobs()[-1:], how, double, [kept.conversation])
    assert result.dropped == "provider_timeout"


def test_a_provider_that_refuses_every_question_of_a_set_is_set_up_wrongly() -> None:
    """It answers the simple one: an empty set would hide that all the others were refused."""
    with pytest.raises(ProviderDown):
        list(generate_many(jobs(3), config("conversation"), Double(never=frozenset({3, 4, 5}))))


@pytest.mark.parametrize(
    ("faults", "there"),
    [
        ([], True),
        ([BadReply], True),
        ([ProviderTimeout] * (KNOCKS - 1), True),
        ([ProviderTimeout, ProviderBusy, ProviderUnavailable], False),
    ],
)
def test_it_is_there_when_it_answers_one_of_three_knocks(faults: list[type[ProviderError]], there: bool) -> None:
    asked: list[CompletionRequest] = []

    def complete(request: CompletionRequest) -> str:
        asked.append(request)
        if len(asked) <= len(faults):
            raise faults[len(asked) - 1]
        return "yes"

    assert is_there(complete) is there
    assert len({json.dumps([item.prompt, item.seed]) for item in asked}) == len(asked), "a journal would answer"
