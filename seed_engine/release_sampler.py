"""Draws seeds from a release's model, calibrated so that what it draws has the statistics that it was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from seed_engine.adjacency import adjacency, bearing, leaving, staying
from seed_engine.markers import Marker
from seed_engine.release_codes import BATCH, CLOSING, STEPS, Codes, Ints, sizes, slot_names, turn_band
from seed_engine.release_model import Floats, Model
from seed_engine.release_statistics import measure, statistics
from seed_engine.seed import FlowStep, Seed
from seed_engine.vocabulary import vocabulary

# Rounds of correction.
_ROUNDS = 12
# In the last of them pairs of objective and topic are left alone: topics alone are known best, and have the last word.
_SETTLING = 5
# A topic is kept for several steps, so that a lift acts more than once in a flow; a full correction would overshoot.
_DAMPING = 0.35
# How often a kind that was mentioned before means the same thing again.
_AGAIN = 0.8


def calibrate(model: Model, rng: np.random.Generator, rounds: int = _ROUNDS, batch: int = BATCH) -> Model:
    """Correct lifts until simulated seeds contribute what the noisy statistics say a subject contributes.

    A chain of pairwise tables does not reproduce the tables it was made of exactly (casts forbid roles, flows end);
    simulating and comparing under the same bounds on contributions takes that out.

    Args:
        model: from `release_model.fit`.
        rng: of the simulation.
        rounds: corrections, >= 0.
        batch: simulated seeds a domain and round.
    """
    present = np.flatnonzero(model.subjects)
    for number in range(rounds):
        sums = {name: np.zeros_like(values) for name, values in model.targets.items()}
        for domain in present:
            found = measure([draw(model, np.full(batch, domain), rng)], only=tuple(sums))
            for item in statistics():
                if item.name in sums:
                    table = found[item.name].reshape(item.shape)[domain] / (item.weight * batch)
                    sums[item.name][domain] = table.sum(0) if item.name == "role_slots" else table
        model = _corrected(model, sums, settling=number >= rounds - _SETTLING)
    return model


def sample(model: Model, count: int, rng: np.random.Generator) -> Iterator[Seed]:
    """Yield `count` valid seeds, numbered from 1.

    Args:
        model: calibrated.
        count: >= 0; nothing is drawn from a model without subjects.
        rng: of the draws; no secret, since it acts on noisy statistics only.
    """
    weights = model.subjects / max(model.subjects.sum(), 1e-9)
    number = 0
    while number < count and model.subjects.any():
        domains = rng.choice(len(weights), min(BATCH, count - number), p=weights)
        for seed in _decoded(draw(model, domains, rng), number, rng):
            yield seed
            number += 1


def draw(model: Model, domain: Ints, rng: np.random.Generator) -> Codes:
    """Codes of one seed for each given domain number."""
    n, d = len(domain), domain
    objectives, casts = model.openings.shape[2], model.casts.shape[2]
    language, objective = np.divmod(_pick(model.openings.reshape(len(model.subjects), -1)[d], rng), objectives)
    opener, cast = np.divmod(_pick(model.casts.reshape(len(model.subjects), -1)[d], rng), casts)
    length = _pick(model.lengths[d, objective], rng)
    steps = np.where(length == 0, STEPS, length)
    flows = {name: np.full((n, STEPS), -1, np.int64) for name in ("role", "act", "topic")}
    mentions = []
    for step in range(int(steps.max(initial=0))):
        rows = np.flatnonzero(steps > step)
        mentions.append(_step(model, flows, step, rows, (d, objective, opener, cast, steps), rng))
    where = np.concatenate(mentions) if mentions else np.zeros((0, 3), np.int64)
    return Codes(
        domain=d,
        language=language,
        objective=objective,
        tone=_pick(model.manners[d, objective], rng),
        opener=opener,
        age=_pick(model.ages[d], rng),
        cast=cast,
        length=length,
        steps=steps,
        **flows,
        slots=(where[:, 0], where[:, 1], where[:, 2]),
    )


def _step(
    model: Model, flows: dict[str, Ints], step: int, rows: Ints, whole: tuple[Ints, ...], rng: np.random.Generator
) -> Ints:
    """Fill one step of all rows that reach it; returns its mentions as (row, step, slot)."""
    d, objective, opener, cast, steps = (column[rows] for column in whole)
    before = {name: flows[name][rows, step - 1] if step else np.full(len(rows), -1) for name in flows}
    role = _pick(_roles(model, d, before["role"], cast), rng) if step else opener
    phase = (step >= steps - CLOSING).astype(np.int64)
    # -1, "nothing before", is the last row of each table. Who goes on after their own turn responds to nothing.
    other = role != before["role"]
    fits = np.where(other[:, None], adjacency()[before["act"]], 1.0)
    fits *= np.where(phase[:, None] == 0, leaving()[before["act"]], 1.0)
    act = _pick(model.acts[phase, before["act"]] * model.act_lifts[d, phase, role] * fits, rng)
    topics = model.topics[d, before["topic"]] * model.topic_lifts[d, act] * model.objective_lifts[d, objective]
    stays = (np.arange(topics.shape[1]) == before["topic"][:, None]) & other[:, None]
    topic = _pick(topics * np.where(stays, staying()[before["act"], act][:, None], 1.0), rng)
    flows["role"][rows, step], flows["act"][rows, step], flows["topic"][rows, step] = role, act, topic
    chance = model.slots[d, topic] * model.slot_lifts[d, role] * bearing()[act][:, None]
    row, slot = np.nonzero(rng.random(chance.shape) < chance)
    return np.stack([rows[row], np.full(len(row), step), slot], 1)


def _roles(model: Model, d: Ints, before: Ints, cast: Ints) -> Floats:
    """Weights of the next speaker: another one of the cast, unless there is only one."""
    numbers = np.arange(sizes().roles)
    others = (cast[:, None] >> numbers & 1).astype(bool)
    alone = others.sum(1) == 1
    others &= (numbers != before[:, None]) | alone[:, None]
    # A speaker that the tables do not expect must still be possible: the cast says so.
    return np.where(others, model.turns[d, before] + 1e-6, 0.0)


def _pick(weights: Floats, rng: np.random.Generator) -> Ints:
    """One column number for each row, in proportion to its weights; the first where a row has none."""
    sums = np.cumsum(weights, axis=1)
    drawn = rng.random(len(weights)) * sums[:, -1]
    column = np.minimum((sums <= drawn[:, None]).sum(1), weights.shape[1] - 1)
    return np.where(sums[:, -1] > 0, column, 0).astype(np.int64)


def _corrected(model: Model, sums: dict[str, Floats], *, settling: bool) -> Model:
    def factor(name: str) -> Floats:
        target, found = model.targets[name], sums[name]
        floor = 1e-4
        return np.where(target > 0, np.clip((target + floor) / (found + floor), 0.25, 4.0), 0.0)

    present = (model.subjects > 0)[:, None, None]
    objectives = 1.0 if settling else np.where(present, factor("objective_topics"), 1.0)
    topics = np.where(present[:, 0], factor("topics"), 1.0)[:, None, :]
    return replace(
        model,
        act_lifts=np.maximum(model.act_lifts * factor("role_acts"), 1e-9),
        objective_lifts=np.maximum(model.objective_lifts * (objectives * topics) ** _DAMPING, 1e-9),
        slots=np.minimum(model.slots * factor("role_slots")[:, None, :], 0.95),
    )


def _decoded(codes: Codes, start: int, rng: np.random.Generator) -> Iterator[Seed]:
    known, names = vocabulary(), slot_names()
    profiles = tuple(known.domains.values())
    mentions: list[dict[int, list[str]]] = [{} for _ in codes.domain]
    for row, step, slot in zip(*(axis.tolist() for axis in codes.slots), strict=True):
        mentions[row].setdefault(step, []).append(names[slot])
    columns = {
        name: getattr(codes, name).tolist()
        for name in ("domain", "language", "objective", "tone", "age", "length", "steps", "role", "act", "topic")
    }
    for i in range(len(codes.domain)):
        profile, told = profiles[columns["domain"][i]], columns["age"][i]
        counted: Counter[str] = Counter()
        flow = tuple(
            FlowStep(
                role=profile.roles[columns["role"][i][j]],
                act=known.dialogue_acts[columns["act"][i][j]],
                topic=profile.topics[columns["topic"][i][j]],
                slots=tuple(_slot(name, counted, rng) for name in mentions[i].get(j, ())),
            )
            for j in range(columns["steps"][i])
        )
        yield Seed(
            id=f"seed-{start + i + 1:06d}",
            vocabulary_version=known.version,
            domain=profile.name,
            language=known.languages[columns["language"][i]],
            roles=tuple(dict.fromkeys(step.role for step in flow)),
            objective=profile.objectives[columns["objective"][i]],
            tone=known.tones[columns["tone"][i]],
            flow=flow,
            turn_range=turn_band(columns["length"][i]),
            facts={"age_band": known.age_bands[told]} if told < len(known.age_bands) else {},
        )


def _slot(name: str, counted: Counter[str], rng: np.random.Generator) -> str:
    """A slot label as it is; a marker kind with a number: the first, one met before, or the next."""
    if name in vocabulary().slots:
        return name
    if not counted[name] or (name.lower() not in vocabulary().roles and rng.random() > _AGAIN):
        counted[name] += 1
        return str(Marker(name, counted[name]))
    return str(Marker(name, int(rng.integers(counted[name])) + 1))
