"""Streams: conversations laid out as arrays of letters and digits in which a value can be searched across turns.

A transcript gives one stream with all turns in order and one for each speaker alone; behind them stand the same streams
with their digits only, and once more with spoken digits ("five, oh, nine") among them. Everything a search finds is an
index into these arrays and is brought back to turn and offset.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, pairwise, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seed_engine.fold import DIGIT, NEITHER, classes, fold, source_offset, symbols
from seed_engine.rolling import Positions
from seed_engine.spoken import spoken_digits

# Characters a block: with fewer, the cost of a block outweighs that of its letters; with more, memory grows.
BLOCK = 1 << 18


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
    """One block of streams: all text, then its digits alone, then its digits with spoken ones.

    Attributes:
        points: uint32[n], code points of letters and digits, folded.
        origin: where each point of the block's turns, laid out once, stood in the folded text.
        source: int64[digits], the same point among them.
        bound: bool[digits + 1], whether something stands between a point and the one before, or letters meet digits.
        edges: where `bound` is true: where words begin, and where the last one ends.
        digits: first point of the digits-only part.
        spoken: first point of the part with spoken digits.
        following: int64[n - digits], first point of the text after each digit.
        index: int64[n - digits], the point of the text that each digit is, or begins at.
        joins: where turns of one speaker that are not neighbours meet.
        rows: every speaker's turns in a row.
        starts: first point of every stream of every part, in order.
        turns: where each turn begins in the block's folded text.
        conversations: number of each conversation, and of its first turn in `turns`, in order.
    """

    points: NDArray[np.uint32]
    origin: Positions
    source: Positions
    bound: NDArray[np.bool_]
    edges: Positions
    digits: int
    spoken: int
    following: Positions
    index: Positions
    joins: Positions
    rows: Rows
    starts: list[int]
    turns: list[int]
    conversations: list[tuple[int, int]]
    transcripts: Sequence[Transcript] = field(repr=False)

    def words(self) -> tuple[Positions, Positions]:
        """Words of the turns as they follow each other: where each begins, and its length."""
        edges = self.edges[: np.searchsorted(self.edges, len(self.origin), "right")]
        return edges[:-1], np.diff(edges)

    def joints(self, reach: int) -> Positions:
        """Beginnings of words of one speaker's turns from which `reach` points lead into that speaker's next turn."""
        begins, _ = between(self.edges, self.joins - reach + 1, self.joins - 1)
        return begins[begins >= len(self.origin)]

    def landings(self, reach: int) -> Positions:
        """Ends of words of one speaker's turns from which `reach` points back lead into that speaker's turn before."""
        return between(self.edges, self.joins + 1, self.joins + reach - 1)[0]

    def crossings(self, reach: int) -> Positions:
        """Points of one speaker's turns from which `reach` points lead into that speaker's next turn."""
        near: Positions = (self.joins[:, np.newaxis] - np.arange(1, reach)).ravel()
        return near[near >= len(self.origin)]

    def everywhere(self, points: Positions) -> Positions:
        """Sorted points of the turns as they follow each other, and where the same stand in one speaker's turns."""
        return self.rows.everywhere(points, len(self.origin))[0]

    def runs(self, length: int) -> Positions:
        """First points of all runs of `length` digits: next to each other in the text, anywhere in the other parts."""
        plain = self.index[: self.spoken - self.digits]
        last = len(plain) - length + 1
        close = plain[:last][plain[length - 1 :] - plain[:last] == length - 1] if last > 0 else plain[:0]
        apart: Positions = np.arange(self.digits, max(self.digits, len(self.points) - length + 1), dtype=np.int64)
        return np.concatenate([close, apart])

    def text(self, start: int, length: int) -> str:
        """The squeezed text of a window."""
        return self.points[start : start + length].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

    def pieces(self, start: int, length: int) -> list[str]:
        """The words of a window of the text."""
        text = self.text(start, length)
        cuts = [0, *(np.flatnonzero(self.bound[start + 1 : start + length]) + 1).tolist(), length]
        return [text[cut:end] for cut, end in pairwise(cuts)]

    def is_set_off(self, start: int, length: int) -> bool:
        """Whether a window of the text begins and ends where words do."""
        return bool(self.bound[start] and self.bound[start + length])

    def is_close(self, start: int, length: int) -> bool:
        """Whether nothing but digits stands between the digits of a window of a digits part."""
        begin, end = start - self.digits, start - self.digits + length
        return bool((self.index[begin + 1 : end] == self.following[begin : end - 1]).all())

    def is_inside(self, start: int, length: int) -> bool:
        """Whether a window lies in one stream."""
        return bisect_right(self.starts, start) == bisect_right(self.starts, start + length - 1)

    def place(self, start: int, length: int) -> Place:
        """Where a window stands in its conversation."""
        ends = start, start + length - 1
        if start >= self.digits:
            ends = int(self.index[start - self.digits]), int(self.following[ends[1] - self.digits]) - 1
        first, last = int(self.origin[self.source[ends[0]]]), int(self.origin[self.source[ends[1]]]) + 1
        turn, end_turn = bisect_right(self.turns, first) - 1, bisect_right(self.turns, last - 1) - 1
        before, conversation = self.conversations[bisect_right(self.conversations, (turn, 1 << 62)) - 1]
        texts = self.transcripts[conversation].turns
        begin = source_offset(texts[turn - before], first - self.turns[turn])
        end = source_offset(texts[end_turn - before], last - self.turns[end_turn], end=True)
        text = texts[turn - before][begin:end] if turn == end_turn else ""
        return Place(conversation, turn - before, begin, end_turn - before, end, text)


def between(edges: Positions, low: Positions, high: Positions) -> tuple[Positions, Positions]:
    """The sorted edges in each closed interval `[low, high]`, and which interval each lies in."""
    first, last = np.searchsorted(edges, low), np.searchsorted(edges, high, "right")
    counts = np.maximum(last - first, 0)
    which = np.repeat(np.arange(len(low)), counts)
    return edges[np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts) + first[which]], which


def read(transcripts: Sequence[Transcript]) -> Iterator[Streams]:
    """Lay out transcripts in blocks of about `BLOCK` characters, whole transcripts each."""
    first = size = 0
    for number, transcript in enumerate(transcripts):
        size += sum(map(len, transcript.turns))
        if size >= BLOCK or number == len(transcripts) - 1:
            yield _laid_out(transcripts, first, number + 1)
            first, size = number + 1, 0


def _laid_out(transcripts: Sequence[Transcript], first: int, last: int) -> Streams:
    block = transcripts[first:last]
    folded, turns = _folded([turn for transcript in block for turn in transcript.turns])
    raw = symbols(folded)
    kinds = classes(raw)
    origin = np.flatnonzero(kinds != NEITHER)
    kept, letters = kinds[origin], raw[origin]
    edge = np.ones(len(origin) + 1, dtype=np.bool_)
    if len(origin):
        edge[1:-1] = (np.diff(origin) > 1) | (kept[1:] != kept[:-1])
    begin = np.append(np.searchsorted(origin, turns), len(origin))
    before = np.cumsum([0, *(len(transcript.turns) for transcript in block)])[:-1]
    rows = _speakers(block, before, begin)
    again = rows.points()
    source = np.concatenate([np.arange(len(origin)), again])
    bound = np.concatenate([edge[:-1], edge[again], [True]])
    starts = np.concatenate([begin[before], rows.ahead[rows.heads] + len(origin)])
    plain, mixed, following, values = _digits(letters, kept, edge, rows)
    return Streams(
        points=np.concatenate([letters, letters[again], values]),
        origin=origin,
        source=source,
        bound=bound,
        edges=np.flatnonzero(bound),
        digits=len(source),
        spoken=len(source) + len(plain),
        following=following,
        index=np.concatenate([plain, mixed]),
        joins=rows.ahead[~rows.heads] + len(origin),
        rows=rows,
        starts=_all_starts(starts, len(source), plain, mixed),
        turns=turns.tolist(),
        conversations=[(int(turn), first + number) for number, turn in enumerate(before)],
        transcripts=transcripts,
    )


def _digits(
    letters: NDArray[np.uint32], kept: NDArray[np.uint8], edge: NDArray[np.bool_], rows: Rows
) -> tuple[Positions, Positions, Positions, NDArray[np.uint32]]:
    """Digits of all streams; the same with spoken ones, where there are any; what follows each; all their values."""
    own = np.flatnonzero(kept == DIGIT)
    plain, at = rows.everywhere(own, len(letters))
    named, digit, long = spoken_digits(letters, np.flatnonzero(edge))
    if not len(named):
        return plain, plain[:0], plain + 1, letters[own[at]]
    both = np.concatenate([own, named])
    order = np.argsort(both, kind="stable")
    sizes = np.concatenate([np.ones(len(own), dtype=np.int64), long])[order]
    values = np.concatenate([letters[own], digit])[order]
    mixed, where = rows.everywhere(both[order], len(letters))
    following = np.concatenate([plain + 1, mixed + sizes[where]])
    return plain, mixed, following, np.concatenate([letters[own[at]], values[where]])


def _folded(texts: list[str]) -> tuple[str, Positions]:
    """All turns in one folded text, and where each begins in it."""
    joined = "\n".join(texts)
    if joined.isascii():
        joined = joined.lower()
    else:
        texts = list(map(fold, texts))
        joined = "\n".join(texts)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    return joined, np.cumsum(sizes) - sizes


@dataclass(frozen=True, slots=True)
class Rows:
    """Every speaker's turns in a row: where each begins and ends in the text, where in the rows, which open one."""

    begin: Positions
    end: Positions
    ahead: Positions
    heads: NDArray[np.bool_]

    def points(self) -> Positions:
        """The points of the text, in the order of the rows."""
        sizes = self.end - self.begin
        return np.repeat(self.begin - self.ahead, sizes) + np.arange(int(sizes.sum()))

    def everywhere(self, points: Positions, behind: int) -> tuple[Positions, Positions]:
        """Where sorted points of the text stand in it and in the rows `behind` it, in order, and which each is."""
        low, high = np.searchsorted(points, self.begin), np.searchsorted(points, self.end)
        sizes = high - low
        which = np.repeat(low - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
        again = points[which] + np.repeat(self.ahead - self.begin + behind, sizes)
        return np.concatenate([points, again]), np.concatenate([np.arange(len(points)), which])


def _speakers(block: Sequence[Transcript], before: Positions, begin: Positions) -> Rows:
    codes: defaultdict[str, int] = defaultdict(count().__next__)
    names = chain.from_iterable(item.speakers or repeat("", len(item.turns)) for item in block)
    speakers = np.fromiter(map(codes.__getitem__, names), np.int64)
    counts = np.diff(np.append(before, len(speakers)))
    key = np.repeat(np.arange(len(block)), counts) * max(1, len(codes)) + speakers
    order = np.argsort(key, kind="stable")
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = np.diff(key[order]) > 0
    heads = np.flatnonzero(first)
    own = np.diff(np.append(heads, len(order)))
    # What one speaker says in one turn, or in every turn, is read as the conversation already.
    told = np.repeat((own > 1) & (own < np.repeat(counts, counts)[order[heads]]), own)
    order, first = order[told], first[told]
    sizes = begin[order + 1] - begin[order]
    ahead = np.cumsum(sizes) - sizes
    return Rows(begin[order], begin[order + 1], ahead, first)


def _all_starts(starts: Positions, size: int, plain: Positions, mixed: Positions) -> list[int]:
    in_plain = size + np.searchsorted(plain, starts)
    in_mixed = size + len(plain) + np.searchsorted(mixed, starts)
    return [*starts.tolist(), *in_plain.tolist(), *in_mixed.tolist()]
