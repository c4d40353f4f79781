"""The distribution of seeds that a release is drawn from, made of noisy statistics alone.

A seed's whole (domain, language, objective, tone, length, cast, age band) is a tree of pairwise tables. Its flow is a
chain: a step's role follows the step before, its act the act before and the role, its topic the topic before, the act
and the objective, its slots the topic and the role. Pairs that meet in one step are combined as products of their
lifts (observed over expected), each shrunk towards 1 by the noise it was measured with.

Guarantees:
    Nothing here reads a source: all of it is post-processing of noisy statistics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from seed_engine.release_codes import band_numbers, sizes, slot_names
from seed_engine.release_statistics import statistics
from seed_engine.vocabulary import DomainProfile, vocabulary

Floats = NDArray[np.float64]

# So many standard deviations of its noise does a cell stand out by.
_STANDS_OUT = 2.0
# A domain whose noisy count of subjects is below so many standard deviations of its noise is not there: fixed
# beforehand, so that not every domain of the vocabulary is invented by noise.
_PRESENT = 4.0


@dataclass(frozen=True, slots=True)
class Model:
    """Probabilities and lifts; axes as in `release_statistics.statistics`.

    Attributes:
        subjects: estimated subjects by domain, >= 0.
        openings, manners, casts, ages: probabilities that sum to 1 over their last axes.
        lengths: domain, objective, length: probabilities.
        turns, acts, topics: one row of probabilities for each value before.
        act_lifts: domain, phase, role, act.
        topic_lifts: domain, act, topic.
        objective_lifts: domain, objective, topic.
        slots: domain, topic, slot: probability of a mention.
        slot_lifts: domain, role, slot.
        targets: what a subject of a domain contributes on average, by statistic; what the sampler is calibrated to.
    """

    subjects: Floats
    openings: Floats
    manners: Floats
    lengths: Floats
    casts: Floats
    ages: Floats
    turns: Floats
    acts: Floats
    topics: Floats
    act_lifts: Floats
    topic_lifts: Floats
    objective_lifts: Floats
    slots: Floats
    slot_lifts: Floats
    targets: dict[str, Floats]


def fit(noisy: dict[str, NDArray[np.int64]], scale: float) -> Model:
    """The model that noisy statistics speak for.

    Args:
        noisy: by name, flat, in units.
        scale: standard deviation of the noise on every cell, in units; 0 for none.
    """
    # A statistic counts up to `weight` units a subject; dividing makes them comparable, and their noise differ.
    table = {item.name: noisy[item.name].reshape(item.shape) / item.weight for item in statistics()}
    noise = {item.name: max(scale, 1.0) / item.weight for item in statistics()}
    subjects = table["subjects"].copy()
    subjects[subjects < max(0.5, _PRESENT * noise["subjects"])] = 0.0
    # A conversation has two sides: one that a single person holds must stand out from the noise to be there.
    table["casts"][:, :, _alone()] -= _STANDS_OUT * noise["casts"]
    shown = {name: _shown(name, values, subjects) for name, values in table.items()}
    role_acts, topics = _role_acts(table["role_acts"], shown["role_acts"]), shown["topic_turns"]
    slots, role_slots = shown["slots"], shown["role_slots"]
    in_topic = np.maximum(shown["topic_acts"].sum(2), noise["topic_acts"])
    return Model(
        subjects=subjects,
        openings=_rows(shown["openings"], 2, 0.0),
        manners=_rows(shown["manners"], 1, noise["manners"]),
        lengths=_lengths(shown["lengths"], shown["objective_lengths"], shown["openings"], noise["objective_lengths"]),
        casts=_rows(shown["casts"], 2, 0.0),
        ages=_rows(shown["ages"], 1, 0.0),
        turns=_rows(shown["turns"], 1, noise["turns"]),
        acts=_rows(shown["acts"], 1, 2 * noise["acts"]),
        topics=_rows(topics, 1, noise["topic_turns"]),
        act_lifts=_lifts(role_acts.reshape(len(subjects), -1, role_acts.shape[3]), noise["role_acts"]).reshape(
            role_acts.shape
        ),
        topic_lifts=_lifts(shown["topic_acts"].transpose(0, 2, 1), noise["topic_acts"]),
        objective_lifts=_lifts(shown["objective_topics"], noise["objective_topics"]),
        slots=np.minimum(slots / in_topic[:, :, None], 0.95),
        slot_lifts=_lifts(role_slots, noise["role_slots"]),
        targets=_targets(shown, role_acts, table["role_slots"], subjects, noise),
    )


@cache
def possible(name: str) -> NDArray[np.bool_]:
    """Cells of a statistic that an extracted seed can count in, by the vocabulary alone.

    Who asks in another domain is nobody's role here: a lesson has no client.
    """
    shape = next(item.shape for item in statistics() if item.name == name)
    cells = np.ones(shape, bool)
    for d, profile in enumerate(vocabulary().domains.values()):
        objectives, roles, topics = len(profile.objectives), len(profile.roles), len(profile.topics)
        if name in ("openings",):
            cells[d, :, objectives:] = False
        elif name in ("manners", "objective_topics", "objective_lengths"):
            cells[d, objectives:] = False
        elif name == "casts":
            for opener in range(sizes().roles):
                for cast in range(2 ** sizes().roles):
                    cells[d, opener, cast] = opener < roles and cast < 2**roles and bool(cast >> opener & 1)
        elif name in ("turns", "role_acts", "role_slots"):
            axis = 2 if name in ("turns", "role_acts") else 1
            cells[d].swapaxes(0, axis - 1)[roles:] = False
        elif name in ("topic_acts", "slots"):
            cells[d, topics:] = False
        if name in ("topic_turns", "objective_topics"):
            cells[d, :, topics:] = False
        if name == "topics":
            cells[d, topics:] = False
        if name in ("slots", "role_slots"):
            cells[d, :, _of_others(profile)] = False
    return cells


def _alone() -> list[int]:
    """Numbers of the casts of one role."""
    return [1 << role for role in range(sizes().roles)]


def _of_others(profile: DomainProfile) -> list[int]:
    """Numbers of the marker kinds of those who ask in other domains alone."""
    asking = {other.roles[0].upper() for other in vocabulary().domains.values()}
    kinds = asking - {role.upper() for role in profile.roles}
    return [number for number, name in enumerate(slot_names()) if name in kinds]


def _shown(name: str, values: Floats, subjects: Floats) -> Floats:
    """A table without negative or impossible cells: the nearest one with the same total, domain by domain."""
    if name == "subjects":
        return subjects
    if name == "lengths":
        return _simplex(values, float(subjects.sum()))
    cells, allowed = np.zeros_like(values), possible(name)
    for part in range(len(values)):
        known = values[part][allowed[part]]
        once = name in ("openings", "manners", "objective_lengths", "casts", "ages")
        total = subjects[part] if once else float(known.sum())
        cells[part][allowed[part]] = _simplex(known, total)
    return cells


def _simplex(values: Floats, total: float) -> Floats:
    """Euclidean projection onto {x >= 0, sum x = total} (Duchi et al. 2008, Figure 1); zeros if the total is none."""
    if total <= 0 or not len(values):
        return np.zeros_like(values)
    ordered = np.sort(values)[::-1]
    excess = (np.cumsum(ordered) - total) / np.arange(1, len(values) + 1)
    last = np.flatnonzero(ordered > excess)[-1]
    projected: Floats = np.maximum(values - excess[last], 0.0)
    return projected


def _role_acts(raw: Floats, shown: Floats) -> Floats:
    """Role and act tables whose acts add up to the act totals, which are less noisy than any one cell."""
    fitted = np.zeros_like(shown)
    for d in range(len(raw)):
        by_act = np.where(possible("role_acts")[d], raw[d], 0.0).sum((0, 1))
        total = float(shown[d].sum())
        acts = _simplex(by_act, total)
        independent = shown[d].sum(2, keepdims=True) * acts / max(total, 1e-9)
        mixed = 0.95 * shown[d] + 0.05 * independent
        fitted[d] = mixed * acts / np.maximum(mixed.sum((0, 1)), 1e-9)
    return fitted


def _lengths(lengths: Floats, by_objective: Floats, openings: Floats, prior: float) -> Floats:
    """Exact lengths are shared, bands are each objective's own; raked until these add up to the shared ones."""
    number = band_numbers()
    inside = np.bincount(number, lengths, by_objective.shape[2])
    bands, weights = _rows(by_objective, 1, prior), openings.sum(1)
    for _ in range(5):
        found = np.einsum("do,dob->b", weights, bands)
        bands = _rows(bands * inside / np.maximum(found, 1e-9), 1, 0.0)
    exact: Floats = bands[:, :, number] * (lengths / np.maximum(inside[number], 1e-9))
    return exact


def _rows(counts: Floats, axes: int, prior: float) -> Floats:
    """Probabilities over the last axes, shrunk towards their mean over what comes before by `prior` pseudo-counts."""
    shape = counts.shape
    flat = counts.reshape(*shape[:-axes], -1)
    mean = flat.sum(-2, keepdims=True) if prior and flat.ndim > 1 else np.zeros_like(flat[..., :1, :])
    mean = mean / np.maximum(mean.sum(-1, keepdims=True), 1e-9)
    mixed = flat + prior * mean
    sums = mixed.sum(-1, keepdims=True)
    return np.where(sums > 0, mixed / np.maximum(sums, 1e-9), 0.0).reshape(shape)


def _lifts(counts: Floats, prior: float) -> Floats:
    """Observed over expected for the last two axes, both shifted by `prior`, so that rare pairs stay near 1."""
    total = np.maximum(counts.sum((-1, -2), keepdims=True), 1e-9)
    expected = counts.sum(-1, keepdims=True) * counts.sum(-2, keepdims=True) / total
    lifts: Floats = (counts + prior) / (expected + prior)
    return lifts


def _targets(
    shown: dict[str, Floats], role_acts: Floats, role_slots: Floats, subjects: Floats, noise: dict[str, float]
) -> dict[str, Floats]:
    per_subject = 1.0 / np.maximum(subjects, 1.0)
    slots = np.where(possible("role_slots"), role_slots, 0.0).sum(1)
    # A slot that nobody mentioned would still show in half the domains: below two deviations it is not there.
    slots[slots < _STANDS_OUT * noise["role_slots"] * np.sqrt(sizes().roles)] = 0.0
    return {
        "role_acts": role_acts * per_subject[:, None, None, None],
        "topics": shown["topics"] * per_subject[:, None],
        "objective_topics": shown["objective_topics"] * per_subject[:, None, None],
        "role_slots": slots * per_subject[:, None],
    }
