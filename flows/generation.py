"""Generates conversations from a file of seeds, and tells what a provider did not do; `semilla generate`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flows.errors import UsageError
from flows.progress import Advance
from flows.records_io import read_records, write_records
from generator.config import EMBEDDED_MODEL, GeneratorConfig
from generator.errors import BudgetSpent, ProviderError
from generator.journal import Journal
from generator.selection import Judge
from generator.spending import Spending, Usage
from seed_engine.conversation import Conversation
from seed_engine.errors import ModelError
from seed_engine.seed import Seed


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file of seeds.

    Attributes:
        written: conversations in the output; without any there is no output.
        wanted: seeds times variants.
        counts: dropped conversations, faults met, how turns came about and manners drawn, by label.
        usage: what the requests have cost.
        fault: why it ended early, in words that quote nothing; empty if it did not.
    """

    written: int
    wanted: int
    counts: dict[str, int]
    usage: Usage
    fault: str


@dataclass(frozen=True, slots=True)
class _Means:
    """What generation works with: the run's account, its journal, and who tells good from bad."""

    spending: Spending
    journal: Journal | None
    judge: Judge | None


def generate_file(
    seeds: Path, output: Path, config: GeneratorConfig, advance: Advance, judge: Judge | None = None
) -> Outcome:
    """Generate `per_seed` conversations from every seed.

    A provider that is down, and a budget that is spent, are no fault of the input: what was generated before is kept,
    and the outcome tells. Replies that were paid for stay beside the seeds until the output is whole, so that the same
    command asks for the others only.

    Raises:
        InputError: the file holds something else than seeds.
        SeedRejected: a seed breaks the schema.
    """
    records = tuple(read_records(seeds, Seed))
    jobs = [(record, variant) for record in records for variant in range(config.per_seed)]
    counts: Counter[str] = Counter()
    faults: list[str] = []
    spending = Spending(config)
    journal = Journal(_replies(seeds, output)) if config.pays else None
    made = _made(jobs, config, _Means(spending, journal, judge), counts, faults, advance)
    first = next(made, None)
    written = write_records(output, _chained(first, made)) if first is not None else 0
    if journal is not None and not faults:
        journal.close()
    return Outcome(written, len(jobs), dict(counts), spending.usage, "; ".join(faults))


def writer(model: str | None) -> dict[str, object]:
    """The settings that `--model` stands for: a folder is an adapter trained here, all else a name of LiteLLM's.

    Raises:
        UsageError: a path that is no folder.
        AdapterError: a folder that is no adapter trained here.
    """
    if model is None:
        return {}
    folder = Path(model).expanduser()
    if folder.is_dir():
        from training.gguf_file import gguf_of

        return {"model": EMBEDDED_MODEL, "lora": gguf_of(folder)}
    if folder.exists() or model.startswith((".", "/", "~")):
        raise UsageError(f"{model}: not the folder of an adapter")
    return {"model": model}


def _replies(seeds: Path, output: Path) -> Path:
    """Where replies about these seeds are kept: an interrupted command leaves nothing at its output."""
    folder = seeds.parent if os.access(seeds.parent, os.W_OK) else output.parent
    return folder / f".{seeds.name}.replies"


def _made(
    jobs: list[tuple[Seed, int]],
    config: GeneratorConfig,
    means: _Means,
    counts: Counter[str],
    faults: list[str],
    advance: Advance,
) -> Iterator[Conversation]:
    from generator.client import completer
    from generator.generate import generate_many

    try:
        complete = completer(config, means.spending, means.journal)
        for done, result in enumerate(generate_many(jobs, config, complete, judge=means.judge), 1):
            advance(done, len(jobs))
            counts.update(f"manner_{label}" for label in result.manner.labels if result.conversation is not None)
            counts.update({f"turns_{label}": count for label, count in result.turns.items()})
            counts.update({f"fault_{label}": count for label, count in result.faults.items()})
            if result.conversation is None:
                counts[f"dropped_{result.dropped}"] += 1
            else:
                yield result.conversation
    except (BudgetSpent, ProviderError, ModelError) as error:
        faults.append(str(error))


def _chained(first: Conversation, rest: Iterator[Conversation]) -> Iterator[Conversation]:
    yield first
    yield from rest
