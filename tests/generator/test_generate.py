"""Whatever a provider does, it is counted by reason and nothing of it gets through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from generator.completion import CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BadReply, ProviderTimeout, ProviderUnavailable, SeedRejected
from generator.generate import generate, generate_many
from generator.whole import conversation_request
from tests.generator.seeds import support_seed

SEED = support_seed(4)
WHOLE = GeneratorConfig(strategy="conversation", max_attempts=2)
Fault = Callable[[list[dict[str, str]]], object]


def turns() -> list[dict[str, str]]:
    words = ["late again", "on its way", "thanks a lot", "no problem at all"]
    return [
        {"role": step.role, "text": f"Order {step.slots[1]} is {word}."}
        for step, word in zip(SEED.flow, words, strict=True)
    ]


def reply(change: Fault = lambda made: None) -> str:
    made = turns()
    change(made)
    return json.dumps({"turns": made})


def set_text(text: str) -> Fault:
    return lambda made: made[0].update(text=text)


def test_a_good_reply_becomes_the_conversation() -> None:
    result = generate(SEED, WHOLE, lambda _: reply())
    assert result.dropped is None
    assert result.conversation
    assert [t.text for t in result.conversation.turns] == [t["text"] for t in turns()]
    assert result.conversation.id == "seed-000001-0"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I am sorry, I cannot do that.", "not_json"),
        (reply()[:-20], "not_json"),
        ("[1, 2]", "wrong_shape"),
        ('{"turns": "none"}', "wrong_shape"),
        ('{"turns": [1, 2, 3, 4]}', "wrong_shape"),
        (reply(lambda made: made.pop()), "turn_count"),
        (reply(lambda made: made.reverse()), "role_order"),
        (reply(set_text("  ")), "empty_turn"),
        (reply(set_text("[ORDER_1] for [PATIENT_9]")), "invented_marker"),
        (reply(set_text("[ORDER_1] for [Your Name]")), "invented_marker"),
        (reply(set_text("It is late.")), "missing_marker"),
        (reply(set_text("[ORDER_1], call 202 555 0143 now")), "personal_value"),
        (reply(set_text("[ORDER_1], write to me@mail.example")), "personal_value"),
        (reply(set_text("[ORDER_1] was sent by Brenda today.")), "name_added"),
        (reply(set_text("[ORDER_1] " + "so " * 500)), "too_long"),
    ],
)
def test_each_fault_has_its_reason_and_ends_in_a_counted_drop(text: str, reason: str) -> None:
    asked: list[CompletionRequest] = []

    def stub(request: CompletionRequest) -> str:
        asked.append(request)
        return text

    result = generate(SEED, WHOLE, stub)
    assert result.conversation is None
    assert result.dropped == reason
    assert result.faults == {reason: 2}
    assert result.attempts == len(asked) == 2
    assert asked[0].seed != asked[1].seed


def test_repetition_is_a_fault() -> None:
    flow = tuple(step.model_copy(update={"slots": ()}) for step in SEED.flow)
    seed = SEED.model_copy(update={"flow": flow})
    text = json.dumps({"turns": [{"role": step.role, "text": "You must wait."} for step in flow]})
    assert generate(seed, WHOLE, lambda _: text).dropped == "repeats"
    marked = json.dumps({"turns": [{"role": s.role, "text": f"You must wait for {s.slots[-1]}."} for s in SEED.flow]})
    assert generate(SEED, WHOLE, lambda _: marked).dropped == "repeats"


@pytest.mark.parametrize("error", [ProviderUnavailable, ProviderTimeout, BadReply])
def test_provider_failures_are_counted_and_bounded(error: type[ProviderUnavailable]) -> None:
    def stub(_: CompletionRequest) -> str:
        raise error

    result = generate(SEED, WHOLE, stub)
    assert (result.dropped, result.faults) == (error.reason, {error.reason: 2})


def test_a_second_attempt_can_succeed() -> None:
    replies = iter(["rubbish", reply()])
    result = generate(SEED, WHOLE, lambda _: next(replies))
    assert result.conversation is not None
    assert (result.attempts, result.faults) == (2, {"not_json": 1})


@pytest.mark.parametrize("strategy", ["choose", "rewrite"])
@pytest.mark.parametrize("text", ["Brenda [PATIENT_9] calls 555-0143", "", "[ORDER_1]"])
def test_rubbish_never_reaches_a_turn_when_going_turn_by_turn(strategy: str, text: str) -> None:
    config = GeneratorConfig.model_validate({"strategy": strategy, "model_share": 1})
    plain = generate(SEED, GeneratorConfig(strategy="template"), lambda _: "").conversation
    result = generate(SEED, config, lambda _: text).conversation
    assert result
    assert plain
    assert [turn.text for turn in result.turns] == [turn.text for turn in plain.turns]


@pytest.mark.parametrize("strategy", ["choose", "rewrite"])
def test_a_failing_provider_leaves_the_drafts_and_is_counted(strategy: str) -> None:
    def stub(_: CompletionRequest) -> str:
        raise ProviderTimeout

    config = GeneratorConfig.model_validate({"strategy": strategy, "model_share": 1})
    result = generate(SEED, config, stub)
    assert result.conversation is not None
    assert result.turns["provider_timeout"] > 0
    assert sum(result.turns.values()) == 4


def test_only_labels_and_markers_of_the_seed_go_to_a_provider() -> None:
    request = conversation_request(SEED, 1)
    assert "[ORDER_1]" in request.prompt
    labels = set(re.findall(r"[\w\[\]]+", SEED.model_dump_json()))
    fixed = set("Language English Domain Objective Tone of the Plan messages topic slots 1 2 3 4".split())  # noqa: SIM905
    fixed |= {"Persona", "plain", "Register", "neutral", "Length", "medium", "Difficulty", "easy"}
    assert set(re.findall(r"[\w\[\]]+", request.prompt)) <= labels | fixed
    assert SEED.id not in request.prompt


def test_many_keep_their_order_and_every_job_is_answered() -> None:
    jobs = [(SEED.model_copy(update={"id": f"seed-{i:06d}"}), v) for i in range(7) for v in range(2)]
    config = GeneratorConfig(strategy="template", concurrency=3)
    ids = [made.conversation.id for made in generate_many(jobs, config, lambda _: "") if made.conversation]
    assert ids == [f"{seed.id}-{variant}" for seed, variant in jobs]


def test_an_invalid_seed_is_refused_without_quoting_it() -> None:
    with pytest.raises(SeedRejected) as caught:
        generate(SEED.model_copy(update={"objective": "call Brenda"}), WHOLE, lambda _: "")
    assert "Brenda" not in str(caught.value)
