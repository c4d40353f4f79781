"""Judging data: seeds against the closed alphabet, the synthetic set against privacy and the known secrets."""

from __future__ import annotations

from evaluator.scores import Scores
from flows.progress import Advance
from flows.records import GateRecord
from flows.records_io import read_objects, read_records
from flows.rundir import write_json
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation
from seed_engine.schema import violations
from seed_engine.seed import Seed


def validate(work: Workspace, advance: Advance) -> StageResult:
    """Seeds hold labels of the vocabulary and role markers, and nothing else."""
    faults, faulty, total = 0, 0, 0
    for _, record in read_objects(work.directory / "seeds.jsonl"):
        found = violations(record)
        total, faults, faulty = total + 1, faults + len(found), faulty + bool(found)
        advance(total, 0)
    gate = GateRecord(
        name="schema",
        figure=faults,
        threshold=0,
        verdict="fail" if faults else "pass" if total else "inconclusive",
        detail=f"violations, in {faulty} of {total} seeds",
    )
    return StageResult({"seeds": total, "violations": faults}, (gate,))


def evaluate(work: Workspace, advance: Advance) -> StageResult:
    """Revalidate the synthetic set: privacy score, known secrets, memorisation, quality; writes scores.json."""
    from evaluator.evaluate import evaluate as judge

    synthetic = tuple(read_records(work.directory / "synthetic.jsonl", Conversation))
    scores = judge(
        synthetic,
        seeds=tuple(read_records(work.directory / "seeds.jsonl", Seed)),
        secrets=work.secrets,
        fingerprints=work.fingerprints,
        detect=work.detector.detect_conversation,
        config=work.config.evaluator,
    )
    write_json(work.directory / "scores.json", scores.model_dump(mode="json"))
    advance(len(synthetic), len(synthetic))
    return StageResult({"conversations": len(synthetic)}, _gates(scores))


def _gates(scores: Scores) -> tuple[GateRecord, ...]:
    raise NotImplementedError
