"""A name from a model's memory is seen wherever it stands in a sentence; ordinary words are none."""

from __future__ import annotations

import json

import pytest

from generator.config import GeneratorConfig
from generator.generate import generate_many
from generator.names import names_added
from tests.generator.seeds import support_seed


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Brenda told me that it is late.", "en"),
        ("It is late. Brenda told me.", "en"),
        ("I talked to Brenda yesterday.", "en"),
        ("Ask Dr. Quillfeather.", "en"),
        ("Francisca me lo dijo.", "es"),
        ("¿Beatriz lo sabe?", "es"),
        ("Hablé con Ramón ayer.", "es"),
    ],
)
def test_names_are_seen(text: str, language: str) -> None:
    assert names_added([text], language) >= 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Will it take long? May I ask? Mark it, please.", "en"),
        ("Hope that helps. [CUSTOMER_1], your order is late.", "en"),
        ("Luz verde. Mar y montaña. [PATIENT_1], dígame.", "es"),
    ],
)
def test_ordinary_words_are_no_names(text: str, language: str) -> None:
    assert names_added([text], language) == 0


@pytest.mark.parametrize("place", [0, 3])
def test_a_provider_that_remembers_somebody_is_counted_and_never_published(place: int) -> None:
    seeds = [support_seed(4).model_copy(update={"id": f"seed-{i:06d}"}) for i in range(1, 6)]

    def remembers(_: object) -> str:
        said = ("It says {} is late.", "Yes, {} left the house.", "Where does {} stand?", "We look for {} again.")
        steps = zip(seeds[0].flow, said, strict=True)
        turns = [{"role": step.role, "text": text.format(step.slots[1])} for step, text in steps]
        turns[place]["text"] = f"Brenda said {seeds[0].flow[place].slots[1]} is late."
        return json.dumps({"turns": turns})

    config = GeneratorConfig(strategy="conversation", max_attempts=2, concurrency=2)
    results = list(generate_many([(seed, 0) for seed in seeds], config, remembers))
    assert [result.conversation for result in results] == [None] * 5
    assert [result.dropped for result in results] == ["name_added"] * 5
    assert sum(result.faults["name_added"] for result in results) == 10
