from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.corruptions import CORRUPTIONS
from evaluator.discrimination import auc, corruption_auc
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
