"""Streams: conversations laid out as arrays of letters and digits in which a value can be searched across turns.

A transcript gives one stream with all turns in order and one for each speaker alone; behind them stand the same streams
with their digits only. Everything a search finds is an index into these arrays and is brought back to turn and offset.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seed_engine.fold import DIGIT, classes, fold, source_offset, symbols
from seed_engine.rolling import Positions

# Characters a block: the arrays of one block stay in the processor's second-level cache.
BLOCK = 1 << 17


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is searched: the turns of one conversation, and who says each, if that is known."""

    turns: tuple[str, ...]
    speakers: tuple[str, ...] | None = None


class Place(NamedTuple):
    """A window brought back to its conversation; offsets are those of the turns as they were given."""

    conversation: int
    turn: int
    start: int
    end_turn: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Streams:
    """One block of streams.

    Attributes:
        points: uint32[n], code points of letters and digits, folded.
        origin: int64[n], where each stood in the block's folded text.
        bound: bool[n + 1], whether something stands between a point and the one before, or letters meet digits.
        digits: index of the first point of the digits-only half.
        copies: `(first offset in the folded text, conversation, turn)` of every turn laid out, in order.
        starts: first offsets of the streams in the folded text, in order.
        transcripts: what was laid out, by conversation.
    """

    points: NDArray[np.uint32]
    origin: Positions
    bound: NDArray[np.bool_]
    digits: int
    copies: list[tuple[int, int, int]]
    starts: list[int]
    transcripts: Sequence[Transcript] = field(repr=False)

    def words_of(self, length: int) -> Positions:
        """First points of the words of `length` characters."""
        edges = np.flatnonzero(self.bound[: self.digits + 1])
        words: Positions = edges[:-1][np.diff(edges) == length]
        return words

    def text(self, start: int, length: int) -> str:
        """The squeezed text of a window."""
        return self.points[start : start + length].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

    def pieces(self, start: int, length: int) -> list[str]:
        """The words of a window."""
        text = self.text(start, length)
        cuts = [0, *(np.flatnonzero(self.bound[start + 1 : start + length]) + 1).tolist(), length]
        return [text[cut:end] for cut, end in pairwise(cuts)]

    def is_digits_only(self, start: int) -> bool:
        """Whether a window lies in the half from which letters were taken out."""
        return start >= self.digits

    def is_set_off(self, start: int, length: int) -> bool:
        """Whether a window begins and ends where words do."""
        return bool(self.bound[start] and self.bound[start + length])

    def is_inside(self, start: int, length: int) -> bool:
        """Whether a window lies in one stream."""
        last = start + length - 1
        if start < self.digits <= last:
            return False
        streams = [bisect_right(self.starts, int(self.origin[index])) for index in (start, last)]
        return streams[0] == streams[1]

    def place(self, start: int, length: int) -> Place:
        """Where a window stands in its conversation."""
        first, last = (int(self.origin[index]) for index in (start, start + length - 1))
        offset, conversation, turn = self.copies[bisect_right(self.copies, (first, 1 << 62, 0)) - 1]
        end_offset, _, end_turn = self.copies[bisect_right(self.copies, (last, 1 << 62, 0)) - 1]
        turns = self.transcripts[conversation].turns
        begin = source_offset(turns[turn], first - offset)
        end = source_offset(turns[end_turn], last - end_offset + 1, end=True)
        text = turns[turn][begin:end] if turn == end_turn else ""
        return Place(conversation, turn, begin, end_turn, end, text)


def read(transcripts: Sequence[Transcript]) -> Iterator[Streams]:
    """Lay out transcripts in blocks of about `BLOCK` characters, whole transcripts each."""
    texts: list[str] = []
    copies: list[tuple[int, int, int]] = []
    starts: list[int] = []
    size = 0
    for number, transcript in enumerate(transcripts):
        folded = [fold(turn) for turn in transcript.turns]
        for stream in _orders(transcript):
            starts.append(size)
            for turn in stream:
                copies.append((size, number, turn))
                texts.append(folded[turn])
                size += len(folded[turn]) + 1
        if size >= BLOCK:
            yield _laid_out(texts, copies, starts, transcripts)
            texts, copies, starts, size = [], [], [], 0
    if texts:
        yield _laid_out(texts, copies, starts, transcripts)


def _orders(transcript: Transcript) -> Iterator[Sequence[int]]:
    yield range(len(transcript.turns))
    if transcript.speakers is None:
        return
    by_speaker: dict[str, list[int]] = {}
    for turn, speaker in enumerate(transcript.speakers):
        by_speaker.setdefault(speaker, []).append(turn)
    if len(by_speaker) > 1:
        yield from (turns for turns in by_speaker.values() if len(turns) > 1)


def _laid_out(
    texts: list[str], copies: list[tuple[int, int, int]], starts: list[int], transcripts: Sequence[Transcript]
) -> Streams:
    points = symbols("\n".join(texts))
    kinds = classes(points)
    origin = np.flatnonzero(kinds)
    kept = kinds[origin]
    bound = np.ones(len(origin) + 1, dtype=np.bool_)
    if len(origin):
        bound[1:-1] = (np.diff(origin) > 1) | (kept[1:] != kept[:-1])
    digits = origin[kept == DIGIT]
    whole = np.concatenate([origin, digits])
    edges = np.concatenate([bound, np.zeros(len(digits), dtype=np.bool_)])
    return Streams(points[whole], whole, edges, len(origin), copies, starts, transcripts)
