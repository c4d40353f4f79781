from __future__ import annotations

import random
from math import comb

import pytest

from evaluator.config import EvaluatorConfig
from evaluator.memorisation import MemorisationResult, memorisation
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


# ---- memorisation against the half that seeds were made from and the half that was held back

PHRASES = [" ".join(STREAM.choices(LEXICON, k=20)) for _ in range(60)]


def service_talks(count: int, stream: random.Random) -> list[Conversation]:
    """Conversations of a service with set phrases: one in five holds a long stretch that another may hold, too."""
    found = []
    for number in range(count):
        turns = [" ".join(stream.choices(LEXICON, k=18)) for _ in range(4)]
        if stream.random() < 0.2:
            turns[stream.randrange(4)] = stream.choice(PHRASES)
        found.append(talk(*turns, ordinal=number))
    return found


def beyond_chance(used: MemorisationResult, held_back: MemorisationResult) -> float:
    """How likely so many more conversations share a stretch with the used sources than with the held-back ones.

    An exact one-sided sign test (McNemar 1947) over the conversations that share a stretch with one of the two only.
    Used and held-back sources must be random halves: then, if nothing was memorised, each is as likely on either side.

    Args:
        used: of a set against the sources that its seeds were made from.
        held_back: of the same set against as many sources from which no seed was made.

    Returns:
        p-value, (0, 1]; small = memorised.
    """
    more, fewer = len(used.memorised - held_back.memorised), len(held_back.memorised - used.memorised)
    trials = more + fewer
    return float(sum(comb(trials, count) for count in range(more, trials + 1)) / 2**trials)


def beyond_chance_at(copied: int, seed: int) -> float:
    """p-value for 200 synthetic conversations, of which `copied` repeat a turn of a source of half A."""
    stream = random.Random(seed)
    half_a, half_b, synthetic = (service_talks(200, stream) for _ in range(3))
    for number, source in zip(range(copied), stream.sample(half_a, copied), strict=True):
        turns = [turn.text for turn in synthetic[number].turns]
        turns[3] = source.turns[2].text
        synthetic[number] = talk(*turns, ordinal=number)
    used, held_back = (memorisation(synthetic, prints(half), CONFIG) for half in (half_a, half_b))
    return beyond_chance(used, held_back)


def test_a_set_made_from_half_a_scores_alike_on_a_and_on_unseen_half_b() -> None:
    """Sign test at 0.01 on 200 conversations, a tenth of which share a stretch by chance with one half.

    False alarm 0.01 at most; power over 0.9 when 13% of the set repeat a stretch of half A.
    """
    honest = [beyond_chance_at(0, seed) for seed in range(12)]
    assert sum(p < 0.01 for p in honest) <= 1  # more has a chance of 0.6%
    copying = [beyond_chance_at(26, seed) for seed in range(12)]
    assert sum(p < 0.01 for p in copying) >= 11


@pytest.mark.parametrize(
    ("used", "held_back", "p"),
    [((), (), 1.0), ((1, 2, 3), (1, 2, 3), 1.0), ((1, 2, 3), (), 0.125), ((), (1, 2), 1.0), ((1, 2), (3,), 0.5)],
)
def test_beyond_chance_is_an_exact_sign_test(used: tuple[int, ...], held_back: tuple[int, ...], p: float) -> None:
    results = [MemorisationResult(0.0, 0.0, 0, 0, (), memorised=frozenset(numbers)) for numbers in (used, held_back)]
    assert beyond_chance(*results) == pytest.approx(p)


def test_one_percent_of_source_conversations_in_the_output_never_passes() -> None:
    """As whole conversations, whatever roles, case and punctuation they come back in."""
    stream = random.Random(77)
    sources, synthetic = service_talks(200, stream), service_talks(200, stream)
    found = prints(sources)
    for start in range(0, 200, 40):
        copied = [
            talk(*(turn.text.upper().replace(" ", ", ") for turn in source.turns), roles=("agent", "customer"))
            for source in sources[start : start + 2]
        ]
        assert memorisation([*synthetic[:198], *copied], found, CONFIG).verbatim_copies == 2
