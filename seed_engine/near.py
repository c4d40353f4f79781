"""Near misses: long values that stand in a text with one letter or digit changed, missing, too many or moved.

Such strings are those that become the same by deleting at most one character of each, so an index holds keyed digests
of every value with one character deleted (Mor and Fraenkel 1982). It looks only where the first or the last letters of
a value stand at the edge of a word, and only at windows that begin and end at edges.

Guarantees:
    As `seed_engine.secrets`: digests alone, under the run's key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from seed_engine.digests import DigestBuilder, DigestTable
from seed_engine.rolling import MemberSet, Positions, Windows
from seed_engine.streams import Streams

LONG = 14
# One edit leaves the first or the last half of a value as it was.
ANCHOR = LONG // 2
# A digest for every letter of every value: 300,000 values of 20 letters take 60 MB and ten seconds.
MOST = 300_000

Digest = Callable[[str], int]


class NearBuilder:
    """Collects long forms; see `NearIndex`."""

    __slots__ = ("_digest", "_first", "_last", "_lengths", "_shorter", "forms", "left_out")

    def __init__(self, digest: Digest) -> None:
        self._digest, self._shorter = digest, DigestBuilder()
        self._first, self._last = ([np.zeros(0, dtype=np.uint64)] for _ in "ab")
        self._lengths: set[int] = set()
        self.forms = self.left_out = 0

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
        """Take in where long forms begin and end."""
        self._first.append(hashes.at(starts, ANCHOR))
        self._last.append(hashes.at(starts + sizes - ANCHOR, ANCHOR))

    def index(self, forms: DigestTable) -> NearIndex:
        """The index, beside the table of the forms themselves."""
        first, last = (MemberSet(np.unique(np.concatenate(parts))) for parts in (self._first, self._last))
        return NearIndex(self._digest, first, last, self._lengths, self._shorter.table(), forms)


class NearIndex:
    """Long forms, to be found with one edit; made by `NearBuilder.index`."""

    __slots__ = ("_digest", "_first", "_forms", "_last", "_lengths", "_shorter")

    def __init__(
        self,
        digest: Digest,
        first: MemberSet,
        last: MemberSet,
        lengths: set[int],
        shorter: DigestTable,
        forms: DigestTable,
    ) -> None:
        self._digest, self._first, self._last, self._shorter, self._forms = digest, first, last, shorter, forms
        self._lengths = frozenset(length + more for length in lengths for more in (-1, 0, 1))

    def find(self, streams: Streams, windows: Windows) -> Iterator[tuple[int, int, int]]:
        """Windows within one edit of a form: first point, length, number of its entity type.

        Args:
            streams: the text.
            windows: its hashes.
        """
        if not self._lengths:
            return
        edges = streams.edges()
        # One speaker's turns in a row are searched only from where they lead into the next one.
        words, _ = streams.words()
        end = np.append(words[words >= ANCHOR], len(streams.origin))
        end = end[end >= ANCHOR]
        begin = np.concatenate([words, streams.joints(LONG)])
        begin = begin[begin <= streams.digits - ANCHOR]
        begin = begin[self._first.members(windows.at(begin, ANCHOR))]
        end = end[self._last.members(windows.at(end - ANCHOR, ANCHOR))]
        longest = max(self._lengths)
        for start in begin.tolist():
            near = edges[np.searchsorted(edges, start + LONG - 1) : np.searchsorted(edges, start + longest, "right")]
            yield from self._windows(streams, ((start, stop - start) for stop in near.tolist()))
        for stop in end.tolist():
            near = edges[np.searchsorted(edges, stop - longest) : np.searchsorted(edges, stop - LONG + 1, "right")]
            yield from self._windows(streams, ((start, stop - start) for start in near.tolist()))

    def _windows(self, streams: Streams, windows: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        for start, length in windows:
            if length in self._lengths and streams.is_inside(start, length):
                number = self._number(streams.text(start, length))
                if number is not None:
                    yield start, length, number

    def _number(self, text: str) -> int | None:
        """Entity type of a form that is one edit away."""
        whole = self._shorter.get(self._digest(text))
        if whole is not None:
            return whole
        shorter = [self._digest(text[:at] + text[at + 1 :]) for at in range(len(text))]
        found = self._shorter.first(shorter)
        return self._forms.first(shorter) if found is None else found
