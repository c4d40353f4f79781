"""Segments: which messages of a conversation belong to its mathematics.

A message whose density of mathematics reaches the threshold is an anchor. From every run of anchors the segment
grows to both sides, message by message, as long as the next one's vector stays close to the centroid of the segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seed_engine.math_text import density, mathematics

# Between two anchors no more than so many messages can belong to them: a longer talk has another subject.
LONGEST_BRIDGE = 4


class Vectors(Protocol):
    """Unit vectors of texts, float32[len(texts), n]; near vectors mean near subjects."""

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Embed texts, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of messages that do mathematics, half-open."""

    start: int
    end: int


def math_segments(
    texts: Sequence[str], vectors: Vectors, *, threshold: float | None = None, closeness: float | None = None
) -> tuple[Segment, ...]:
    """The mathematical segments of a conversation, in order and apart.

    Args:
        texts: its messages, in order.
        vectors: called only when a message that is no anchor stands beside a segment.
        threshold: least density of an anchor, > 0; None for the fitted one.
        closeness: least cosine between a message without mathematics and a segment's centroid for it to join, in
            [-1, 1]; None for the fitted one.
    """
    least = float(mathematics()["threshold"]) if threshold is None else threshold
    close = float(mathematics()["closeness"]) if closeness is None else closeness
    densities = [density(text) for text in texts]
    anchors = [value >= least for value in densities]
    if not any(anchors):
        return ()
    if all(anchors):
        return (Segment(0, len(texts)),)
    # A message with some mathematics in it may be farther off: "36" alone is near to nothing.
    needed = [close * (1 - value / least) for value in densities]
    return _runs(_grown(anchors, np.asarray(vectors(texts)), needed))


def inside(segments: Sequence[Segment], messages: int) -> tuple[bool, ...]:
    """For each message whether a segment holds it."""
    flags = [False] * messages
    for segment in segments:
        flags[segment.start : segment.end] = [True] * (segment.end - segment.start)
    return tuple(flags)


def _grown(anchors: Sequence[bool], points: NDArray[np.float32], needed: Sequence[float]) -> list[bool]:
    joined = list(anchors)
    for run in _runs(anchors):
        total = points[run.start : run.end].sum(axis=0)
        for step, at in ((-1, run.start - 1), (1, run.end)):
            taken = 0
            while 0 <= at < len(anchors) and not anchors[at] and taken < LONGEST_BRIDGE:
                if _cosine(points[at], total) < needed[at]:
                    break
                joined[at] = True
                total, taken, at = total + points[at], taken + 1, at + step
    # A single message between two of a segment interrupts it and does not end it.
    gaps = range(1, len(joined) - 1)
    return [flag or (i in gaps and joined[i - 1] and joined[i + 1]) for i, flag in enumerate(joined)]


def _cosine(point: NDArray[np.float32], total: NDArray[np.float32]) -> float:
    scale = float(np.linalg.norm(point) * np.linalg.norm(total))
    return float(point @ total) / scale if scale else -1.0


def _runs(flags: Sequence[bool]) -> tuple[Segment, ...]:
    runs: list[Segment] = []
    for i, flag in enumerate(flags):
        if flag and runs and runs[-1].end == i:
            runs[-1] = Segment(runs[-1].start, i + 1)
        elif flag:
            runs.append(Segment(i, i + 1))
    return tuple(runs)
