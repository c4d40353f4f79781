from __future__ import annotations

import pytest

from evaluator.bench import half_of, quality_bench
from evaluator.corruptions import CORRUPTIONS
from evaluator.embedding import embed
from tests.evaluator.dialogues import good_conversations
from tests.evaluator.doubles import talk

GOOD = good_conversations()


def test_every_measure_meets_every_corruption_and_sees_its_own() -> None:
    result = quality_bench(GOOD, embed)
    table = result.table
    assert result.conversations == len(GOOD)
    assert result.passing >= 0.75
    assert {"composite", "speaker_fit", "turn_order", "next_turn", "fluency", "no_repetition", "mattr"} <= set(table)
    assert all(set(row) == set(CORRUPTIONS) for row in table.values())
    own = {
        "speaker_fit": "crossed_speakers",
        "turn_order": "shuffled_turns",
        "next_turn": "crossed_conversations",
        "progress": "repeated_turns",
        "fluency": "random_words",
        "no_repetition": "repeated_turns",
    }
    for measure, corruption in own.items():
        found = table[measure][corruption]
        assert found.value >= 0.85, (measure, corruption)
        assert found.low <= found.value <= found.high
    # A measure of words alone cannot know who says them.
    assert table["mattr"]["crossed_speakers"].value == pytest.approx(0.5)


def test_halves_are_told_by_id_alone() -> None:
    talks = [talk("hello", ordinal=n) for n in range(200)]
    seen, unseen = half_of(talks, "seen"), half_of(talks, "unseen")
    assert sorted(one.id for one in [*seen, *unseen]) == sorted(one.id for one in talks)
    assert half_of(talks, "all") == talks
    assert 60 < len(seen) < 140
    assert half_of(talks[::-1], "seen") == seen[::-1]
