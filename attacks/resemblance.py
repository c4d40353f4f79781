"""Resemblance: how much each person's conversations resemble published texts, and strangers' conversations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64
from attacks.text_scorers import TEXT_SCORERS

# So many texts of the origin tell how alike two strangers are; more only cost.
_MOST_PEERS = 2000
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, repr=False)
class People:
    """Conversations and whose they are.

    Attributes:
        texts: one turn a line.
        owners: Int64[len(texts)], number of the person, 0 .. count - 1, each at least once.
        count: people.
    """

    texts: tuple[str, ...]
    owners: Numbers
    count: int

    @classmethod
    def of(cls, texts: Sequence[str], units: Sequence[str] | None = None) -> People:
        """Number the people in the order of their first text; without `units` each text is a person's of its own."""
        names: dict[str, int] = {}
        owners = [names.setdefault(unit, len(names)) for unit in units or map(str, range(len(texts)))]
        return cls(tuple(texts), np.array(owners, dtype=np.int64), len(names))

    @classmethod
    def joined(cls, *sides: People) -> People:
        """Several groups one after the other; nobody stands in two."""
        starts = np.cumsum([0, *(side.count for side in sides)])
        owners = [side.owners + start for side, start in zip(sides, starts[:-1], strict=True)]
        return cls(tuple(text for side in sides for text in side.texts), np.concatenate(owners), int(starts[-1]))

    def subset(self, people: Numbers) -> People:
        """Some of the people, numbered in the order given."""
        number = np.full(self.count, -1)
        number[people] = np.arange(len(people))
        kept = np.flatnonzero(number[self.owners] >= 0)
        order = kept[np.argsort(number[self.owners[kept]], kind="stable")]
        return People(tuple(self.texts[i] for i in order), number[self.owners[order]], len(people))

    def moved_last(self, people: Numbers) -> People:
        """The same people, those given numbered last."""
        rest = np.setdiff1d(np.arange(self.count), people)
        return self.subset(np.concatenate([rest, people]))

    def highest(self, scores: Float64) -> Float64:
        """The highest score of each person's texts: Float64[count]."""
        best = np.full(self.count, -np.inf)
        np.maximum.at(best, self.owners, scores)
        return best

    def __repr__(self) -> str:
        return f"People(<{len(self.texts)} texts>, count={self.count})"


@dataclass(frozen=True, slots=True)
class Reading:
    """One scorer, read in one way: scores of people, higher = more alike.

    Attributes:
        name: scorer and reading.
        plain: Float64[everybody], against the published texts.
        copied: Float64[people of copies], the last people, against the published texts and their own copies.
        peers: Float64[everybody], against half of the other people in place of the published texts.
    """

    name: str
    plain: Float64
    copied: Float64
    peers: Float64


def readings(
    everybody: People, published: Sequence[str], copies: Sequence[str], *, people_of_copies: int
) -> list[Reading]:
    """Read every scorer in both ways.

    Args:
        everybody: all people of the origin; those whose copies are planted stand last.
        published: the synthetic texts, at least one.
        copies: a copy of each text of the last people, in their order.
        people_of_copies: how many people that are.
    """
    parts = _Parts(everybody, len(published), len(copies))
    columns = [*published, *copies, *(everybody.texts[i] for i in parts.peers)]
    found = []
    for name, scorer in TEXT_SCORERS.items():
        blocks = scorer(everybody.texts, columns)
        if blocks is not None:
            found += _readings(name, parts, blocks, people_of_copies)
    return found


class _Parts:
    """Which columns are what: published texts, copies, and a sample of the origin in two halves."""

    def __init__(self, everybody: People, published: int, copies: int) -> None:
        rng = np.random.default_rng(len(everybody.texts))
        chosen = rng.permutation(len(everybody.texts))[:_MOST_PEERS]
        self.everybody, self.published, self.copies = everybody, published, copies
        self.peers = np.sort(chosen)
        # Halved by person: two conversations of one would tell of each other in both halves.
        half = rng.permutation(everybody.count) < everybody.count // 2
        self.first = half[everybody.owners[self.peers]]


def _readings(name: str, parts: _Parts, blocks: Iterator[Float64], people_of_copies: int) -> list[Reading]:
    everybody = parts.everybody
    near, own, first, second = (np.empty(len(everybody.texts)) for _ in range(4))
    begin = 0
    for block in blocks:
        rows = slice(begin, begin + len(block))
        texts = np.arange(rows.start, rows.stop)
        near[rows] = block[:, : parts.published].max(axis=1)
        own[rows] = _own_copy(block, texts, parts)
        strangers = block[:, parts.published + parts.copies :].copy()
        strangers[everybody.owners[texts][:, None] == everybody.owners[parts.peers][None, :]] = -np.inf
        first[rows] = strangers[:, parts.first].max(axis=1, initial=0.0)
        second[rows] = strangers[:, ~parts.first].max(axis=1, initial=0.0)
        begin = rows.stop
    copied = np.maximum(near, own)
    both = np.maximum(first, second)
    made = []
    for how, base in (("nearest", np.zeros_like(both)), ("outstanding", both)):
        against = first if how == "nearest" else first - second
        plain, with_copies, peers = (everybody.highest(s) for s in (near - base, copied - base, against))
        made.append(Reading(f"{name} {how}", plain, with_copies[everybody.count - people_of_copies :], peers))
    return made


def _own_copy(block: Float64, texts: Numbers, parts: _Parts) -> Float64:
    """Likeness of each text to its own planted copy; minus infinity where none was planted."""
    number = texts - (len(parts.everybody.texts) - parts.copies)
    found = np.full(len(texts), -np.inf)
    planted = number >= 0
    found[planted] = block[planted, parts.published + number[planted]]
    return found
