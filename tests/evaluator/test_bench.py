from __future__ import annotations

import random
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from evaluator.bench import quality_bench
from evaluator.corruptions import CORRUPTIONS
from tests.evaluator.doubles import talk

TOPICS = ["kettle water lid steam", "parcel driver street door", "knee walk rest pain", "sum half four step"]


def bag_of_words(texts: Sequence[str]) -> NDArray[np.float32]:
    rows = np.full((len(texts), 64), 1e-3, dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.split():
            row[crc32(word.encode()) % 64] += 1
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_measures_see_what_they_should() -> None:
    stream = random.Random(9)
    talks = [
        talk(*(" ".join(stream.choices(t.split(), k=6)) for _ in range(8)), ordinal=n)
        for n, t in enumerate(TOPICS * 10)
    ]
    table = quality_bench(talks, bag_of_words, window=10)
    assert set(table) == {"topic_continuity", "no_repetition", "mattr"}
    assert all(set(row) == set(CORRUPTIONS) for row in table.values())
    assert table["topic_continuity"]["crossed_conversations"] > 0.7
    assert all(0.0 <= value <= 1.0 for row in table.values() for value in row.values())
