"""A model that may see the text chooses labels; whatever it says instead changes nothing and goes nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows import labelling as flow_labelling
from flows.errors import UsageError
from flows.labelling import labeller
from generator import client
from generator.completion import CompletionRequest
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from seed_engine.config import SeedConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.extract import extract
from seed_engine.schema import violations
from seed_engine.spans import EntitySpan
from seed_engine.vocabulary import vocabulary

TURNS = (
    Turn(role="customer", text="I am Zebulon and my parcel is late"),
    Turn(role="agent", text="Sorry to hear that"),
)
TALK = Conversation(id="c", turns=TURNS, language="en", domain="support")
SPANS = ((EntitySpan(5, 12, "PERSON", 1.0, "t"),), ())


def seed_of(choose: object) -> object:
    return extract(TALK, SPANS, "seed-000001", None, choose).seed  # type: ignore[arg-type]


def test_labels_of_the_vocabulary_are_taken() -> None:
    wanted = {"objective": "make_complaint", "act": "apology", "topic": "complaint"}
    seed = extract(TALK, SPANS, "seed-000001", None, lambda part, text, labels: wanted[part]).seed
    assert seed is not None
    assert violations(seed) == ()
    assert seed.objective == "make_complaint"
    assert {(step.act, step.topic) for step in seed.flow} == {("apology", "complaint")}
    assert seed.flow[0].slots[0] == "[CUSTOMER_1]"


@given(st.text(max_size=30) | st.sampled_from(["Zebulon", "make_complaint ", "MAKE_COMPLAINT", "describe_symptoms"]))
def test_anything_else_changes_nothing(said: str) -> None:
    labels = {*vocabulary().domain("support").topics, *vocabulary().domain("support").objectives}
    if said in labels or said in vocabulary().dialogue_acts:
        return
    assert seed_of(lambda part, text, labels: said) == seed_of(None)


def test_the_model_sees_markers_where_something_was_found() -> None:
    seen: list[str] = []

    def choose(part: str, text: str, labels: tuple[str, ...], /) -> str:
        seen.append(text)
        return ""

    seed_of(choose)
    assert len(seen) == 1 + 2 * len(TURNS)
    assert not any("Zebulon" in text for text in seen)


@pytest.mark.parametrize(
    ("model", "base", "here"),
    [
        (EMBEDDED_MODEL, None, True),
        ("ollama/llama3", None, False),
        ("ollama/llama3", "http://127.0.0.1:11434", True),
        ("openai/x", "http://127.0.0.1:8000/v1", True),
        ("ollama/llama3", "http://ollama.example.com:11434", False),
        ("openai/gpt-5", None, False),
        ("gpt-5", None, False),
        ("openai/x", "http://localhost.example.com", False),
        (EMBEDDED_MODEL, "https://example.com", False),
    ],
)
def test_raw_text_stays_on_this_machine_unless_the_user_says_so(
    model: str, base: str | None, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "completer", lambda config: lambda request: "x")
    config = SeedConfig(labeller=model, labeller_api_base=base)
    if here:
        assert labeller(config, GeneratorConfig()) is not None
    else:
        with pytest.raises(UsageError, match="allow_raw_to_provider"):
            labeller(config, GeneratorConfig())
    allowed = config.model_copy(update={"allow_raw_to_provider": True})
    assert labeller(allowed, GeneratorConfig()) is not None


def test_a_provider_named_in_the_environment_is_where_the_text_would_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "completer", lambda config: lambda request: "x")
    monkeypatch.setenv("OLLAMA_API_BASE", "http://ollama.example.com:11434")
    with pytest.raises(UsageError, match="allow_raw_to_provider"):
        labeller(SeedConfig(labeller="ollama/llama3"), GeneratorConfig())


def test_nobody_is_asked_by_default() -> None:
    assert labeller(SeedConfig(), GeneratorConfig()) is None


def test_the_request_offers_the_labels_and_takes_the_reply_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[CompletionRequest] = []

    def complete(request: CompletionRequest) -> str:
        asked.append(request)
        return ' "apology".\n'

    monkeypatch.setattr(client, "completer", lambda config: complete)
    choose = labeller(SeedConfig(labeller=EMBEDDED_MODEL), GeneratorConfig(seed=7))
    assert choose is not None
    assert choose("act", "Sorry", ("apology", "inform")) == "apology"
    (request,) = asked
    assert (request.prompt, request.seed, request.grammar) == ("Sorry", 7, 'root ::= "apology" | "inform"')
    assert "apology, inform" in request.system


def test_the_door_to_the_model_is_the_generators() -> None:
    text = Path(flow_labelling.__file__).read_text("utf-8")
    assert "litellm" not in text.lower().replace("litellm name", "")
