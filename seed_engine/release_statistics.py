"""The statistics that a differentially private release measures, with the contribution of one subject bounded.

What is measured, by which cells and up to which bound is fixed here and by the published vocabulary, never by the data.
A subject contributes one seed (its first). Of that seed each statistic takes a vector of counts, scaled down to
the statistic's `clip` in L2 norm and expressed in whole units, `weight` of them at most: all in integer arithmetic.

Guarantees:
    Adding or removing one subject changes the vector of all statistics by at most `SENSITIVITY` in L2 norm.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seed_engine.release_codes import CLOSING, STEPS, Codes, band_numbers, sizes

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Statistic:
    """One table of counts.

    Attributes:
        name: see `cells`.
        shape: its axes; the first is the domain, except for `lengths` and `acts`, which all domains share.
        clip: norm of a subject's counts up to which they enter in full, >= 1; 1 for what a seed has exactly one of.
        weight: share of the budget: the most that a subject adds, in units, L2; more weight is less noise.
        norm: of the counts, which decides how they are scaled. L2 spends least; L1, the larger one, is the flow's
            length, so that a flow on one topic weighs as much as one of the same length on many.
    """

    name: str
    shape: tuple[int, ...]
    clip: int
    weight: int
    norm: Literal["l1", "l2"] = "l2"

    @property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)


@cache
def statistics() -> tuple[Statistic, ...]:
    """Every statistic of a release. A flow of twenty steps is hardly scaled by these bounds, one of eighty is."""
    n = sizes()
    return (
        Statistic("subjects", (n.domains,), 1, 1000),
        Statistic("openings", (n.domains, n.languages, n.objectives), 1, 800),
        Statistic("manners", (n.domains, n.objectives, n.tones), 1, 600),
        Statistic("lengths", (STEPS + 1,), 1, 1200),
        Statistic("objective_lengths", (n.domains, n.objectives, n.bands), 1, 800),
        Statistic("casts", (n.domains, n.roles, 2**n.roles), 1, 600),
        Statistic("ages", (n.domains, n.ages), 1, 400),
        Statistic("turns", (n.domains, n.roles + 1, n.roles), 9, 500),
        Statistic("acts", (2, n.acts + 1, n.acts), 5, 1000),
        Statistic("role_acts", (n.domains, 2, n.roles, n.acts), 7, 1300),
        Statistic("topics", (n.domains, n.topics), 12, 1300, "l1"),
        Statistic("topic_turns", (n.domains, n.topics + 1, n.topics), 9, 800),
        Statistic("topic_acts", (n.domains, n.topics, n.acts), 6, 700),
        Statistic("objective_topics", (n.domains, n.objectives, n.topics), 12, 1000, "l1"),
        Statistic("slots", (n.domains, n.topics, n.slots), 6, 900),
        Statistic("role_slots", (n.domains, n.roles, n.slots), 8, 900),
    )


@cache
def sensitivity() -> float:
    """L2 norm of what one subject adds to all statistics together, in units."""
    return math.sqrt(sum(item.weight**2 for item in statistics()))


def measure(batches: Iterable[Codes], only: Collection[str] | None = None) -> dict[str, Ints]:
    """Exact statistics of seeds, one seed a subject; not private before noise is added.

    Args:
        batches: encoded seeds; each row must be of another subject.
        only: names of the statistics wanted; None for all.
    """
    wanted = [item for item in statistics() if only is None or item.name in only]
    totals = {item.name: np.zeros(item.size, np.int64) for item in wanted}
    for codes in batches:
        for item in wanted:
            rows, found = cells(item, codes)
            totals[item.name] += _bounded_sum(item, rows, found)
    return totals


def cells(item: Statistic, codes: Codes) -> tuple[Ints, Ints]:
    """The cells that seeds count in, as row and flat cell index; a cell met twice stands twice."""
    d, rows = codes.domain, np.arange(len(codes.domain))
    whole = {
        "subjects": (d,),
        "openings": (d, codes.language, codes.objective),
        "manners": (d, codes.objective, codes.tone),
        "lengths": (codes.length,),
        "objective_lengths": (d, codes.objective, band_numbers()[codes.length]),
        "casts": (d, codes.opener, codes.cast),
        "ages": (d, codes.age),
    }
    if item.name in whole:
        return rows, _flat(item, *whole[item.name])
    if item.name in ("slots", "role_slots"):
        row, step, slot = codes.slots
        given = codes.topic if item.name == "slots" else codes.role
        return row, _flat(item, d[row], given[row, step], slot)
    row, step = np.nonzero(codes.role >= 0)
    phase = (step >= codes.steps[row] - CLOSING).astype(np.int64)
    first = step == 0
    role, act, topic = codes.role[row, step], codes.act[row, step], codes.topic[row, step]
    axes = {
        "turns": (d[row], np.where(first, item.shape[1] - 1, codes.role[row, step - 1]), role),
        "acts": (phase, np.where(first, item.shape[1] - 1, codes.act[row, step - 1]), act),
        "role_acts": (d[row], phase, role, act),
        "topics": (d[row], topic),
        "topic_turns": (d[row], np.where(first, item.shape[1] - 1, codes.topic[row, step - 1]), topic),
        "topic_acts": (d[row], topic, act),
        "objective_topics": (d[row], codes.objective[row], topic),
    }
    return row, _flat(item, *axes[item.name])


def _flat(item: Statistic, *axes: Ints) -> Ints:
    return np.ravel_multi_index(axes, item.shape).astype(np.int64)


def _bounded_sum(item: Statistic, rows: Ints, found: Ints) -> Ints:
    """Sum over rows of each row's counts, scaled to its bound and rounded towards zero: no row exceeds `weight`."""
    keys, counts = np.unique(rows * item.size + found, return_counts=True)
    owner, cell = keys // item.size, keys % item.size
    squares = np.bincount(owner, weights=counts.astype(np.float64) ** (1 if item.norm == "l1" else 2))
    # Sums here are below 2^53 and so exact; the ceiling of a root can only be too large, and L1 is never below L2.
    norms = np.ceil(squares if item.norm == "l1" else np.sqrt(squares)).astype(np.int64)
    norm = np.maximum(norms, item.clip)
    total = np.zeros(item.size, np.int64)
    np.add.at(total, cell, counts * item.weight // norm[owner])
    return total
