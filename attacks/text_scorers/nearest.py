"""Nearest: the closest published text by letters, which survives a paraphrase that breaks every run of words."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attacks.target import Float64
from attacks.text_scorers.words import words

_BUCKETS = 4096
_N = 4
_ROWS = 512


def nearest(texts: Sequence[str], published: Sequence[str]) -> Float64:
    """Largest cosine of hashed letter 4-gram vectors, weighted by rarity in the published set: Float64[n], [0, 1]."""
    counts = _counts(published)
    rarity = np.log((1 + len(published)) / (1 + (counts > 0).sum(axis=0))) + 1
    space, seen = _unit(np.log1p(counts) * rarity), _unit(np.log1p(_counts(texts)) * rarity)
    best = [(seen[row : row + _ROWS] @ space.T).max(axis=1) for row in range(0, len(texts), _ROWS)]
    return np.asarray(np.concatenate(best), dtype=np.float64)


def _counts(texts: Sequence[str]) -> NDArray[np.float32]:
    table = np.zeros((len(texts), _BUCKETS), dtype=np.float32)
    for row, text in enumerate(texts):
        joined = " ".join(words(text))
        grams = [zlib.crc32(joined[i : i + _N].encode()) % _BUCKETS for i in range(len(joined) - _N + 1)]
        np.add.at(table[row], grams, 1)
    return table


def _unit(table: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    return np.asarray(table / np.maximum(lengths, 1e-12), dtype=np.float32)
