"""Generates conversations from a file of seeds, and tells what a provider did not do; `semilla generate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flows.progress import Advance
from flows.records_io import read_records, write_records
from generator.config import GeneratorConfig
from generator.errors import ProviderError
from seed_engine.conversation import Conversation
from seed_engine.errors import ModelError
from seed_engine.seed import Seed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file of seeds.

    Attributes:
        written: conversations in the output; without any there is no output.
        wanted: seeds times variants.
        counts: dropped conversations, faults met and how turns came about, by label.
        fault: why it ended early, in words that quote nothing; empty if it did not.
    """

    written: int
    wanted: int
    counts: dict[str, int]
    fault: str


def generate_file(seeds: Path, output: Path, config: GeneratorConfig, advance: Advance) -> Outcome:
    """Generate `per_seed` conversations from every seed.

    A provider that is down is no fault of the input: what was generated before is kept, and the outcome tells.

    Raises:
        InputError: the file holds something else than seeds.
        SeedRejected: a seed breaks the schema.
    """
    records = tuple(read_records(seeds, Seed))
    jobs = [(record, variant) for record in records for variant in range(config.per_seed)]
    counts: Counter[str] = Counter()
    faults: list[str] = []
    made = _made(jobs, config, counts, faults, advance)
    first = next(made, None)
    written = write_records(output, _chained(first, made)) if first is not None else 0
    return Outcome(written, len(jobs), dict(counts), "; ".join(faults))


def _made(
    jobs: list[tuple[Seed, int]], config: GeneratorConfig, counts: Counter[str], faults: list[str], advance: Advance
) -> Iterator[Conversation]:
    from generator.client import completer
    from generator.generate import generate_many

    try:
        for done, result in enumerate(generate_many(jobs, config, completer(config)), 1):
            advance(done, len(jobs))
            counts.update({f"turns_{label}": count for label, count in result.turns.items()})
            counts.update({f"fault_{label}": count for label, count in result.faults.items()})
            if result.conversation is None:
                counts[f"dropped_{result.dropped}"] += 1
            else:
                yield result.conversation
    except (ProviderError, ModelError) as error:
        faults.append(str(error))


def _chained(first: Conversation, rest: Iterator[Conversation]) -> Iterator[Conversation]:
    yield first
    yield from rest
