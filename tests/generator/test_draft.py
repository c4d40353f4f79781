"""Drafts alone already keep every promise about roles, markers and personal data."""

from __future__ import annotations

import random
import re

from hypothesis import HealthCheck, given, settings

from generator.config import GeneratorConfig
from generator.draft import draft
from generator.generate import generate
from seed_engine.markers import iter_markers
from seed_engine.schema import violations
from seed_engine.seed import FlowStep, Seed
from tests.generator.seeds import seeds, support_seed

TEMPLATE = GeneratorConfig(strategy="template")
CONTACT = re.compile(r"@|https?:|www\.|\d{4,}|(?:\d[ .()-]?){7,}")


def no_model(_: object) -> str:
    raise AssertionError("strategy `template` asked a model")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seeds())
def test_any_valid_seed_becomes_a_conversation_of_its_roles_and_markers(seed: Seed) -> None:
    assert violations(seed) == ()
    made = generate(seed, TEMPLATE, no_model).conversation
    assert made is not None
    assert made.provenance == "synthetic"
    assert made.seed_id == seed.id
    assert [turn.role for turn in made.turns] == [step.role for step in seed.flow]
    for turn, step in zip(made.turns, seed.flow, strict=True):
        found = {str(marker) for _, _, marker in iter_markers(turn.text)}
        assert found == {slot for slot in step.slots if slot.startswith("[")}
        bare = re.sub(r"\[[A-Z_]+_\d+\]", "", turn.text)
        assert not re.search(r"[{}\[\]|~]", bare)
        assert CONTACT.search(bare) is None


def test_same_seed_and_variant_give_the_same_text_and_variants_differ() -> None:
    seed = support_seed(8)
    texts = [generate(seed, TEMPLATE, no_model, variant=v).conversation for v in (0, 0, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len({tuple(turn.text for turn in made.turns) for made in texts if made}) == 4


def test_another_run_seed_gives_another_text() -> None:
    one, other = (
        generate(support_seed(8), GeneratorConfig(strategy="template", seed=s), no_model).conversation for s in (0, 1)
    )
    assert one
    assert other
    assert one.turns != other.turns


def test_answer_follows_the_question_and_the_product_stays() -> None:
    steps = [
        ("customer", "inform", ("product",)),
        ("agent", "setQuestion", ()),
        ("customer", "answer", ("duration",)),
        ("customer", "inform", ("product", "error")),
    ]
    flow = tuple(FlowStep(role=r, act=a, topic="technical_fault", slots=s) for r, a, s in steps)
    seed = support_seed().model_copy(update={"flow": flow})
    for number in range(20):
        turns = draft(seed, random.Random(number))
        assert re.search(r"when|how long", turns[1].text, re.IGNORECASE), turns[1].text
        product = re.search(r"(coffee maker|headset|router|tablet|printer)", turns[0].text)
        assert product
        assert product[1] in turns[3].text


def test_no_greeting_in_the_middle_and_no_goodbye_before_the_end() -> None:
    acts = ["inform", "answer", "inform", "initialGoodbye", "initialGreeting", "setQuestion", "answer", "inform"]
    roles = ("customer", "agent")
    flow = tuple(FlowStep(role=roles[i % 2], act=act, topic="billing") for i, act in enumerate(acts))
    seed = support_seed().model_copy(update={"flow": flow})
    for number in range(20):
        middle = " ".join(turn.text for turn in draft(seed, random.Random(number))[3:5])
        assert not re.search(r"\b(?:bye|goodbye|hello|hi)\b", middle, re.IGNORECASE)


def test_nobody_goes_on_after_a_goodbye() -> None:
    roles = ("seller", "customer")
    for last in ("suggest", "inform", "offer", "setQuestion"):
        acts = ["inform", "thanking", "initialGoodbye", "returnGoodbye", last]
        flow = tuple(FlowStep(role=roles[i % 2], act=act, topic="price") for i, act in enumerate(acts))
        seed = support_seed().model_copy(update={"flow": flow, "domain": "automotive", "roles": roles})
        for number in range(10):
            said = " ".join(turn.text for turn in draft(seed, random.Random(number))[:-1])
            assert not re.search(r"\b(?:bye|goodbye)\b", said, re.IGNORECASE)


def test_few_pairs_of_conversations_share_most_of_their_turns() -> None:
    seed = support_seed(10)
    sets = []
    for variant in range(40):
        made = generate(seed, TEMPLATE, no_model, variant=variant).conversation
        assert made
        sets.append({turn.text for turn in made.turns})
    shared = max(len(a & b) / len(a | b) for i, a in enumerate(sets) for b in sets[:i])
    assert shared < 0.5
