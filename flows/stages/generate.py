"""Seeds to synthetic conversations, with the house's one loop: a bad generation is tried again, a bounded number of times.

Only seeds go to a provider. What it answers is judged at once: a known secret is left in place, so that the leak gate
halts the run; personal data that is not a known secret (a name from the model's own memory) is tried again with another
variant and then counted as dropped.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from flows.progress import Advance
from flows.records import GateRecord
from flows.records_io import dump_record, read_records
from flows.workspace import StageResult, Workspace
from generator.client import completer
from generator.generate import Generation, generate_many
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

# A generation that passes its own checks but holds personal data is tried this often in all.
ROUNDS = 3


def generate(work: Workspace, advance: Advance) -> StageResult:
    """Generate `per_seed` conversations from every seed; writes synthetic.jsonl.

    Accepted conversations are appended to synthetic.part.jsonl as they come, so that a retry or a resumed run asks a
    provider for nothing that it has already answered.
    """
    config = work.config.generator
    seeds = tuple(read_records(work.directory / "seeds.jsonl", Seed))
    part = work.directory / "synthetic.part.jsonl"
    done = _resume(part)
    wanted = [(seed, number) for seed in seeds for number in range(config.per_seed)]
    pending = [item for item in wanted if f"{item[0].id}-{item[1]}" not in done]
    counts: Counter[str] = Counter(wanted=len(wanted), resumed=len(done))
    complete = completer(config)
    with part.open("a", encoding="utf-8") as file:
        for attempt in range(ROUNDS):
            rejected = []
            ...
    raise NotImplementedError
