"""The figures of `semilla bench generation`: which share of seeds the quality gate lets pass, cell by cell."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from evaluator.config import EvaluatorConfig
from generator.completion import Complete
from generator.config import GeneratorConfig
from generator.selection import Judge
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

Cell = tuple[str, str]
# Of a domain; a private release needs so many to see it.
PEOPLE = 1500


@dataclass(frozen=True, slots=True)
class CellFigures:
    """What became of the seeds of one domain and language.

    Attributes:
        domain, language: the cell.
        seeds: how many.
        first: share of seeds whose first draw passes the gate, [0, 1].
        passing: share of seeds whose kept conversation passes it, [0, 1].
        draws: draws a seed, on average, >= 1.
        turns: turns a conversation, on average.
        cpu_seconds: of this process for each conversation, judging included.
        seconds: of the clock for each conversation.
        load: of the machine as the cell ended, a one-minute average.
    """

    domain: str
    language: str
    seeds: int
    first: float
    passing: float
    draws: float
    turns: float
    cpu_seconds: float
    seconds: float
    load: float


def bench_generation(seeds: Iterable[Seed], config: GeneratorConfig, judging: EvaluatorConfig) -> Iterator[CellFigures]:
    """Yield the figures of each cell.

    Args:
        seeds: of any domains and languages; those of a cell share one run, in which no two may be alike.
        config: of the generator.
        judging: the evaluator's settings, whose composite decides.

    Raises:
        ModelError: a model file is missing; without the embedding model nothing can be judged.
    """
    from flows.quality_judge import quality_judge
    from generator.client import completer
    from seed_engine.models import model_path

    model_path("minilm")
    judge, complete = quality_judge(judging), completer(config)
    assert judge is not None
    ordered = sorted(seeds, key=_cell)
    for cell, members in groupby(ordered, key=_cell):
        yield _measured(cell, list(members), config, complete, judge)


def invented_seeds() -> Iterator[Seed]:
    """Yield seeds of `PEOPLE` invented people of every domain."""
    import numpy as np

    from seed_engine.seed_population import population
    from seed_engine.vocabulary import vocabulary

    rng = np.random.default_rng(0)
    for domain in vocabulary().domains:
        yield from (seed for _, seed in population(PEOPLE, rng, (domain,)))


def released_seeds(source: Iterable[Seed], release: str, each: int) -> Iterator[Seed]:
    """Yield at most `each` seeds of every domain and language, as a release lets them out.

    Args:
        source: each seed of another subject.
        release: `none`, `kanonymous` (k = 5) or `dp` (epsilon 3, delta 1e-5), as `semilla seed --release`.
        each: >= 1.
    """
    import numpy as np

    from seed_engine.anonymity import anonymise
    from seed_engine.release import mechanism_for, release_private

    people = [(str(number), seed) for number, seed in enumerate(source)]
    seeds: Iterator[Seed] = (seed for _, seed in people)
    if release == "dp":
        seeds = release_private(people, mechanism_for(3.0, 1e-5), rng=np.random.default_rng(1))
    elif release == "kanonymous":
        seeds = anonymise(people, 5, Counter())
    taken: Counter[Cell] = Counter()
    for seed in seeds:
        taken[_cell(seed)] += 1
        if taken[_cell(seed)] <= each:
            # Seeds of several sources may have one number.
            yield seed.model_copy(update={"id": f"seed-{taken.total():06d}"})


def _cell(seed: Seed) -> Cell:
    return seed.domain, seed.language


def _measured(
    cell: Cell, seeds: Sequence[Seed], config: GeneratorConfig, complete: Complete, judge: Judge
) -> CellFigures:
    from generator.generate import generate_many

    first: dict[str, bool] = {}
    passed: Counter[str] = Counter()

    def watching(conversation: Conversation, seed: Seed) -> tuple[float, bool]:
        score, good = judge(conversation, seed)
        first.setdefault(seed.id, good)
        passed[seed.id] |= good
        return score, good

    clock, cpu = time.perf_counter(), time.process_time()
    made = list(generate_many([(seed, 0) for seed in seeds], config, complete, judge=watching))
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    spoilt = sum(sum(result.faults.get(name, 0) for name in ("low_quality", "near_duplicate")) for result in made)
    good = sum(result.conversation is not None and passed[result.seed_id] > 0 for result in made)
    return CellFigures(
        domain=cell[0],
        language=cell[1],
        seeds=len(seeds),
        first=sum(first.values()) / len(seeds),
        passing=good / len(seeds),
        draws=(spoilt + good) / len(seeds),
        turns=sum(len(seed.flow) for seed in seeds) / len(seeds),
        cpu_seconds=cpu / len(seeds),
        seconds=clock / len(seeds),
        load=os.getloadavg()[0],
    )
