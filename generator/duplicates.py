"""Near-duplicates: whether a conversation says what an earlier one said, found by MinHash in constant time.

A conversation is the set of its word triples, markers apart. 128 minimum hashes (Broder 1997) estimate the Jaccard
similarity of two sets within 0.04 standard error; 32 bands of 4 rows meet for pairs of similarity 0.6 in 99%, and of
0.7 in all but one of 5,000 cases. What meets is compared by the exact similarity.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from seed_engine.conversation import Conversation
from seed_engine.fold import words
from seed_engine.markers import MARKER_PATTERN

# As the evaluator's `duplicate_similarity`, less a margin, so that what is generated here passes there.
SIMILARITY = 0.6
# An exchange of a few lines is like others by nature; below so many triples it is no duplicate.
FEWEST = 50
_HASHES, _ROWS = 128, 4

Shingles = frozenset[int]


class SeenConversations:
    """The conversations so far; asked before each is added."""

    def __init__(self, similarity: float = SIMILARITY) -> None:
        rng = np.random.default_rng(0)
        self._similarity = similarity
        # Multiply-shift hashing (Dietzfelbinger 1997): odd 64-bit factors, wrap-around, the upper half of the sum.
        self._factors = rng.integers(0, 1 << 64, _HASHES, dtype=np.uint64, endpoint=False) | np.uint64(1)
        self._terms = rng.integers(0, 1 << 64, _HASHES, dtype=np.uint64, endpoint=False)
        self._bands: dict[bytes, list[int]] = {}
        self._sets: list[Shingles] = []

    def is_new(self, conversation: Conversation) -> bool:
        """Whether no conversation that was added is a near-duplicate of this one."""
        shingles = _shingles(conversation)
        if len(shingles) < FEWEST:
            return True
        close = {index for key in self._keys(shingles) for index in self._bands.get(key, ())}
        return not any(_jaccard(shingles, self._sets[index]) >= self._similarity for index in close)

    def add(self, conversation: Conversation) -> None:
        """Remember a conversation."""
        shingles = _shingles(conversation)
        for key in self._keys(shingles):
            self._bands.setdefault(key, []).append(len(self._sets))
        self._sets.append(shingles)

    def _keys(self, shingles: Shingles) -> list[bytes]:
        values = np.fromiter(shingles, dtype=np.uint64, count=len(shingles))
        hashed: npt.NDArray[np.uint64] = (values[:, None] * self._factors + self._terms) >> np.uint64(32)
        least = hashed.min(axis=0).reshape(-1, _ROWS)
        return [bytes([band]) + row.tobytes() for band, row in enumerate(least)]


def _shingles(conversation: Conversation) -> Shingles:
    said = [word for turn in conversation.turns for word in words(MARKER_PATTERN.sub(" ", turn.text))]
    triples = {" ".join(said[i : i + 3]) for i in range(max(1, len(said) - 2))}
    return frozenset(_hash(triple) for triple in triples)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")


def _jaccard(one: Shingles, other: Shingles) -> float:
    return len(one & other) / len(one | other)
