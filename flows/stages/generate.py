"""Seeds to synthetic conversations, with the house's one loop: a bad generation is tried again, within bounds.

Only seeds go to a provider. What comes back is looked at once: personal data that a model made up is tried again as
another variant and then counted as dropped; a known value of the source is left in place, so that the leak gate halts.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from flows.models_used import detector_models, provider_models
from flows.progress import Advance
from flows.quality_judge import quality_judge
from flows.records import GateRecord
from flows.records_io import dump_record, read_records, write_records
from flows.workspace import KEPT, StageResult, Workspace
from generator.journal import Journal
from generator.spending import Spending
from seed_engine.atomic import atomic_text
from seed_engine.conversation import Conversation
from seed_engine.models import file_sha256
from seed_engine.seed import Seed

Job = tuple[Seed, int]

# How often a conversation is generated at most when its text holds personal data.
TRIES = 3
# Stands from when the set is whole until it is published.
_WHOLE = "generated.json"
_REPLIES = "replies.jsonl"


def generate(work: Workspace, advance: Advance) -> StageResult:
    """Generate `per_seed` conversations from every seed; writes synthetic.jsonl.

    Accepted conversations are appended to a part file as they come, and replies that were paid for to a journal, so
    that a retry or a resumed run asks a provider for nothing that it has already answered.

    Raises:
        BudgetSpent: as configured; what was paid for is kept for `--resume`.
        ProviderDown: the provider answered nothing for many conversations in a row, or for any.
    """
    counts = _whole(work)
    if counts is None:
        counts = _generated(work, advance)
        _note_whole(work, counts)
    # Only now: what is removed before the note stands would be asked for once more.
    for done in (*work.directory.glob("synthetic.*.part.jsonl"), work.directory / _REPLIES):
        done.unlink(missing_ok=True)
    gate = GateRecord(
        name="generation",
        figure=counts["conversations"],
        threshold=1,
        verdict="pass" if counts["conversations"] else "inconclusive",
        detail=f"conversations of {counts['wanted']} wanted, at least one needed",
    )
    models = detector_models(work.detector, private=work.config.seeds.private) | provider_models(work.config.generator)
    return StageResult(counts, (gate,), models=models)


def _generated(work: Workspace, advance: Advance) -> dict[str, float]:
    """Write synthetic.jsonl, from where an earlier process stood; what was counted."""
    seeds = tuple(read_records(work.directory / "seeds.jsonl", Seed))
    per_seed = work.config.generator.per_seed
    part = _part(work)
    accepted = {conversation.id: conversation for conversation in _resumable(part)}
    done = {(str(item.seed_id), _variant(item) % per_seed) for item in accepted.values()}
    slots = [(seed, slot) for seed in seeds for slot in range(per_seed) if (seed.id, slot) not in done]
    counts = Counter(wanted=len(seeds) * per_seed, resumed=len(accepted))
    spending = Spending(work.config.generator)
    journal = Journal(work.directory / _REPLIES) if work.config.generator.pays else None
    with part.open("a", encoding="utf-8") as file:
        for attempt in range(TRIES):
            jobs = [(seed, slot + attempt * per_seed) for seed, slot in slots]
            slots = []
            for job, conversation in _attempts(work, jobs, counts, _Asking(spending, journal, accepted)):
                if conversation is None:
                    slots.append((job[0], job[1] % per_seed))
                    continue
                accepted[conversation.id] = conversation
                _append(file, conversation)
                advance(len(accepted), counts["wanted"])
    counts["dropped_personal_data"] = len(slots)
    counts["conversations"] = write_records(work.directory / "synthetic.jsonl", _ordered(accepted))
    return {**counts, **asdict(spending.usage)}


def _whole(work: Workspace) -> dict[str, float] | None:
    """What was counted when this set was made of the same seeds and settings by an earlier process; None if it was not.

    Else a run that was ended in a later stage would ask a provider for everything once more.
    """
    try:
        record = json.loads((work.directory / KEPT / _WHOLE).read_text("ascii"))
        same = record["of"] == _made_of(work) and record["set"] == file_sha256(work.directory / "synthetic.jsonl")
        return dict(record["counts"]) if same else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _note_whole(work: Workspace, counts: dict[str, float]) -> None:
    kept = work.directory / KEPT
    kept.mkdir(mode=0o700, exist_ok=True)
    digest = file_sha256(work.directory / "synthetic.jsonl")
    atomic_text(kept / _WHOLE, json.dumps({"of": _made_of(work), "set": digest, "counts": counts}))


@dataclass(frozen=True, slots=True)
class _Asking:
    """The run's account and journal, and what new conversations must differ from."""

    spending: Spending
    journal: Journal | None
    accepted: dict[str, Conversation]


def _attempts(
    work: Workspace, jobs: list[Job], counts: Counter[str], asking: _Asking
) -> Iterator[tuple[Job, Conversation | None]]:
    """Yield each job with an acceptable conversation, or None where it held personal data; dropped jobs are counted."""
    from generator.client import completer
    from generator.generate import generate_many

    config = work.config.generator
    complete = completer(config, asking.spending, asking.journal)
    already = tuple(asking.accepted.values())
    made = generate_many(jobs, config, complete, already, quality_judge(work.config.evaluator))
    for job, result in zip(jobs, made, strict=True):
        counts.update({f"turns_{label}": count for label, count in result.turns.items()})
        counts.update({f"fault_{label}": count for label, count in result.faults.items()})
        if result.conversation is None:
            counts[f"dropped_{result.dropped}"] += 1
            continue
        yield job, result.conversation if _acceptable(work, result.conversation) else None


def _acceptable(work: Workspace, conversation: Conversation) -> bool:
    from evaluator.privacy import privacy_score

    if work.secrets is not None and work.secrets.find([turn.text for turn in conversation.turns]):
        return True  # a leak, and the leak gate's to judge
    return privacy_score((conversation,), work.detector.detect_conversation).score == 0


def _part(work: Workspace) -> Path:
    """The part file of exactly these seeds and settings; what another input or model left is removed."""
    part = work.directory / f"synthetic.{_made_of(work)[:16]}.part.jsonl"
    for stale in work.directory.glob("synthetic.*.part.jsonl"):
        if stale != part:
            stale.unlink()
    return part


def _made_of(work: Workspace) -> str:
    settings = work.config.generator.model_dump_json().encode()
    return hashlib.sha256(settings + (work.directory / "seeds.jsonl").read_bytes()).hexdigest()


def _resumable(part: Path) -> Iterator[Conversation]:
    """The whole lines of an interrupted run; a last line that was cut is removed from the file."""
    if not part.exists():
        return
    with part.open("rb+") as file:
        whole = file.read().rfind(b"\n") + 1
        file.truncate(whole)
    yield from read_records(part, Conversation)


def _append(file: IO[str], conversation: Conversation) -> None:
    file.write(dump_record(conversation) + "\n")
    file.flush()
    os.fsync(file.fileno())


def _variant(conversation: Conversation) -> int:
    return int(conversation.id.rpartition("-")[2])


def _ordered(accepted: dict[str, Conversation]) -> list[Conversation]:
    return sorted(accepted.values(), key=lambda item: (str(item.seed_id), _variant(item)))
