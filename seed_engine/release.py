"""Releases seeds: as they are, k-anonymous, or drawn anew from differentially private statistics.

Guarantees:
    `release_private` is (epsilon, delta)-differentially private towards the subjects of the source, neighbours
    differing in one subject with all its conversations, added or removed. The only thing it computes from seeds is the
    vector of statistics in `seed_engine.release_statistics`, with discrete Gaussian noise on every cell; the rest, the
    number of seeds included, is post-processing of that vector.
"""

from __future__ import annotations

import hashlib
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from seed_engine.discrete_noise import Noise, discrete_gaussian
from seed_engine.release_accounting import composed_epsilon, noise_multiplier_for
from seed_engine.release_codes import Ints, encode
from seed_engine.release_model import fit
from seed_engine.release_sampler import calibrate, sample
from seed_engine.release_statistics import measure, sensitivity, statistics
from seed_engine.seed import Guarantee, Seed


@dataclass(frozen=True, slots=True)
class Mechanism:
    """The noise of one release, and what it costs.

    Attributes:
        epsilon: privacy loss, at most what was asked for.
        delta: in (0, 1).
        noise_multiplier: standard deviation of the noise over the L2 sensitivity.
        scale: standard deviation of the noise, whole units.
    """

    epsilon: float
    delta: float
    noise_multiplier: float
    scale: int


def mechanism_for(epsilon: float, delta: float) -> Mechanism:
    """The least noise that keeps a release within (epsilon, delta).

    Args:
        epsilon: > 0.
        delta: in (0, 1).
    """
    scale = math.ceil(noise_multiplier_for(epsilon, delta) * sensitivity())
    multiplier = scale / sensitivity()
    return Mechanism(composed_epsilon((multiplier,), delta), delta, multiplier, scale)


def release_private(
    items: Iterable[tuple[str, Seed]],
    mechanism: Mechanism,
    *,
    count: int | None = None,
    noise: Noise = discrete_gaussian,
    rng: np.random.Generator | None = None,
) -> Iterator[Seed]:
    """Yield new seeds that follow the noisy statistics of a source.

    Memory does not grow with the source, nor with what is drawn.

    Args:
        items: the privacy unit and a seed of it, read once, before the first seed is yielded.
        mechanism: see `mechanism_for`.
        count: seeds to draw; None for the noisy count of subjects.
        noise: the sampler; another one is for tests, and voids the guarantee.
        rng: for drawing from the noisy model; None takes the operating system's entropy.
    """
    rng = rng or np.random.default_rng()
    exact = measure(encode(first_of_each(items)))
    noisy = dict(zip(exact, _noisy(list(exact.values()), mechanism.scale, noise), strict=True))
    model = calibrate(fit(noisy, mechanism.scale), rng)
    wanted = round(float(model.subjects.sum())) if count is None else count
    # What a reader gets to see is epsilon as asked, rounded up in the last place that is shown; four places of what
    # is below 100 are six digits, which is what a promise may have.
    promise = Guarantee(epsilon=math.ceil(mechanism.epsilon * 1e4) / 1e4, delta=mechanism.delta)
    for seed in sample(model, wanted, rng):
        yield seed.model_copy(update={"privacy": promise})


def first_of_each(items: Iterable[tuple[str, Seed]]) -> Iterator[Seed]:
    """Yield the first seed of each unit: which one it is depends on no other unit.

    Units are remembered as keyed hashes in an unnamed temporary database on disk, so that memory does not grow.
    """
    key = os.urandom(32)
    known = sqlite3.connect("")
    try:
        known.execute("CREATE TABLE units (hash BLOB PRIMARY KEY) WITHOUT ROWID")
        for unit, seed in items:
            digest = hashlib.blake2b(unit.encode("utf-8", "surrogatepass"), key=key, digest_size=16).digest()
            if known.execute("INSERT OR IGNORE INTO units VALUES (?)", (digest,)).rowcount:
                yield seed
    finally:
        known.close()


def _noisy(exact: list[Ints], scale: int, noise: Noise) -> list[Ints]:
    """One call on all statistics at once: they are one vector, and its sensitivity is theirs together."""
    ends = np.cumsum([item.size for item in statistics()])[:-1]
    return np.split(noise(np.concatenate(exact), scale), ends)
