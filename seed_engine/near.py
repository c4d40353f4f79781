"""Near misses: long values that stand in a text with one letter or digit changed, missing, too many or moved.

Such strings are those that become the same by deleting at most one character of each, so an index holds keyed digests
of every value with one character deleted (Mor and Fraenkel 1982). It looks only where the first or the last letters of
a value stand at the edge of a word, and only at windows that begin and end at edges. Rolling hashes in whole arrays
leave a few of those, whose digests are then worked out one by one.

Guarantees:
    As `seed_engine.secrets`: digests alone, under the run's key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from seed_engine.digests import DigestBuilder, DigestTable
from seed_engine.rolling import Hashes, MemberSet, Positions, Windows
from seed_engine.streams import Streams, between

LONG = 14
# One edit leaves the first or the last half of a value as it was.
ANCHOR = LONG // 2
# A window that is like no form for so long has its edit before, which leaves three places to try.
FURTHER = ANCHOR + 3
# A digest for every letter of every value: 300,000 values of 20 letters take 160 MB and ten seconds.
MOST = 300_000
# Hashes worked out at a time, 8 bytes each in several arrays.
_CHUNK = 1 << 18

Digest = Callable[[str], int]
T = TypeVar("T")


class Members(NamedTuple, Generic[T]):
    """What is known of long forms: `ANCHOR` and `FURTHER` letters of both ends; the whole, also with one deleted."""

    first: T
    last: T
    opening: T
    closing: T
    likely: T


class NearBuilder:
    """Collects long forms; see `NearIndex`."""

    __slots__ = ("_digest", "_hashed", "_lengths", "_parts", "_shorter", "forms", "left_out")

    def __init__(self, digest: Digest) -> None:
        self._digest, self._shorter = digest, DigestBuilder()
        self._parts: Members[list[Hashes]] = Members(*([np.zeros(0, dtype=np.uint64)] for _ in Members._fields))
        self._lengths: set[int] = set()
        self.forms = self.left_out = self._hashed = 0

    def add(self, text: str, number: int) -> None:
        """Take in one form that is long enough, as long as there is room."""
        if self.forms >= MOST:
            self.left_out += 1
            return
        self.forms += 1
        self._lengths.add(len(text))
        for at in range(len(text)):
            self._shorter.add(self._digest(text[:at] + text[at + 1 :]), number)

    def anchors(self, hashes: Windows, starts: Positions, sizes: Positions) -> None:
        """Take in how long forms begin and end, and what they are with a character deleted; in the order of `add`."""
        starts, sizes = starts[: MOST - self._hashed], sizes[: MOST - self._hashed]
        self._hashed += len(starts)
        parts, ends = self._parts, starts + sizes
        parts.first.append(hashes.at(starts, ANCHOR))
        parts.last.append(hashes.at(ends - ANCHOR, ANCHOR))
        parts.opening.append(hashes.at(starts, FURTHER))
        parts.closing.append(hashes.at(ends - FURTHER, FURTHER))
        longer = np.full_like(starts, FURTHER + 1)
        for at in range(ANCHOR, FURTHER):
            parts.opening.append(hashes.without(starts, longer, np.full_like(starts, at)))
            parts.closing.append(hashes.without(ends - longer, longer, np.full_like(starts, FURTHER - at)))
        parts.likely.append(hashes.at(starts, sizes))
        parts.likely.extend(deleted for _, deleted in _deletions(hashes, starts, sizes, np.zeros_like(sizes), sizes))

    def index(self, forms: DigestTable) -> NearIndex:
        """The index, beside the table of the forms themselves."""
        members = Members(*(MemberSet(np.unique(np.concatenate(parts))) for parts in self._parts))
        return NearIndex(self._digest, members, self._lengths, self._shorter.table(), forms)


class NearIndex:
    """Long forms, to be found with one edit; made by `NearBuilder.index`."""

    __slots__ = ("_digest", "_fits", "_forms", "_members", "_shorter")

    def __init__(
        self,
        digest: Digest,
        members: Members[MemberSet],
        lengths: set[int],
        shorter: DigestTable,
        forms: DigestTable,
    ) -> None:
        self._digest, self._shorter, self._forms = digest, shorter, forms
        self._members = members
        self._fits = np.zeros(max(lengths, default=-2) + 2, dtype=np.bool_)
        for length in lengths:
            self._fits[length - 1 : length + 2] = True

    def find(self, streams: Streams, windows: Windows) -> Iterator[tuple[int, int, int]]:
        """Windows within one edit of a form: first point, length, number of its entity type.

        Args:
            streams: the text.
            windows: its hashes.
        """
        if not len(self._fits):
            return
        edges = streams.edges
        longest = len(self._fits) - 1
        # One speaker's turns in a row are searched only where one leads into the next.
        words, _ = streams.words()
        end = np.concatenate([words, [len(streams.origin)], streams.landings(longest)])
        end = end[end >= ANCHOR]
        begin = np.concatenate([words, streams.joints(longest)])
        begin = begin[begin <= streams.digits - ANCHOR]
        begin = begin[self._members.first.members(windows.at(begin, ANCHOR))]
        end = end[self._members.last.members(windows.at(end - ANCHOR, ANCHOR))]
        stops, which = between(edges, begin + LONG - 1, begin + longest)
        starts, again = between(edges, end - longest, end - LONG + 1)
        found = set(self._promising(windows, begin[which], stops - begin[which], opens=True))
        found.update(self._promising(windows, starts, end[again] - starts, opens=False))
        for start, length in sorted(found):
            if streams.is_inside(start, length):
                number = self._number(streams.text(start, length))
                if number is not None:
                    yield start, length, number

    def _promising(
        self, windows: Windows, starts: Positions, sizes: Positions, *, opens: bool
    ) -> Iterator[tuple[int, int]]:
        """Windows that, whole or with a character deleted, hash like a form or a form with a character deleted.

        Where a window and a form have their first letters in common (`opens`), a character behind them is deleted. They
        first differ behind `FURTHER` letters, or the form with one deleted is like the window for so long, or one of
        the window's letters between is to be deleted. The same holds from the other end.
        """
        fits = self._fits[sizes]
        starts, sizes = starts[fits], sizes[fits]
        likely, promising = self._members.likely, np.zeros(len(starts), dtype=np.bool_)
        promising[likely.members(windows.at(starts, sizes))] = True
        alike, edge = (self._members.opening, starts) if opens else (self._members.closing, starts + sizes - FURTHER)
        far = np.zeros(len(starts), dtype=np.bool_)
        far[alike.members(windows.at(edge, FURTHER))] = True
        reach = np.where(far, sizes, FURTHER)
        low, high = (np.full_like(sizes, ANCHOR), reach) if opens else (sizes - reach, sizes - ANCHOR)
        for which, deleted in _deletions(windows, starts, sizes, low, high):
            promising[which[likely.members(deleted)]] = True
        yield from zip(starts[promising].tolist(), sizes[promising].tolist(), strict=True)

    def _number(self, text: str) -> int | None:
        """Entity type of a form that is one edit away."""
        whole = self._shorter.get(self._digest(text))
        if whole is not None:
            return whole
        shorter = [self._digest(text[:at] + text[at + 1 :]) for at in range(len(text))]
        found = self._shorter.first(shorter)
        return self._forms.first(shorter) if found is None else found


def _deletions(
    windows: Windows, starts: Positions, sizes: Positions, low: Positions, high: Positions
) -> Iterator[tuple[Positions, Hashes]]:
    """Hashes of windows with each character from `low` to `high` deleted in turn, and which window each belongs to."""
    chunk = np.cumsum(high - low) // _CHUNK
    for number in np.unique(chunk):
        which = np.flatnonzero(chunk == number)
        own = (high - low)[which]
        at = np.arange(int(own.sum())) + np.repeat(low[which] - (np.cumsum(own) - own), own)
        which = np.repeat(which, own)
        yield which, windows.without(starts[which], sizes[which], at)
