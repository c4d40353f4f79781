"""Known secrets: every original value of a run, held as keyed hashes, searched for in what the run wrote.

Guarantees:
    An index holds no value, no part of one, and nothing from which one can be computed without its key. The key lives
    in the index object only: it is not pickled, not shown, and gone when the index is. (With the key, short values can
    be guessed and tried, so an index must not outlive its run.)

Found in any writing of letter case, accents, punctuation and spacing; as digits alone; across turns, also when another
speaker's turn stands between. Forms of 7 digits or 12 letters and digits are found at any place, shorter ones where
neighbouring characters set them off as words. A word of 3 to 5 letters is found as a whole word only. Scripts written
without spaces are searched from 12 characters on. Digits read out ("five, oh, nine") are found from 7 on in a row, from
9 on with other words between. Forms of 14 letters and digits are also found one edit away, where they are set off as
words (the first 300,000 forms, see `seed_engine.near`). An index of ten million values takes about a gigabyte.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np

from seed_engine.digests import DigestBuilder, DigestTable
from seed_engine.errors import SeedEngineError
from seed_engine.fold import squeeze, symbols, words
from seed_engine.leaks import How, Leak, largest
from seed_engine.near import LONG, NearBuilder, NearIndex
from seed_engine.ordinary import is_ordinary
from seed_engine.rolling import Hashes, MemberSet, Positions, WindowHasher, Windows
from seed_engine.secret_forms import SHORTEST, SHORTEST_DIGITS, SHORTEST_NAME, Form, Unsearchable, forms
from seed_engine.streams import Streams, Transcript, read

__all__ = ["How", "Leak", "SecretIndex"]

ANYWHERE = 12
FAR_DIGITS = 9
_WORD = 0x8000
_BATCH = 20_000
# Windows hashed at a time, 8 bytes each in several arrays.
_CHUNK = 1 << 18


class SecretIndex:
    """Keyed hashes of the original values of a run; see `SecretIndex.build`.

    Attributes:
        searched: distinct forms that are searched for.
        not_near: forms of 14 or more that are not searched for one edit away, because there are too many.
        unsearchable: how many distinct values cannot be, by reason.
    """

    __slots__ = (
        "_hasher",
        "_key",
        "_lengths",
        "_marks",
        "_near",
        "_numbers",
        "_openings",
        "_prefixes",
        "_spellings",
        "_types",
        "_values",
        "_windows",
        "not_near",
        "searched",
        "unsearchable",
    )

    _hasher: WindowHasher
    _key: bytes
    _lengths: list[int]  # of forms that are found at any place
    _marks: DigestTable  # digests of the forms: number of the entity type, plus _WORD for a single word
    _near: NearIndex
    _numbers: list[int]  # lengths of forms of digits that are found at any place
    _openings: MemberSet  # beginnings of shorter forms
    _prefixes: MemberSet  # beginnings of forms that are found at any place
    _spellings: DigestTable  # the values letter by letter
    _types: list[str]
    _values: DigestTable  # the squeezed values, searchable or not
    _windows: MemberSet
    searched: int
    not_near: int
    unsearchable: dict[Unsearchable, int]

    @classmethod
    def build(cls, values: Iterable[tuple[str, str]], key: bytes, *, allowed: Iterable[str] = ()) -> SecretIndex:
        """Index values of a source.

        Args:
            values: `(value, entity_type)` of every span, any number of times.
            key: random bytes of this run, 16 to 64; drop it after the call.
            allowed: texts that the house itself writes, as the generator's templates; their words count as ordinary.

        Raises:
            SeedEngineError: the key is shorter than 16 or longer than 64 bytes.
        """
        if not 16 <= len(key) <= 64:
            raise SeedEngineError("the key of a secret index must have 16 to 64 bytes")
        self = cls()
        self._key, self._types, self._hasher = key, [], WindowHasher(key)
        house = frozenset(word for text in allowed for word in words(text))
        reasons, lengths, numbers = Counter[Unsearchable](), set[int](), set[int]()
        marks, spellings, known = DigestBuilder(), DigestBuilder(), DigestBuilder()
        near = NearBuilder(self._digest)
        openings, prefixes, windows = ([np.zeros(0, dtype=np.uint64)] for _ in range(3))
        for batch in _batches(self._accepted(values, house, reasons, (marks, spellings, known), near)):
            sizes = np.array([len(form.text) for form in batch], dtype=np.int64)
            starts = np.cumsum(sizes) - sizes
            hashes = self._hasher.read(symbols("".join(form.text for form in batch)))
            windows.append(hashes.at(starts, sizes))
            openings.append(hashes.at(starts[(sizes >= SHORTEST) & (sizes < ANYWHERE)], SHORTEST))
            prefixes.append(hashes.at(starts[sizes >= ANYWHERE], ANYWHERE))
            near.anchors(hashes, starts[sizes >= LONG], sizes[sizes >= LONG])
            lengths.update(sizes.tolist())
            numbers.update(len(form.text) for form in batch if form.text.isdecimal())
        self._openings, self._prefixes = MemberSet(_distinct(openings)), MemberSet(_distinct(prefixes))
        self._windows = MemberSet(_distinct(windows))
        self._lengths = sorted(length for length in lengths if length >= ANYWHERE)
        self._numbers = sorted(length for length in numbers if length >= SHORTEST_DIGITS)
        self._marks, self._spellings, self._values = marks.table(), spellings.table(), known.table()
        self._near, self.not_near = near.index(self._marks), near.left_out
        self.searched, self.unsearchable = len(self._marks), dict(reasons)
        return self

    def find(self, turn_texts: Sequence[str], speakers: Sequence[str] | None = None) -> tuple[Leak, ...]:
        """Every place where a known value stands in one conversation, in order.

        Args:
            turn_texts: text of each turn.
            speakers: who says each turn; given, each speaker's turns are also read on their own, so that a value is
                found that is split around another speaker's words.
        """
        return self.find_all([Transcript(tuple(turn_texts), None if speakers is None else tuple(speakers))])[0]

    def find_all(self, transcripts: Sequence[Transcript]) -> tuple[tuple[Leak, ...], ...]:
        """`find` for many conversations, at least ten times as fast."""
        found: list[set[Leak]] = [set() for _ in transcripts]
        nearly: list[set[Leak]] = [set() for _ in transcripts]
        for streams in read(transcripts):
            windows = self._hasher.read(streams.points)
            for start, length in self._candidates(streams, windows):
                mark = self._marks.get(self._digest(streams.text(start, length)))
                if mark is not None and self._counts(streams, start, length, word=bool(mark & _WORD)):
                    conversation, leak = self._leak(streams, start, length, mark & ~_WORD)
                    found[conversation].add(leak)
            for start, length, number in self._near.find(streams, windows):
                conversation, leak = self._leak(streams, start, length, number & ~_WORD)
                nearly[conversation].add(replace(leak, how="near"))
        return tuple(
            largest(leaks | {leak for leak in near if not any(map(leak.overlaps, leaks))}) if leaks or near else ()
            for leaks, near in zip(found, nearly, strict=True)
        )

    def contains(self, value: str) -> bool:
        """Whether a value, in any spelling, is one of the source's; values too short to be searched count."""
        whole = squeeze(value)
        digits = "".join(character for character in whole if character.isdecimal())
        if self._digest(whole) in self._values:
            return True
        return len(digits) >= SHORTEST_DIGITS and self._digest(digits) in self._marks

    def __len__(self) -> int:
        """Distinct values, searchable or not."""
        return len(self._values)

    def __repr__(self) -> str:
        return f"SecretIndex(searched={self.searched}, unsearchable={sum(self.unsearchable.values())})"

    def __reduce__(self) -> NoReturn:
        raise SeedEngineError("a secret index stays in the memory of its run; build a new one instead of copying it")

    def _accepted(
        self,
        values: Iterable[tuple[str, str]],
        house: frozenset[str],
        reasons: Counter[Unsearchable],
        tables: tuple[DigestBuilder, DigestBuilder, DigestBuilder],
        near: NearBuilder,
    ) -> Iterator[Form]:
        marks, spellings, known = tables
        numbers: dict[str, int] = {}
        seen: set[int] = set()
        for value, entity_type in values:
            digest = self._digest(squeeze(value))
            spellings.add(self._digest(value))
            if digest in seen:
                continue
            seen.add(digest)
            known.add(digest)
            found = forms(value, entity_type, house)
            if isinstance(found, str):
                reasons[found] += 1
                continue
            number = numbers.setdefault(entity_type, len(numbers))
            for form in found:
                marks.add(self._digest(form.text), number | (_WORD * form.word))
                if len(form.text) >= LONG:
                    near.add(form.text, number)
                yield form
        self._types += list(numbers)

    def _candidates(self, streams: Streams, windows: Windows) -> Iterator[tuple[int, int]]:
        """Windows that may be a known form, in whole arrays: words, then runs of digits, then what stands anywhere."""
        begins, sizes = streams.words()
        told = (sizes >= SHORTEST_NAME) & (sizes < SHORTEST)
        yield from self._members(windows, begins[told], sizes[told])
        begins = np.concatenate([begins, streams.joints(ANYWHERE)])
        begins = begins[begins <= streams.digits - SHORTEST]
        begins = begins[self._openings.members(windows.at(begins, SHORTEST))]
        for starts, sizes in _grid(begins, range(SHORTEST, ANYWHERE), streams.digits):
            set_off = streams.bound[starts + sizes]
            yield from self._members(windows, starts[set_off], sizes[set_off])
        for length in self._numbers:
            yield from self._members(windows, streams.runs(length), length)
        # What lies within one turn is hashed once, though it stands in the conversation and among its speaker's turns.
        likely = streams.everywhere(self._prefixes.members(windows.every(ANYWHERE, len(streams.origin))))
        across = streams.crossings(ANYWHERE)
        across = across[across <= streams.digits - ANYWHERE]
        likely = np.concatenate([likely, across[self._prefixes.members(windows.at(across, ANYWHERE))]])
        for starts, sizes in _grid(likely, self._lengths, streams.digits):
            yield from self._members(windows, starts, sizes)

    def _members(self, windows: Windows, starts: Positions, length: Positions | int) -> Iterator[tuple[int, int]]:
        found = self._windows.members(windows.at(starts, length))
        sizes = np.broadcast_to(length, starts.shape)[found]
        yield from zip(starts[found].tolist(), sizes.tolist(), strict=True)

    def _counts(self, streams: Streams, start: int, length: int, *, word: bool) -> bool:
        if not streams.is_inside(start, length):
            return False
        text = streams.text(start, length)
        digits = text.isdecimal()
        if start >= streams.digits:
            return length >= FAR_DIGITS or (start >= streams.spoken and streams.is_close(start, length))
        if length < (SHORTEST_DIGITS if digits else ANYWHERE) and not streams.is_set_off(start, length):
            return False
        pieces = streams.pieces(start, length)
        if word and not digits and len(pieces) > 1:
            return all(len(piece) == 1 for piece in pieces) or not all(map(is_ordinary, pieces))
        return True

    def _leak(self, streams: Streams, start: int, length: int, number: int) -> tuple[int, Leak]:
        place = streams.place(start, length)
        how: How = "normalised"
        if place.turn != place.end_turn:
            how = "split"
        elif self._digest(place.text) in self._spellings:
            how = "exact"
        elif start >= streams.digits or place.text.isdecimal():
            how = "digits"
        leak = Leak(place.turn, place.start, place.end_turn, place.end, self._types[number], how)
        return place.conversation, leak

    def _digest(self, text: str) -> int:
        raw = text.encode("utf-32-le", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(raw, key=self._key, digest_size=8).digest(), "little")


def _batches(found: Iterator[Form]) -> Iterator[list[Form]]:
    batch: list[Form] = []
    for form in found:
        batch.append(form)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _grid(starts: Positions, lengths: Sequence[int], end: int) -> Iterator[tuple[Positions, Positions]]:
    """Windows of every length at every start, as far as they reach to `end`; in chunks, whatever the text is."""
    step = max(1, _CHUNK // max(1, len(starts)))
    for first in range(0, len(lengths), step):
        sizes = np.repeat(np.array(lengths[first : first + step], dtype=np.int64), len(starts))
        at = np.tile(starts, len(lengths[first : first + step]))
        inside = at + sizes <= end
        yield at[inside], sizes[inside]


def _distinct(parts: list[Hashes]) -> Hashes:
    return np.unique(np.concatenate(parts))
