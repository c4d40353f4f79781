from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.corruptions import CORRUPTIONS
from evaluator.discrimination import auc, auc_interval, corruption_auc, discrimination
from tests.evaluator.doubles import CLEAN, talk

SCORES = st.lists(st.integers(0, 5), min_size=1, max_size=12)
STRANGER = talk("The bus leaves now.", "Which one?", "The blue one.", "Then run!", ordinal=2)


@given(SCORES, SCORES)
def test_auc_agrees_with_all_pairs(high: list[int], low: list[int]) -> None:
    naive = sum((h > x) + 0.5 * (h == x) for h in high for x in low) / (len(high) * len(low))
    assert auc(high, low) == pytest.approx(naive)


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corruption_changes_something_and_keeps_the_shape(name: str) -> None:
    original = talk(*CLEAN)
    for seed in range(20):
        spoilt = CORRUPTIONS[name](original, STRANGER, random.Random(seed))
        assert spoilt.turns != original.turns
        assert len(spoilt.turns) == len(original.turns)
        if name != "crossed_speakers":
            assert [turn.role for turn in spoilt.turns] == [turn.role for turn in original.turns]


def test_shuffling_keeps_the_texts_and_crossing_takes_half() -> None:
    original, stream = talk(*CLEAN), random.Random(0)
    shuffled = CORRUPTIONS["shuffled_turns"](original, STRANGER, stream)
    assert Counter(turn.text for turn in shuffled.turns) == Counter(CLEAN)
    crossed = CORRUPTIONS["crossed_conversations"](original, STRANGER, stream)
    assert sum(turn.text in CLEAN for turn in crossed.turns) == 2


def test_shuffling_equal_turns_ends() -> None:
    CORRUPTIONS["shuffled_turns"](talk("yes", "yes", "yes"), STRANGER, random.Random(0))


def test_a_measure_that_sees_repetition_sees_only_that() -> None:
    conversations = [
        talk(*(f"{word} number {i} of talk {n}" for i, word in enumerate("abcdef")), ordinal=n) for n in range(40)
    ]
    table = corruption_auc(
        conversations,
        {
            "distinct": lambda talks: [len({turn.text for turn in c.turns}) / len(c.turns) for c in talks],
            "constant": lambda talks: [0.0] * len(talks),
        },
    )
    assert set(table["distinct"]) == set(CORRUPTIONS)
    assert table["distinct"]["repeated_turns"] == 1.0
    assert table["distinct"]["shuffled_turns"] == 0.5
    assert set(table["constant"].values()) == {0.5}


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """400 draws of 60 and 60 normal scores one deviation apart (AUC 0.760); a false alarm in 1 of 10,000 runs."""
    stream = np.random.default_rng(11)
    truth, held = 0.7602499, 0
    for _ in range(400):
        found = auc_interval(stream.normal(1, 1, 60), stream.normal(0, 1, 60))
        held += found.low <= truth <= found.high
        assert found.low <= found.value <= found.high
    assert 0.905 <= held / 400 <= 0.99


def test_one_conversation_says_nothing() -> None:
    assert (auc_interval([1.0], [0.0, 0.5]).low, auc_interval([1.0], [0.0, 0.5]).high) == (0.0, 1.0)
    apart = auc_interval([1.0, 2.0], [0.0, 0.5])
    assert (apart.low, apart.value, apart.high) == (pytest.approx(0.025**0.5), 1.0, 1.0)
    under = auc_interval([0.0] * 40, [1.0] * 50)
    assert (under.low, under.value, under.high) == (0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 40)))


def test_strangers_of_another_set_bring_their_words() -> None:
    good = [talk(*(f"own {n} {i}" for i in range(6)), ordinal=n) for n in range(10)]
    others = [talk(*(f"foreign {n} {i}" for i in range(6)), ordinal=n) for n in range(3)]

    def foreign(talks: object) -> dict[str, list[float]]:
        return {"own": [-sum("foreign" in turn.text for turn in one.turns) for one in talks]}  # type: ignore[attr-defined]

    table = discrimination(good, foreign, strangers=others)
    assert table["own"]["crossed_conversations"].value == 1.0
    assert discrimination(good, foreign)["own"]["crossed_conversations"].value == 0.5
