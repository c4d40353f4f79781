"""A provider that is dead, stalls or has no model ends generation soon, with a count; nothing passes for its work.

`test_silence` has what follows from its answering again, or never answering one question.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from generator import client
from generator.completion import CompletionRequest
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from generator.errors import ProviderDown, ProviderTimeout, ProviderUnavailable
from generator.generate import Generation, generate_many
from generator.silence import PATIENCE
from seed_engine.errors import ModelError
from tests.generator.seeds import support_seed

SEED = support_seed(4)
REQUEST = CompletionRequest("system", "prompt", 10, 1)


def jobs(count: int) -> list[tuple[Any, int]]:
    return [(SEED, variant) for variant in range(count)]


def config(strategy: str, **settings: Any) -> GeneratorConfig:
    return GeneratorConfig.model_validate(
        {"strategy": strategy, "model_share": 1, "max_attempts": 2, "concurrency": 3} | settings
    )


@pytest.mark.parametrize("strategy", ["choose", "rewrite", "conversation"])
@pytest.mark.parametrize("count", [1, 3, 50])
def test_a_dead_provider_is_given_up_and_nothing_is_yielded(strategy: str, count: int) -> None:
    asked = Counter[str]()

    def dead(_: CompletionRequest) -> str:
        asked["times"] += 1
        raise ProviderUnavailable

    with pytest.raises(ProviderDown) as caught:
        list(generate_many(jobs(count), config(strategy), dead))
    assert caught.value.conversations == min(count, PATIENCE)
    assert sum(caught.value.failures.values()) >= min(count, PATIENCE)
    assert f"for {min(count, PATIENCE)} conversations" in str(caught.value)
    assert str(caught.value).endswith(f"still to be made: {count}")
    assert "provider_unavailable" in str(caught.value)
    assert asked["times"] <= 2 * (PATIENCE + 2 * 3 + 1)  # and soon: not once for every job


@pytest.mark.parametrize("strategy", ["choose", "rewrite"])
def test_a_provider_that_dies_half_way_gets_no_draft_through_as_its_own(strategy: str) -> None:
    left = iter(range(9))

    def dies(_: CompletionRequest) -> str:
        if next(left, None) is None:
            raise ProviderTimeout
        return "anything"

    seen: list[Generation] = []
    with pytest.raises(ProviderDown):
        seen.extend(generate_many(jobs(40), config(strategy, concurrency=1), dies))
    assert seen
    assert all(result.answered and not result.silenced for result in seen)


def test_rubbish_is_an_answer_and_not_silence() -> None:
    results = list(generate_many(jobs(PATIENCE + 4), config("conversation"), lambda _: "rubbish"))
    assert [result.dropped for result in results] == ["not_json"] * (PATIENCE + 4)


def test_a_stalling_provider_is_bounded_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever LiteLLM's own limit does: a byte now and then would start it anew."""
    released = threading.Event()

    def completion(**_: Any) -> Any:
        released.wait(30)
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="late"))])

    monkeypatch.setattr(client, "_litellm", lambda: SimpleNamespace(completion=completion, Timeout=TimeoutError))
    complete = client.completer(GeneratorConfig(model="openai/any", timeout_s=0.2))
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        complete(REQUEST)
    assert time.monotonic() - began < 5
    released.set()


def test_leaving_early_waits_for_nobody_who_is_stalled() -> None:
    released = threading.Event()

    def stall(_: CompletionRequest) -> str:
        released.wait(60)
        raise ProviderUnavailable

    stream = generate_many(jobs(4), config("conversation"), stall)
    began = time.monotonic()

    class Signal(BaseException):
        pass

    def interrupt(*_: object) -> None:
        raise Signal

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Signal):
            next(stream)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 5
    released.set()


def test_a_missing_model_is_told_at_once_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> Any:
        raise ModelError("model package missing; run: pip install it")

    monkeypatch.setattr(client, "model_path", missing)
    monkeypatch.setattr(client, "_litellm", lambda: SimpleNamespace(custom_provider_map=[]))
    with pytest.raises(ModelError, match="pip install"):
        client.completer(GeneratorConfig(model=EMBEDDED_MODEL))
    with pytest.raises(ProviderUnavailable):
        client.completer(GeneratorConfig(model="semilla/other"))


def test_templates_alone_load_no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_litellm", lambda: pytest.fail("LiteLLM was loaded"))
    settings = GeneratorConfig(strategy="template")
    (result,) = generate_many(jobs(1), settings, client.completer(settings))
    assert result.turns == {"template": 4}
