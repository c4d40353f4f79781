"""Reads the inputs once and makes seeds of them; personal values stay in memory, as keyed hashes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flows.detection import require_domain
from flows.holding import held_back
from flows.inclusion import salted_digest, source_root
from flows.inputs import read_inputs, settled
from flows.known import KnownValues
from flows.labelling import labeller
from flows.models_used import detector_models, pinned
from flows.progress import Advance
from flows.records import GateRecord, SourceCommitment
from flows.records_io import read_records, write_records
from flows.releasing import RELEASE, SEEDS, ReleasePlan, bind_release, plan_release, release_record, release_seeds
from flows.rundir import write_json
from flows.shard_marks import seeding
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation
from seed_engine.models import file_sha256
from seed_engine.seed import Seed


def extract(work: Workspace, advance: Advance) -> StageResult:
    """Turn the input conversations into seeds; writes seeds.jsonl, and release.json, which says what it promises.

    All inputs are read before anything is written, so that a broken line stops the run with nothing half-done.
    """
    from generator.house import house_texts
    from seed_engine.extract import secrets_of
    from seed_engine.fingerprints import Fingerprints
    from seed_engine.secrets import SecretIndex

    require_domain(work.config.seeds.domain)
    counts: Counter[str] = Counter()
    plan = plan_release(work.config.seeds, work.inputs, work.limit, work.directory)
    how: dict[str, Any] = {"limit": work.limit, "skip_bad": work.skip_bad, "unique_ids": plan.private}
    conversations = tuple(read_inputs(work.inputs, counts, **how))
    # A private release reads its source whole.
    work.held_back = frozenset() if plan.private else held_back([c.unit for c in conversations], work.config.attacks)
    chosen = [place for place in range(len(conversations)) if place not in work.held_back]
    unseeded = set(work.held_back)
    known = KnownValues()
    labeller(work.config.seeds, work.config.generator)  # refuses before any text is read for it
    doing = seeding(work.config, work.inputs, spread=not plan.private)

    def seeds() -> Iterator[tuple[Conversation, Seed]]:
        # A model that labels is asked from one place: its pace and its memory are those of one.
        here = work.config.seeds.labeller is not None
        talks = [settled(conversations[place], work.config.seeds.domain) for place in chosen]
        made = work.spread.map("extract", doing, talks, here=here)
        for done, (place, conversation, item) in enumerate(zip(chosen, talks, made, strict=True), 1):
            known.add(conversation, secrets_of(conversation, item["marked"]))
            counts.update({"turns": len(conversation.turns), **item["types"]})
            advance(done, len(chosen))
            if item["seed"] is None:
                unseeded.add(place)
                counts[f"skipped_{item['skipped']}"] += 1
            else:
                # Seeds are numbered by position alone, so that an id says nothing about its source.
                yield conversation, Seed.model_validate({**item["seed"], "id": f"seed-{done:06d}"})

    released: Counter[str] = Counter()
    counts["seeds"] = _release(work, plan, seeds(), released)
    counts["held_back"], work.left_out = len(work.held_back), frozenset(unseeded)
    house = tuple(house_texts())
    work.secrets, work.sees = SecretIndex.build(known, work.key, allowed=house), known.sees(house)
    passages = ((conversations[i].unit, [turn.text for turn in conversations[i].turns]) for i in chosen)
    work.fingerprints = Fingerprints.build(passages, work.key, allowed=house)
    work.source = commit(work.inputs, conversations, private=plan.private)
    gate = GateRecord(
        name="input",
        figure=counts["seeds"],
        threshold=1,
        verdict="pass" if counts["seeds"] else "inconclusive",
        detail="seeds made, at least one needed",
    )
    models = detector_models(work.detector, private=plan.private, elsewhere=work.spread.models)
    models |= pinned("minilm") if "minilm" in work.spread.models or plan.private else {}
    if work.config.seeds.labeller is not None:
        models["labeller"] = work.config.seeds.labeller
    # What a private release cost in noise must not be told for nothing beside it.
    told = {"seeds": counts["seeds"]} if plan.private else {"conversations": len(conversations), **counts}
    return StageResult(dict(told), (gate,), models=models)


def _release(
    work: Workspace, plan: ReleasePlan, seeds: Iterator[tuple[Conversation, Seed]], released: Counter[str]
) -> int:
    path = work.directory / SEEDS
    if plan.kept:
        # The source is still read: what it holds must be searched for. Its seeds were let out already.
        for _ in seeds:
            pass
        return sum(1 for _ in read_records(path, Seed))
    written = write_records(path, release_seeds(plan, seeds, released))
    record = release_record(plan, released, written)
    if plan.private:
        record = bind_release(record, work.directory, work.inputs, work.config.seeds)
    write_json(work.directory / RELEASE, record)
    return written


def commit(
    inputs: tuple[Path, ...], conversations: tuple[Conversation, ...], *, private: bool, salt: bytes | None = None
) -> SourceCommitment:
    """Commit to the inputs.

    Args:
        inputs: the files.
        conversations: what was read of them.
        private: tell no number of conversations and subjects.
        salt: of an earlier commitment, to see whether the inputs are still the same; None draws one.
    """
    salt = os.urandom(16) if salt is None else salt
    digests = (salted_digest(file_sha256(path), salt) for path in inputs)
    return SourceCommitment(
        salt=salt.hex(),
        root=source_root(conversations, salt),
        files=tuple(digests),
        conversations=None if private else len(conversations),
        subjects=None if private else len({conversation.unit for conversation in conversations}),
    )
