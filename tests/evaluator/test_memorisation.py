from __future__ import annotations

import random

import pytest

from evaluator.config import EvaluatorConfig
from evaluator.memorisation import memorisation
from seed_engine.conversation import Conversation
from seed_engine.fingerprints import Fingerprints
from tests.evaluator.doubles import talk

KEY = b"a key that only this test knows."
CONFIG = EvaluatorConfig()
STREAM = random.Random(42)
LEXICON = ["".join(STREAM.choices("aeioulnrst", k=STREAM.randint(2, 8))) for _ in range(800)]


def fresh(count: int) -> list[Conversation]:
    return [talk(*(" ".join(STREAM.choices(LEXICON, k=12)) for _ in range(8)), ordinal=i) for i in range(count)]


def prints(conversations: list[Conversation]) -> Fingerprints:
    return Fingerprints.build(((c.id, [turn.text for turn in c.turns]) for c in conversations), KEY)


def test_one_copied_conversation_of_a_hundred_is_always_caught() -> None:
    sources = fresh(100)
    found = prints(sources)
    others = fresh(99)
    for source in sources[::5]:
        result = memorisation([*others, source], found, CONFIG)
        assert result.verbatim_copies == 1
        assert {finding.conversation for finding in result.findings} == {99}


def test_half_used_and_half_held_back_score_alike_when_nothing_is_copied() -> None:
    sources = fresh(400)
    synthetic = fresh(400)
    used, held_back = (memorisation(synthetic, prints(half), CONFIG) for half in (sources[:200], sources[200:]))
    assert used.rate == held_back.rate == 0.0


@pytest.mark.parametrize(("words", "memorised"), [(15, False), (16, True)])
def test_a_stretch_counts_from_sixteen_words(words: int, memorised: bool) -> None:
    passage = " ".join(f"{word}x" for word in LEXICON[:words])
    rest = [" ".join(STREAM.choices(LEXICON, k=30)) for _ in range(3)]
    result = memorisation([talk(passage, *rest)], prints([talk(passage)]), CONFIG)
    assert (result.rate, result.longest_words, result.verbatim_copies) == (float(memorised), words, 0)


def test_nothing_to_compare() -> None:
    assert memorisation([], prints([]), CONFIG).rate == 0.0
    assert memorisation([talk("short")], prints([talk("short")]), CONFIG).rate == 0.0
