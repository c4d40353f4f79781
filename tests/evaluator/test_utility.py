from __future__ import annotations

import random
from collections.abc import Sequence
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluator.utility import LabelledTurn, utility

WORDS = {
    "ask": ["what", "when", "where", "who", "how"],
    "tell": ["it", "is", "that", "was", "because"],
    "yes": ["yes", "sure", "right", "okay", "good"],
}


def bag_of_words(texts: Sequence[str]) -> NDArray[np.float32]:
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.split():
            row[crc32(word.encode()) % 64] += 1
    return rows


def turns(count: int, seed: int, noise: float = 0.0) -> list[LabelledTurn]:
    stream = random.Random(seed)
    found = []
    for _ in range(count):
        label = stream.choice(list(WORDS))
        text = " ".join(stream.choices(WORDS[label], k=4))
        said = stream.choice(list(WORDS)) if stream.random() < noise else label
        found.append(LabelledTurn(text, "", said))
    return found


def test_as_good_as_real_when_it_is_the_same() -> None:
    result = utility(turns(300, 1), turns(500, 2), turns(400, 3), bag_of_words)
    assert result.synthetic.value == result.real.value == result.ratio == 1.0
    assert (result.trained, result.tested) == (300, 400)
    assert result.synthetic.low < 1.0 == result.synthetic.high
    assert 0.3 < result.guess < 0.45


def test_wrong_labels_are_worth_less() -> None:
    result = utility(turns(300, 1, noise=1.0), turns(300, 2), turns(400, 3), bag_of_words)
    assert result.ratio < 0.75
    assert result.synthetic.high < result.real.low


def test_the_turn_before_counts() -> None:
    """An "ok" means yes after a question and nothing else tells so."""
    stream = random.Random(4)
    seen = [
        LabelledTurn("ok", before, "yes" if before == "what" else "tell")
        for before in stream.choices(["what", "it"], k=400)
    ]
    assert utility(seen[:200], seen[:200], seen[200:], bag_of_words).synthetic.value == 1.0


def test_draws_are_repeatable_and_bounded() -> None:
    one, two = (utility(turns(300, 1, 0.5), turns(300, 2, 0.5), turns(100, 3), bag_of_words, most=50) for _ in "ab")
    assert one == two
    assert one.trained == 50


def test_a_label_that_was_never_seen_is_never_named() -> None:
    only = [turn for turn in turns(300, 1) if turn.label != "yes"]
    result = utility(only, turns(300, 2), turns(300, 3), bag_of_words)
    assert result.synthetic.value == pytest.approx(2 / 3, abs=0.1)
