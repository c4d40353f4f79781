"""What would leave this machine: a provider or a Prefect server elsewhere, and never a word about loopback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.config import RunConfig
from flows.destinations import destinations, is_loopback
from flows.diagnosis import diagnose
from flows.models_used import detector_files
from generator.config import GeneratorConfig
from seed_engine.errors import ModelError

HERE = (
    *(
        "http://127.0.0.1:4200/api",
        "http://localhost",
        "localhost:11434",
        "127.8.9.1",
        "http://[::1]:80/v1",
        "[::1]:80",
    ),
    *("http://LOCALHOST./", "http://api.localhost:9", "http://0.0.0.0:4200", "http://[::ffff:127.0.0.1]:1/"),
)
ELSEWHERE = (
    *("https://api.openai.com/v1", "http://10.0.0.7:8000", "localhost.example.org", "http://127.0.0.1.example.org", ""),
    *("http://example.org/127.0.0.1", "http://user:127.0.0.1@example.org", "http://[::1", "http://2130706433.x"),
)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tuple(os.environ):
        if name.endswith(("_API_BASE", "_BASE_URL")) or name.lower().endswith("_proxy") or name == "PREFECT_API_URL":
            monkeypatch.delenv(name)


@pytest.mark.parametrize("address", HERE)
def test_loopback_is_this_machine(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_anything_else_is_not(address: str) -> None:
    assert not is_loopback(address)


def leaves(**settings: object) -> tuple[str, ...]:
    return diagnose(RunConfig(generator=GeneratorConfig(**settings))).leaves  # type: ignore[arg-type]


def stays(**settings: object) -> tuple[str, ...]:
    return diagnose(RunConfig(generator=GeneratorConfig(**settings))).stays  # type: ignore[arg-type]


def test_by_default_nothing_is_sent_to_anybody() -> None:
    assert (leaves(), stays()) == ((), ())
    assert leaves(model="openai/gpt", strategy="template") == ()


def test_a_provider_elsewhere_is_named_with_what_it_gets() -> None:
    (sent,) = leaves(model="openai/gpt")
    assert "openai/gpt" in sent
    assert "seeds" in sent
    (sent,) = leaves(model="openai/gpt", api_base="https://user:hunter2@llm.example.org/v1")
    assert "llm.example.org" in sent
    assert "hunter2" not in sent


def test_a_provider_on_loopback_stays() -> None:
    for settings in ({"model": "openai/x", "api_base": "http://127.0.0.1:8080/v1"}, {"model": "ollama/llama3"}):
        assert leaves(**settings) == ()
        assert len(stays(**settings)) == 1


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("OPENAI_BASE_URL", "openai/x"),
        ("OPENAI_API_BASE", "openai/x"),
        ("OLLAMA_API_BASE", "ollama/x"),
        ("OLLAMA_API_BASE", "ollama_chat/x"),
        ("LM_STUDIO_API_BASE", "lm_studio/x"),
    ],
)
def test_the_environment_decides_where_a_provider_is(monkeypatch: pytest.MonkeyPatch, name: str, model: str) -> None:
    monkeypatch.setenv(name, "http://llm.example.org:1/v1")
    assert "llm.example.org" in leaves(model=model)[0]
    monkeypatch.setenv(name, "http://127.0.0.1:1/v1")
    assert leaves(model=model) == ()


@pytest.mark.parametrize("model", ["claude-sonnet", "gemini-pro", "anthropic/claude", "lm_studio/x"])
def test_openais_address_is_nobody_elses(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert len(leaves(model=model)) == 1


def test_of_two_addresses_the_one_that_litellm_takes_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", "http://localhost:1/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://llm.example.org/v1")
    assert "llm.example.org" in leaves(model="openai/x")[0]
    monkeypatch.setenv("USE_LITELLM_PROXY", "True")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert len(leaves(model="openai/x")) == 1
    assert len(leaves(model="ollama/x")) == 1


def test_a_proxy_before_loopback_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.org:3128")
    monkeypatch.setenv("NO_PROXY", "")
    assert len(leaves(model="openai/x", api_base="http://127.0.0.1:1/v1")) == 1
    assert len(leaves(model="ollama/x")) == 1


def test_fallbacks_are_told_too() -> None:
    (sent,) = leaves(fallbacks=("openai/gpt",))
    assert "openai/gpt" in sent
    (sent,) = leaves(model="openai/x", api_base="http://127.0.0.1:1/v1", fallbacks=("openai/gpt",))
    assert "openai/gpt" in sent
    assert "127.0.0.1" not in sent


@pytest.mark.parametrize(
    ("address", "left"), [("http://127.0.0.1:4200/api", 0), ("https://prefect.example.org/api", 1)]
)
def test_a_prefect_server_is_known(monkeypatch: pytest.MonkeyPatch, address: str, left: int) -> None:
    monkeypatch.setenv("PREFECT_API_URL", address)
    result = CliRunner().invoke(app, ["doctor", "--json"])
    payload = json.loads(result.stdout.splitlines()[-1])
    assert len(payload["leaves_this_machine"]) == left
    assert len(payload["stays_on_this_machine"]) == 1 - left
    assert not left or "prefect.example.org" in payload["leaves_this_machine"][0]


def test_a_user_profile_of_prefect_counts_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("flows.destinations._prefect_server", lambda: "https://prefect.example.org/api")
    (sent,) = destinations(GeneratorConfig())
    assert not sent.here


def test_a_changed_detector_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert diagnose(RunConfig()).ok
    monkeypatch.setattr("flows.models_used.file_sha256", lambda path: "0" * 64)
    (row,) = (row for row in diagnose(RunConfig()).rows if row.name == "model detector")
    assert not row.ok
    with pytest.raises(ModelError):
        detector_files()
