"""The figures of `semilla bench seeds`."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from seed_engine.anonymity import anonymise
from seed_engine.quasi_identifiers import combination
from seed_engine.release import mechanism_for, release_private
from seed_engine.seed import Seed
from seed_engine.seed_distances import FEATURES, distributions, total_variation

People = Sequence[tuple[str, Seed]]


def private_rows(people: People, epsilon: float, delta: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Total variation by feature, and what the release cost.

    Args:
        people: subjects and their seeds.
        epsilon: > 0.
        delta: in (0, 1).

    Returns:
        Rows with `released`, source against release, and `chance`, source against as many draws from it with
        replacement: what no release can be asked to beat. Cost: `seeds` and wall `seconds`.
    """
    clock = time.perf_counter()
    released = list(release_private(people, mechanism_for(epsilon, delta)))
    seconds = round(time.perf_counter() - clock, 1)
    drawn = random.Random(0).choices(people, k=len(people))
    source, kept = distributions(seed for _, seed in people), distributions(released)
    chance = distributions(seed for _, seed in drawn)
    rows = [
        {
            "feature": name,
            "released": round(total_variation(source[name], kept[name]), 4),
            "chance": round(total_variation(source[name], chance[name]), 4),
        }
        for name in FEATURES
    ]
    return rows, {"seeds": len(released), "seconds": seconds}


def anonymity_row(people: People, k: int) -> dict[str, int]:
    """Combinations of quasi-identifiers that fewer than k subjects share, before and after, and what it took.

    Args:
        people: subjects with one seed each: released seeds have ids of their own and cannot be told to be anybody's.
        k: subjects, >= 2.
    """
    counts: Counter[str] = Counter()
    released = list(anonymise(people, k, counts))
    return {"unique_before": _rare((seed for _, seed in people), k), "unique_after": _rare(released, k), **counts}


def _rare(seeds: Iterable[Seed], k: int) -> int:
    return sum(1 for sharing in Counter(map(combination, seeds)).values() if sharing < k)
