"""Fits the weights and thresholds of segmentation on one half of the dialogues by id, and reports them on the other.

Usage: python -m scripts.fit_tutoring SHARED_DATA [--write]. Turns of mathematics dialogues stand against turns of
service and medical dialogues, which are full of prices, times and quantities. Whether a message without much
mathematics stays in a segment is asked with runs of such turns put into lessons.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from seed_engine.math_text import KINDS, counts, density, mathematics
from seed_engine.segments import inside, math_segments
from seed_engine.word_vectors import WordVectors

OTHERS = ("sgd", "taskmaster4", "mts_dialog")
MOST = 4_000
# Of messages without mathematics so many may be anchors.
FALSE_ANCHORS = 0.05
# These dialogues are arithmetic in words; other lessons write algebra, so no kind may count for nothing.
LEAST = 0.5
STEPS, RATE, RIDGE = 4_000, 0.3, 1e-3
TARGET = Path(__file__).parent.parent / "seed_engine" / "data" / "profiles" / "mathematics.json"


def main(data: Path, *, write: bool) -> None:
    """Fit on half 0, print figures of half 1."""
    lessons = {
        half: [talk for talk in _talks(data / "dialogues/mathdial.jsonl") if _half(talk) == half] for half in (0, 1)
    }
    others = {half: _others(data, half) for half in (0, 1)}
    weights = _fit([text for talk in lessons[0] for text in talk[1]], others[0])
    mathematics()["weights"] |= weights
    threshold = round(float(np.quantile([density(text) for text in others[0]], 1 - FALSE_ANCHORS)), 2)
    vectors = WordVectors()
    closeness = max(
        np.arange(0.0, 0.9, 0.05), key=lambda close: _balanced(lessons[0], others[0], vectors, threshold, close)[0]
    )
    for half in (0, 1):
        texts = [text for talk in lessons[half] for text in talk[1]]
        found = [float(np.mean([density(text) >= threshold for text in part])) for part in (texts, others[half])]
        figures = _balanced(lessons[half], others[half], vectors, threshold, float(closeness))
        print(f"half {half}: anchors {found[0]:.3f} of lessons, {found[1]:.3f} of others;", end=" ")
        print(f"joined {figures[1]:.3f} of a lesson's rest, {figures[2]:.3f} of put-in turns")
    fitted = {"weights": weights, "threshold": threshold, "closeness": round(float(closeness), 2)}
    print(json.dumps(fitted))
    if write:
        text = TARGET.read_text("utf-8")
        head = text[: text.index(' "weights"')]
        TARGET.write_text(
            head + ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in fitted.items()) + "\n}\n",
            "utf-8",
        )


def _talks(file: Path) -> Iterator[tuple[str, list[str]]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield str(record["id"]), [turn["text"] for turn in record["turns"] if turn["text"].strip()]


def _half(talk: tuple[str, list[str]]) -> int:
    return sha256(talk[0].encode()).digest()[0] % 2


def _others(data: Path, half: int) -> list[str]:
    texts = [
        text
        for name in OTHERS
        for talk in _talks(data / f"dialogues/{name}.jsonl")
        if _half(talk) == half
        for text in talk[1]
    ]
    return Random(half).sample(texts, min(MOST, len(texts)))


def _fit(lessons: list[str], others: list[str]) -> dict[str, float]:
    """Logistic regression on log(1 + count), weights not below zero, scaled to a mean of one."""
    lessons = Random(0).sample(lessons, min(MOST, len(lessons)))
    points = np.log1p(np.array([[counts(text)[kind] for kind in KINDS] for text in lessons + others], dtype=np.float64))
    target = np.array([1.0] * len(lessons) + [0.0] * len(others))
    weights, bias = np.zeros(len(KINDS)), 0.0
    for _ in range(STEPS):
        error = 1 / (1 + np.exp(-(points @ weights + bias))) - target
        weights = np.maximum(LEAST, weights - RATE * (points.T @ error / len(target) + RIDGE * weights))
        bias -= RATE * error.mean()
    scaled: NDArray[np.float64] = weights / weights.mean()
    return {kind: round(float(weight), 2) for kind, weight in zip(KINDS, scaled, strict=True)}


def _balanced(
    lessons: list[tuple[str, list[str]]], others: list[str], vectors: WordVectors, threshold: float, close: float
) -> tuple[float, float, float]:
    """Mean of: a lesson's other messages joined, put-in messages left out; and the shares joined of both."""
    stream, joined = Random(1), {True: [0, 0], False: [0, 0]}
    for _, own in lessons[:150]:
        at, run = stream.randrange(1, len(own) + 1), stream.sample(others, stream.randint(1, 3))
        texts = own[:at] + run + own[at:]
        flags = inside(math_segments(texts, vectors, threshold=threshold, closeness=close), len(texts))
        for i, text in enumerate(texts):
            if density(text) < threshold:
                mine = not at <= i < at + len(run)
                joined[mine][0] += flags[i]
                joined[mine][1] += 1
    kept, wrong = (joined[mine][0] / max(1, joined[mine][1]) for mine in (True, False))
    return (kept + 1 - wrong) / 2, kept, wrong


if __name__ == "__main__":
    main(Path(sys.argv[1]), write="--write" in sys.argv)
