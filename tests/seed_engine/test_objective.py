"""Objectives by words and, where there are none, by meaning; the embedding is the pinned one, without torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from seed_engine.conversation import Conversation, Turn
from seed_engine.embedding import DIMENSIONS, MiniLM
from seed_engine.extract import extract
from seed_engine.objective import nearest_objective
from seed_engine.vocabulary import vocabulary

EMBED = MiniLM()
DATA = Path(__file__).resolve().parents[2] / "seed_engine" / "data"
SENTENCES = [
    "Hi",
    "I'd like to book a table for two in the centre, please.",
    "¿Cuánto cuesta la habitación más barata que tienen libre este fin de semana?",
    "x" * 300,
    "",
]


def test_vectors_have_length_one_and_depend_on_their_text_alone() -> None:
    vectors = EMBED(SENTENCES)
    assert vectors.shape == (len(SENTENCES), DIMENSIONS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for text, vector in zip(SENTENCES, vectors, strict=True):
        assert np.array_equal(EMBED([text])[0], vector)
    assert EMBED([]).shape == (0, DIMENSIONS)


def test_it_is_the_model_as_torch_computes_it() -> None:
    """A twin: transformers' own forward pass, on texts that neither cuts."""
    from evaluator.embedding import embed

    texts = SENTENCES[:3]
    assert np.all((EMBED(texts) * embed(texts)).sum(axis=1) > 0.999)


def test_the_embedding_imports_no_torch() -> None:
    code = "from seed_engine.embedding import MiniLM; import sys; MiniLM()(['hi']); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_every_objective_has_examples_and_only_those() -> None:
    shipped = json.loads((DATA / "prototypes.json").read_text("utf-8"))
    profiles = {name: profile for name, profile in vocabulary().domains.items() if not profile.own}
    assert set(shipped) == set(profiles)
    for name, profile in profiles.items():
        assert set(shipped[name]) == set(profile.objectives[:-1])
        assert all(len(sentences) >= 3 for sentences in shipped[name].values())


@pytest.mark.parametrize(
    ("text", "domain", "objective"),
    [
        ("It's freezing in here and my phone died while I waited for you people", "medical", "general_consultation"),
        ("Somebody took my bag and now there are purchases on it", "finance", "report_fraud"),
        ("We are expecting twins and two doors will not do any more", "automotive", "find_vehicle"),
        ("My wife and I no longer get along", "legal", "arrange_family_matter"),
        ("I would love to hear some jazz", "general", "play_media"),
    ],
)
def test_meaning_finds_what_no_keyword_does(text: str, domain: str, objective: str) -> None:
    assert nearest_objective(text, vocabulary().domain(domain), EMBED) == objective


def test_the_embedding_is_asked_only_where_no_keyword_speaks() -> None:
    asked: list[str] = []

    class Watching:
        def __call__(self, texts: list[str], /) -> np.ndarray:
            asked.extend(texts)
            return EMBED(texts)

    def talk(text: str) -> Conversation:
        turns = (Turn(role="client", text=text), Turn(role="advisor", text="Let me see."))
        return Conversation(id="c", turns=turns, language="en", domain="finance")

    watching = Watching()
    seed = extract(talk("I want to refinance my mortgage"), ((), ()), "seed-000001", watching).seed
    assert seed is not None
    assert (seed.objective, asked) == ("review_mortgage", [])
    seed = extract(
        talk("Somebody took my bag and now there are purchases on it"), ((), ()), "seed-000001", watching
    ).seed
    assert seed is not None
    assert (seed.objective, seed.flow[0].topic) == ("report_fraud", "fraud")
    assert asked
