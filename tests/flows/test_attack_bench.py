"""The bench of the text-only attack: its second paraphraser is a stranger to the first, and its leak is seen."""

from __future__ import annotations

import random

import pytest

import attacks.paraphrase as own
from flows.attack_bench import PARAPHRASERS, measure_sight
from flows.attack_bench_paraphrase import _FILLERS, retold
from seed_engine.conversation import Conversation, Turn

SYLLABLES = ("ba", "ko", "mi", "tu", "re", "sa", "lon", "der", "fi", "wex")


def conversations(count: int) -> list[Conversation]:
    """Five turns of nine words out of a thousand, so that no two people say the same."""
    rng = random.Random(0)
    turns = [[" ".join("".join(rng.choices(SYLLABLES, k=3)) for _ in range(9)) for _ in range(5)] for _ in range(count)]
    return [
        Conversation(id=str(i), turns=tuple(Turn(role="customer", text=text) for text in said))
        for i, said in enumerate(turns)
    ]


def test_the_second_paraphraser_knows_no_rule_of_the_first() -> None:
    """No word that has a substitute in the attack's own tables is ever replaced by it, and no number by a marker."""
    fillers = {word for filler in _FILLERS for word in filler.split()}
    for word, substitute in (own._SYNONYMS | own._FUNCTION | {"4711": own._MARKER}).items():
        text = " ".join([word] * 20)
        told = {piece.strip(",") for seed in range(10) for piece in retold(text, random.Random(seed)).split()}
        assert not set(substitute.split()) & told - fillers - {word}, word


@pytest.mark.parametrize("text", ["", "a", "a\nb\n\nc", "it is so\nwe go on and on about the very same matter"])
def test_turns_stay_turns_and_none_is_emptied(text: str) -> None:
    for seed in range(100):
        told = retold(text, random.Random(seed)).split("\n")
        assert [bool(line) for line in told] == [bool(line) for line in text.split("\n")]


def test_the_same_seed_tells_the_same() -> None:
    text = conversations(1)[0].turns[0].text
    assert retold(text, random.Random(4)) == retold(text, random.Random(4)) != retold(text, random.Random(5)) != text


@pytest.mark.parametrize("paraphraser", sorted(PARAPHRASERS))
def test_a_leak_is_seen_whoever_paraphrased_it(paraphraser: str) -> None:
    """400 sources of whom eight are copied: each is recognised, and nobody else."""
    seen = measure_sight(conversations(1000), 0.02, 0, paraphraser)
    assert (seen.paraphraser, seen.successes, seen.trials, seen.verdict) == (paraphraser, 8, 400, "fail")
