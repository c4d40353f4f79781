"""The figures of `semilla bench seeds`."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
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
    """Combinations of quasi-identifiers that fewer than k subjects share, before and after, and what it took."""
    counts: Counter[str] = Counter()
    released = list(anonymise(people, k, counts))
    subject = {seed.id: unit for unit, seed in people}
    return {
        "unique_before": _rare(people, k),
        "unique_after": _rare([(subject[seed.id], seed) for seed in released], k),
        **counts,
    }


def _rare(people: People, k: int) -> int:
    subjects: dict[tuple[str, ...], set[str]] = {}
    for unit, seed in people:
        subjects.setdefault(combination(seed), set()).add(unit)
    return sum(1 for sharing in subjects.values() if len(sharing) < k)
