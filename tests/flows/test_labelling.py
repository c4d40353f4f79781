"""Who sees the source's turns for their labels is told before it happens, and never without leave."""

from __future__ import annotations

import os

import pytest

from flows.config import RunConfig
from flows.diagnosis import diagnose
from flows.errors import UsageError
from flows.labelling import labeller, labeller_destination
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from seed_engine.config import SeedConfig


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tuple(os.environ):
        if name.endswith(("_API_BASE", "_BASE_URL")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("model", "api_base", "where", "here"),
    [
        (EMBEDDED_MODEL, None, EMBEDDED_MODEL, True),
        ("ollama/llama3", None, "ollama/llama3", False),
        ("ollama_chat/llama3", "http://localhost:11434", "ollama_chat/llama3 at localhost", True),
        ("claude-sonnet", "http://127.0.0.1:1", "claude-sonnet at 127.0.0.1", False),
        ("openai/any", "http://127.0.0.1:8000/v1", "openai/any at 127.0.0.1", True),
        ("openai/any", None, "openai/any", False),
        ("openai/any", "https://models.example.com/v1", "openai/any at models.example.com", False),
    ],
)
def test_doctor_says_where_the_turns_go(model: str, api_base: str | None, where: str, here: bool) -> None:
    seeds = SeedConfig(labeller=model, labeller_api_base=api_base)
    found = labeller_destination(seeds, GeneratorConfig())
    assert found is not None
    assert (found.where, found.here) == (where, here)
    told = diagnose(RunConfig(seeds=seeds))
    assert any("turns of the source" in line for line in (told.stays if here else told.leaves))
    if not here:
        with pytest.raises(UsageError):
            labeller(seeds, GeneratorConfig())


def test_by_default_no_model_sees_a_turn() -> None:
    assert labeller_destination(SeedConfig(), GeneratorConfig()) is None
    assert labeller(SeedConfig(), GeneratorConfig()) is None


@pytest.mark.parametrize("variable", ["OLLAMA_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_API_BASE"])
@pytest.mark.parametrize(
    "model",
    ["ollama/llama3", "ollama_chat/llama3", "openai/any", "gpt-5", "claude-sonnet", "gemini-pro", "llamafile/x"],
)
def test_the_environment_is_no_proof_that_a_model_is_here(
    monkeypatch: pytest.MonkeyPatch, model: str, variable: str
) -> None:
    monkeypatch.setenv(variable, "http://localhost:11434")
    with pytest.raises(UsageError, match="allow_raw_to_provider"):
        labeller(SeedConfig(labeller=model), GeneratorConfig())


def test_a_proxy_before_this_machine_would_see_the_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = SeedConfig(labeller="openai/any", labeller_api_base="http://127.0.0.1:8000/v1")
    monkeypatch.setattr("generator.client.completer", lambda config: lambda request: "x")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.com:3128")
    monkeypatch.setenv("NO_PROXY", "")
    with pytest.raises(UsageError, match="allow_raw_to_provider"):
        labeller(seeds, GeneratorConfig())
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert labeller(seeds, GeneratorConfig()) is not None


def test_a_busy_labeller_does_not_hand_the_turns_to_a_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[GeneratorConfig] = []

    def completer(config: GeneratorConfig) -> object:
        asked.append(config)
        return lambda request: "x"

    monkeypatch.setattr("generator.client.completer", completer)
    assert labeller(SeedConfig(labeller=EMBEDDED_MODEL), GeneratorConfig(fallbacks=("openai/any",))) is not None
    (config,) = asked
    assert (config.model, config.fallbacks) == (EMBEDDED_MODEL, ())
