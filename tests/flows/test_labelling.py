"""Who sees the source's turns for their labels is told before it happens, and never without leave."""

from __future__ import annotations

import pytest

from flows.config import RunConfig
from flows.diagnosis import diagnose
from flows.errors import UsageError
from flows.labelling import labeller, labeller_destination
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from seed_engine.config import SeedConfig


@pytest.mark.parametrize(
    ("model", "api_base", "where", "here"),
    [
        (EMBEDDED_MODEL, None, EMBEDDED_MODEL, True),
        ("ollama/llama3", None, "ollama/llama3", True),
        ("openai/any", "http://127.0.0.1:8000/v1", "openai/any at 127.0.0.1", True),
        ("openai/any", None, "openai/any", False),
        ("openai/any", "https://models.example.com/v1", "openai/any at models.example.com", False),
    ],
)
def test_doctor_says_where_the_turns_go(
    monkeypatch: pytest.MonkeyPatch, model: str, api_base: str | None, where: str, here: bool
) -> None:
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
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
