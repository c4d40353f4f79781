"""Manners are drawn from the distributions that the settings declare, and show in what is said."""

from __future__ import annotations

import random
import re
from collections import Counter
from statistics import mean

import pytest
from pydantic import ValidationError
from scipy.stats import chisquare

from generator.config import GeneratorConfig
from generator.draft import draft
from generator.generate import generate
from generator.manner import Diversity, Manner, draw_manner
from generator.registers import in_register
from seed_engine.seed import FlowStep, Seed
from tests.generator.seeds import domain_seed, support_seed


def no_model(_: object) -> str:
    raise AssertionError("strategy `template` asked a model")


@pytest.mark.parametrize("name", ["persona", "register", "length", "outcome", "difficulty"])
def test_draws_follow_the_declared_weights(name: str) -> None:
    """Chi-square over 4,000 draws; a fixed seed, and one false alarm in 1,000 if it were another."""
    declared = Diversity.model_validate({"length": {"short": 1, "long": 3}}).weights[name]
    diversity, rng = Diversity.model_validate({"length": {"short": 1, "long": 3}}), random.Random(3)
    drawn = Counter(getattr(draw_manner(diversity, "neutral", rng), name) for _ in range(4000))
    assert set(drawn) == {label for label, weight in declared.items() if weight}
    total = sum(declared.values())
    expected = [4000 * weight / total for weight in declared.values()]
    assert chisquare([drawn[label] for label in declared], expected).pvalue > 0.001


def test_generations_say_their_manner_and_follow_the_settings() -> None:
    config = GeneratorConfig.model_validate(
        {"strategy": "template", "diversity": {"register": {"casual": 1}, "outcome": {"unresolved": 1}}}
    )
    manners = [generate(support_seed(6), config, no_model, variant=v).manner for v in range(20)]
    assert {(m.register, m.outcome) for m in manners} == {("casual", "unresolved")}
    assert len({m.persona for m in manners}) > 2


def test_a_formal_seed_has_said_its_register() -> None:
    assert {draw_manner(Diversity(), "formal", random.Random(i)).register for i in range(50)} == {"formal"}


@pytest.mark.parametrize("weights", [{"short": 0}, {"short": -1}, {"endless": 1}, {"short": float("nan")}])
def test_weights_that_draw_nothing_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Diversity.model_validate({"length": weights})


def texts(seed: Seed, manner: Manner, count: int = 30) -> list[str]:
    return [" ".join(t.text for t in draft(seed, random.Random(i), manner=manner)) for i in range(count)]


@pytest.mark.parametrize("language", ["en", "es"])
def test_long_conversations_are_longer_and_short_ones_shorter(language: str) -> None:
    seed = domain_seed("support", language)
    words = {
        length: mean(len(text.split()) for text in texts(seed, Manner(length=length)))
        for length in ("short", "medium", "long")
    }
    assert words["short"] < words["medium"] < words["long"]
    assert words["long"] > 1.2 * words["short"]


def test_registers_sound_different() -> None:
    seed = domain_seed("support", "en")
    formal, neutral, casual = (" ".join(texts(seed, Manner(register=r))) for r in ("formal", "neutral", "casual"))
    assert "I'm" in neutral
    assert "I'm" not in formal
    assert "Hello" not in " ".join(t.text for t in draft(seed, random.Random(1), manner=Manner(register="casual"))[:1])
    assert formal != casual != neutral


def test_no_outcome_is_said_to_a_question_or_where_nothing_was_wanted() -> None:
    for acts in (
        ("inform", "answer", "propositionalQuestion", "inform"),
        ("setQuestion", "answer", "inform", "inform"),
    ):
        flow = tuple(
            FlowStep(role=("customer", "agent")[i % 2], act=act, topic="delivery") for i, act in enumerate(acts)
        )
        seed = domain_seed("support", "en").model_copy(update={"flow": flow})
        for number in range(20):
            said = " ".join(turn.text for turn in draft(seed, random.Random(number), manner=Manner(outcome="resolved")))
            assert not re.search("sorted|settled|takes care", said), said


@pytest.mark.parametrize(
    ("outcome", "sign"),
    [("resolved", "sorted|settled|takes care"), ("unresolved", "couldn't|stay as it is|can't offer")],
)
def test_the_outcome_is_said_once_near_the_end(outcome: str, sign: str) -> None:
    seed = domain_seed("support", "en")
    for number in range(20):
        turns = draft(seed, random.Random(number), manner=Manner(outcome=outcome))
        said = [i for i, turn in enumerate(turns) if re.search(sign, turn.text) and turn.role == "agent"]
        assert len(said) >= 1
        assert said[-1] >= len(turns) - 5


@pytest.mark.parametrize(
    ("text", "language", "formal"),
    [
        ("Why doesn't the code come?", "en", "Why doesn't the code come?"),
        ("It doesn't come.", "en", "It does not come."),
        ("Can't you do it?", "en", "Can't you do it?"),
        ("Thanks a lot!", "en", "Thank you very much!"),
        ("I'd been lifting boxes, I'd say.", "en", "I had been lifting boxes, I would say."),
        ("Quiero el dinero y no un vale, ¿vale?", "es", "Quiero el dinero y no un vale, ¿de acuerdo?"),
    ],
)
def test_a_formal_sentence_is_still_a_sentence(text: str, language: str, formal: str) -> None:
    assert in_register(text, language, "formal") == formal
