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

import numpy as np

from seed_engine.digests import DigestBuilder, DigestTable
from seed_engine.rolling import Hashes, MemberSet, Positions, Windows
from seed_engine.streams import Streams, between

LONG = 14
# One edit leaves the first or the last half of a value as it was.
ANCHOR = LONG // 2
# A digest for every letter of every value: 300,000 values of 20 letters take 160 MB and ten seconds.
MOST = 300_000
# Hashes worked out at a time, 8 bytes each in several arrays.
_CHUNK = 1 << 18

Digest = Callable[[str], int]


class NearBuilder:
    """Collects long forms; see `NearIndex`."""

    __slots__ = ("_digest", "_first", "_hashed", "_last", "_lengths", "_likely", "_shorter", "forms", "left_out")

    def __init__(self, digest: Digest) -> None:
        self._digest, self._shorter = digest, DigestBuilder()
        self._first, self._last, self._likely = ([np.zeros(0, dtype=np.uint64)] for _ in "abc")
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
        self._first.append(hashes.at(starts, ANCHOR))
        self._last.append(hashes.at(starts + sizes - ANCHOR, ANCHOR))
        self._likely.append(hashes.at(starts, sizes))
        self._likely += [deleted for _, deleted in _deletions(hashes, starts, sizes)]

    def index(self, forms: DigestTable) -> NearIndex:
        """The index, beside the table of the forms themselves."""
        first, last, likely = (
            MemberSet(np.unique(np.concatenate(parts))) for parts in (self._first, self._last, self._likely)
        )
        return NearIndex(self._digest, (first, last, likely), self._lengths, self._shorter.table(), forms)


class NearIndex:
    """Long forms, to be found with one edit; made by `NearBuilder.index`."""

    __slots__ = ("_digest", "_first", "_fits", "_forms", "_last", "_likely", "_shorter")

    def __init__(
        self,
        digest: Digest,
        members: tuple[MemberSet, MemberSet, MemberSet],
        lengths: set[int],
        shorter: DigestTable,
        forms: DigestTable,
    ) -> None:
        self._digest, self._shorter, self._forms = digest, shorter, forms
        self._first, self._last, self._likely = members
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
        begin = begin[self._first.members(windows.at(begin, ANCHOR))]
        end = end[self._last.members(windows.at(end - ANCHOR, ANCHOR))]
        stops, which = between(edges, begin + LONG - 1, begin + longest)
        starts, again = between(edges, end - longest, end - LONG + 1)
        starts, stops = np.concatenate([begin[which], starts]), np.concatenate([stops, end[again]])
        fits = self._fits[stops - starts]
        starts, sizes = self._promising(windows, starts[fits], (stops - starts)[fits])
        for start, length in zip(starts.tolist(), sizes.tolist(), strict=True):
            if streams.is_inside(start, length):
                number = self._number(streams.text(start, length))
                if number is not None:
                    yield start, length, number

    def _promising(self, windows: Windows, starts: Positions, sizes: Positions) -> tuple[Positions, Positions]:
        """Windows that, whole or with a character deleted, hash like a form or a form with a character deleted."""
        promising = np.zeros(len(starts), dtype=np.bool_)
        promising[self._likely.members(windows.at(starts, sizes))] = True
        for which, deleted in _deletions(windows, starts, sizes):
            promising[which[self._likely.members(deleted)]] = True
        return starts[promising], sizes[promising]

    def _number(self, text: str) -> int | None:
        """Entity type of a form that is one edit away."""
        whole = self._shorter.get(self._digest(text))
        if whole is not None:
            return whole
        shorter = [self._digest(text[:at] + text[at + 1 :]) for at in range(len(text))]
        found = self._shorter.first(shorter)
        return self._forms.first(shorter) if found is None else found


def _deletions(windows: Windows, starts: Positions, sizes: Positions) -> Iterator[tuple[Positions, Hashes]]:
    """Hashes of windows with each character deleted in turn, and which window each belongs to; in chunks."""
    chunk = np.cumsum(sizes) // _CHUNK
    for number in np.unique(chunk):
        which = np.flatnonzero(chunk == number)
        own = sizes[which]
        at = np.arange(int(own.sum())) - np.repeat(np.cumsum(own) - own, own)
        which = np.repeat(which, own)
        yield which, windows.without(starts[which], sizes[which], at)
