"""Fingerprints: keyed hashes of every short passage of the sources, to tell a verbatim copy without keeping the text.

A passage begins at a word and is the shortest run of words, inside one turn and between role markers, that has 8 words
or 40 letters and digits (about 50 characters with spaces). Folded as known secrets are: case, accents, punctuation and
spacing do not matter. A passage that several people said ("is there anything else I can help you with") is nobody's, so
passages of `shared_by` or more privacy units are left out, and so are passages of texts that the house itself wrote.

Guarantees:
    As `seed_engine.secrets`: no text is kept, nothing is pickled or shown, and without the key nothing can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from seed_engine.errors import SeedEngineError
from seed_engine.fold import classes, fold, source_offset, symbols
from seed_engine.markers import iter_markers
from seed_engine.rolling import Hashes, Positions, WindowHasher

PASSAGE_WORDS = 8
PASSAGE_LETTERS = 40
SHARED_BY = 3


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """A stretch of a turn that stands in a source word by word.

    Attributes:
        turn: 0-based.
        start: offset of the first word.
        end: one past the last.
        words: length in words, as many as the longest run of overlapping passages covers.
    """

    turn: int
    start: int
    end: int
    words: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a conversation shares with the sources.

    Attributes:
        passages: passages that the conversation has, common ones not counted.
        copied: of them, those that a source has.
        copies: the stretches, left to right.
    """

    passages: int
    copied: int
    copies: tuple[Copy, ...]


@dataclass(frozen=True, slots=True)
class _Passages:
    hashes: Hashes
    first: Positions  # word that each begins with
    last: Positions  # word that each ends with
    starts: Positions  # of each word, in the folded text
    ends: Positions


class Fingerprints:
    """Passages of the sources as keyed hashes; see `Fingerprints.build`.

    Attributes:
        size: passages kept.
    """

    __slots__ = ("_common", "_hasher", "_hashes", "size")

    _common: Hashes  # passages that are nobody's
    _hasher: WindowHasher
    _hashes: Hashes
    size: int

    @classmethod
    def build(
        cls,
        sources: Iterable[tuple[str, Sequence[str]]],
        key: bytes,
        *,
        allowed: Iterable[str] = (),
        shared_by: int = SHARED_BY,
    ) -> Fingerprints:
        """Fingerprint sources.

        Args:
            sources: privacy unit and turn texts of each source conversation.
            key: random bytes of this run, 16 to 64; drop it after the call.
            allowed: texts that anybody may repeat, as the generator's templates.
            shared_by: passages of this many units or more are left out, >= 2.
        """
        self = cls()
        self._hasher = WindowHasher(key)
        units: dict[str, int] = {}
        parts, owners = [np.zeros(0, dtype=np.uint64)], [np.zeros(0, dtype=np.int64)]
        for unit, turns in sources:
            hashes = np.unique(self._passages(_segments(turns)).hashes)
            parts.append(hashes)
            owners.append(np.full(len(hashes), units.setdefault(unit, len(units)), dtype=np.int64))
        known, count = np.unique(_once_a_unit(np.concatenate(parts), np.concatenate(owners)), return_counts=True)
        free = self._passages([(0, 0, text) for text in allowed]).hashes
        self._common = np.union1d(known[count >= shared_by], free)
        self._hashes = np.setdiff1d(known, self._common)
        self.size = len(self._hashes)
        return self

    def overlap(self, turn_texts: Sequence[str]) -> Overlap:
        """What one conversation shares with the sources; linear in its length, whatever the sources'."""
        segments = list(_segments(turn_texts))
        passages = self._passages(segments)
        copied = _among(passages.hashes, self._hashes)
        stretches = _stretches(passages.first[copied], passages.last[copied])
        copies = tuple(_copy(passages, segments, turn_texts, first, last) for first, last in stretches)
        common = _among(passages.hashes, self._common)
        return Overlap(int((~common).sum()), int(copied.sum()), copies)

    def __repr__(self) -> str:
        return f"Fingerprints(size={self.size})"

    def __reduce__(self) -> NoReturn:
        raise SeedEngineError("fingerprints stay in the memory of their run; build new ones instead of copying them")

    def _passages(self, segments: Iterable[tuple[int, int, str]]) -> _Passages:
        folded = "\n".join(fold(text) for _, _, text in segments)
        points = symbols(folded)
        kinds = classes(points)
        origin = np.flatnonzero(kinds)
        kept = kinds[origin]
        segment = np.cumsum(points == ord("\n"))[origin]
        edge = np.ones(len(origin) + 1, dtype=np.bool_)
        if len(origin):
            edge[1:-1] = (np.diff(origin) > 1) | (kept[1:] != kept[:-1])
        edges = np.flatnonzero(edge)
        begin, end = edges[:-1], edges[1:]
        first, last = _runs(begin, end)
        whole = segment[begin[first]] == segment[begin[last]]
        first, last = first[whole], last[whole]
        hashes = self._hasher.read(points[origin]).at(begin[first], end[last] - begin[first])
        return _Passages(hashes, first, last, origin[begin], origin[end - 1] + 1)


def _among(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Which hashes stand in `known`, which is sorted; `np.isin` would sort all of it for every conversation."""
    if not len(known):
        return np.zeros(len(hashes), dtype=np.bool_)
    place = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    found: NDArray[np.bool_] = known[place] == hashes
    return found


def _once_a_unit(hashes: Hashes, owners: Positions) -> Hashes:
    order = np.lexsort((owners, hashes))
    hashes, owners = hashes[order], owners[order]
    new = np.ones(len(hashes), dtype=np.bool_)
    new[1:] = (hashes[1:] != hashes[:-1]) | (owners[1:] != owners[:-1])
    return hashes[new]


def _runs(begin: Positions, end: Positions) -> tuple[Positions, Positions]:
    """First and last word of each passage, by where words begin and end among letters and digits."""
    first = np.arange(len(begin))
    by_letters = np.searchsorted(end, begin + PASSAGE_LETTERS)
    last: NDArray[np.int64] = np.minimum(first + PASSAGE_WORDS - 1, by_letters)
    fits = last < len(begin)
    return first[fits], last[fits]


def _segments(turns: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Turn, offset and text of what stands between role markers; a line break would pass for the end of a segment."""
    for turn, text in enumerate(turns):
        done = 0
        for start, end, _ in iter_markers(text):
            yield turn, done, text[done:start].replace("\n", " ")
            done = end
        yield turn, done, text[done:].replace("\n", " ")


def _stretches(first: Positions, last: Positions) -> Iterator[tuple[int, int]]:
    begin = end = -1
    for start, stop in zip(first.tolist(), last.tolist(), strict=True):
        if start > end:
            if end >= 0:
                yield begin, end
            begin = start
        end = stop
    if end >= 0:
        yield begin, end


def _copy(
    passages: _Passages, segments: list[tuple[int, int, str]], turns: Sequence[str], first: int, last: int
) -> Copy:
    start, end = int(passages.starts[first]), int(passages.ends[last])
    done = 0
    for turn, offset, text in segments:
        size = len(fold(text)) + 1
        if done + size > start:
            begin = offset + source_offset(text, start - done)
            return Copy(turn, begin, offset + source_offset(text, end - done, end=True), last - first + 1)
        done += size
    raise AssertionError("a passage lies in a segment")
