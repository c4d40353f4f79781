"""Near-duplicates: share of conversations that say nearly the same as an earlier one.

MinHash (Broder 1997) over word triples with banding (Leskovec et al., "Mining of Massive Datasets", 3.4) proposes
pairs; their exact Jaccard similarity decides. Linear in the set for sets without many duplicates.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.metric import Evidence, Metric
from seed_engine.fold import words

# 32 bands of 4 rows: a pair of similarity 0.7 is proposed with probability 0.9998, one of 0.3 with 0.23.
BANDS, ROWS = 32, 4
_PRIME = np.uint64((1 << 31) - 1)


def near_duplicates(texts: list[list[str]], similarity: float) -> list[tuple[int, int]]:
    """Pairs `(earlier, later)` of texts whose word triples have at least this Jaccard similarity, in order.

    Args:
        texts: words of each text.
        similarity: (0, 1].
    """
    triples = [_triples(text) for text in texts]
    pairs = {pair for pair in _proposed(triples) if _jaccard(triples[pair[0]], triples[pair[1]]) >= similarity}
    return sorted(pairs)


def _triples(text: list[str]) -> frozenset[tuple[str, ...]]:
    # A text of one or two words is compared as it is.
    return frozenset(zip(text, text[1:], text[2:], strict=False)) or frozenset({tuple(text)})


def _proposed(triples: list[frozenset[tuple[str, ...]]]) -> Iterator[tuple[int, int]]:
    stream = np.random.default_rng(0)
    scale, shift = (stream.integers(1, int(_PRIME), size=(BANDS * ROWS, 1), dtype=np.uint64) for _ in range(2))
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for index, text in enumerate(triples):
        hashes = np.array([crc32(" ".join(triple).encode()) for triple in text], dtype=np.uint64) % _PRIME
        signature: NDArray[np.uint64] = ((hashes * scale + shift) % _PRIME).min(axis=1)
        for band in range(BANDS):
            bucket = buckets[band, signature[band * ROWS : (band + 1) * ROWS].tobytes()]
            # One earlier representative is enough: the measure asks whether a text has a twin, not how many.
            yield from ((other, index) for other in bucket[:8])
            bucket.append(index)


def _jaccard(one: frozenset[tuple[str, ...]], two: frozenset[tuple[str, ...]]) -> float:
    return len(one & two) / len(one | two)


def _measure(evidence: Evidence) -> float | None:
    texts = [[word for turn in c.turns for word in words(turn.text)] for c in evidence.conversations]
    if len(texts) < 2:
        return None
    later = {pair[1] for pair in near_duplicates(texts, evidence.config.duplicate_similarity)}
    return len(later) / len(texts)


NEAR_DUPLICATES = Metric("near_duplicates", (0.0, 1.0), "lower", _measure)
