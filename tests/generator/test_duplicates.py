"""No two near-duplicates leave the generator, and what is different is let through."""

from __future__ import annotations

import json
import random

import pytest

from generator.config import GeneratorConfig
from generator.duplicates import SIMILARITY, SeenConversations
from generator.generate import generate_many
from seed_engine.conversation import Conversation, Turn
from seed_engine.fold import words
from seed_engine.markers import MARKER_PATTERN
from tests.generator.seeds import domain_seed, support_seed

VOCABULARY = [f"word{i}" for i in range(400)]


def talk(*texts: str) -> Conversation:
    turns = tuple(Turn(role=("customer", "agent")[i % 2], text=text) for i, text in enumerate(texts))
    return Conversation(id="c", turns=turns, language="en", provenance="synthetic")


def naive(one: Conversation, other: Conversation) -> float:
    def triples(item: Conversation) -> set[tuple[str, ...]]:
        said = [w for turn in item.turns for w in words(MARKER_PATTERN.sub(" ", turn.text))]
        return {tuple(said[i : i + 3]) for i in range(len(said) - 2)}

    a, b = triples(one), triples(other)
    return len(a & b) / len(a | b)


def test_hashing_agrees_with_the_slow_comparison() -> None:
    """400 pairs whose similarity runs from 0 to 1; near the limit either answer is right."""
    rng = random.Random(1)
    for _ in range(400):
        first = rng.choices(VOCABULARY, k=120)
        second = [w if rng.random() > 0.12 * rng.random() else rng.choice(VOCABULARY) for w in first]
        one, other = talk(" ".join(first)), talk(" ".join(second))
        seen = SeenConversations()
        seen.add(one)
        similarity = naive(one, other)
        if abs(similarity - SIMILARITY) > 0.05:
            assert seen.is_new(other) == (similarity < SIMILARITY)


def test_other_markers_make_no_other_conversation() -> None:
    seen = SeenConversations()
    said = " ".join(VOCABULARY[:80])
    seen.add(talk(f"My name is [CUSTOMER_1] and I wait for [ORDER_1]. {said}"))
    assert not seen.is_new(talk(f"My name is [CUSTOMER_2] and I wait for [ORDER_7]. {said}"))


def test_a_few_lines_are_no_duplicate_of_the_same_few_lines() -> None:
    seen = SeenConversations()
    seen.add(talk("Hello, is anybody there?", "Yes, how can I help?"))
    assert seen.is_new(talk("Hello, is anybody there?", "Yes, how can I help?"))


def test_a_model_that_says_the_same_to_everybody_is_dropped_and_counted() -> None:
    flow = tuple(step.model_copy(update={"slots": ()}) for step in support_seed(4).flow)
    seeds = [support_seed(4).model_copy(update={"id": f"seed-{i:06d}", "flow": flow}) for i in range(1, 6)]
    said = [" ".join(VOCABULARY[20 * i : 20 * i + 20]) for i in range(4)]
    reply = json.dumps({"turns": [{"role": s.role, "text": t} for s, t in zip(flow, said, strict=True)]})
    config = GeneratorConfig(strategy="conversation", concurrency=2)
    results = list(generate_many([(seed, 0) for seed in seeds], config, lambda _: reply))
    assert [result.dropped for result in results] == [None] + ["near_duplicate"] * 4
    assert all(result.faults["near_duplicate"] == 3 for result in results[1:])


@pytest.mark.parametrize("language", ["en", "es"])
def test_many_variants_of_one_seed_are_no_near_duplicates(language: str) -> None:
    jobs = [(domain_seed("support", language), variant) for variant in range(60)]
    made = [r.conversation for r in generate_many(jobs, GeneratorConfig(strategy="template"), lambda _: "")]
    kept = [item for item in made if item is not None]
    assert len(kept) >= 54
    assert max(naive(a, b) for i, a in enumerate(kept) for b in kept[:i]) < 0.7


def test_what_was_there_already_counts_too() -> None:
    seed = domain_seed("support", "en")
    config = GeneratorConfig(strategy="template")
    (first,) = generate_many([(seed, 0)], config, lambda _: "")
    assert first.conversation
    (again,) = generate_many([(seed, 0)], config, lambda _: "", already=[first.conversation])
    assert again.faults == {"near_duplicate": 1}
    assert again.conversation
    assert again.conversation.turns != first.conversation.turns
