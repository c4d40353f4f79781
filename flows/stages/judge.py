"""Judging data: seeds against the closed alphabet, the synthetic set against privacy and the known secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator

from evaluator.scores import Scores
from flows.embedded import embedding_on
from flows.holding import excusing, passages
from flows.judging import beside
from flows.models_used import coherence_model, detector_models, pinned
from flows.progress import Advance
from flows.records import GateRecord, Verdict
from flows.records_io import read_objects, read_records
from flows.rundir import write_json
from flows.shard_marks import detecting
from flows.shard_work import spans_of
from flows.stages.again import read_again
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation
from seed_engine.schema import violations
from seed_engine.seed import Seed

# What scores.json says of the source and not of the set; beside a private release it is left out.
_OF_SOURCE = ("searched", "unsearchable", "not_near")


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
    """Revalidate the synthetic set: privacy score, known secrets, memorisation, quality; writes scores.json.

    Where people were held back from seeding, memorisation stands beside what the set shares with them.
    """
    from evaluator.evaluate import evaluate as judge

    synthetic = tuple(read_records(work.directory / "synthetic.jsonl", Conversation))
    seeded, held_back = read_again(work, "evaluate") if work.held_back else ([], [])
    strangers, detect = excusing(held_back, seeded), work.detector.detect_conversation
    made = work.spread.map("evaluate", detecting(work.config.detector), synthetic)
    found = {item.id: spans_of(spans) for item, spans in zip(synthetic, made, strict=True)}
    scores = judge(
        synthetic,
        work.config.evaluator,
        seeds=read_records(work.directory / "seeds.jsonl", Seed),
        secrets=work.secrets,
        fingerprints=work.fingerprints,
        control=passages(strangers, os.urandom(32)) if strangers else None,
        detect=lambda conversation: found[conversation.id],
        embed=embedding_on(work.spread, "evaluate"),
    )
    scores = beside(scores, synthetic, seeded, strangers, work.config, detect)
    private = work.config.seeds.private
    hidden = {"leaks": set(_OF_SOURCE)} if private else None
    write_json(work.directory / "scores.json", scores.model_dump(mode="json", exclude=hidden))
    advance(len(synthetic), len(synthetic))
    models = (
        detector_models(work.detector, private=private, elsewhere=work.spread.models)
        | pinned("minilm")
        | coherence_model()
    )
    return StageResult(
        {"conversations": len(synthetic)}, tuple(_gates(scores, sees=work.sees, private=private)), models=models
    )


def _gates(scores: Scores, *, sees: bool, private: bool) -> Iterator[GateRecord]:
    """One gate a claim of the certificate, then the verdict over all of scores.json."""
    leaks = scores.leaks
    # Without a value that the detector found, either the inputs hold nobody or it is blind: the gate cannot tell.
    seen = sees and leaks.searched > 0 and "leaks" not in scores.unchecked
    zero = (
        ("privacy_score", scores.privacy_score, "share of letters and digits that are personal data"),
        (
            "leak",
            float(leaks.total) if leaks.total or seen else None,
            "known values in the set" + ("" if private else f", of {leaks.searched} forms searched"),
        ),
    )
    for name, figure, detail in zero:
        verdict: Verdict = "inconclusive" if figure is None else "fail" if figure > 0 else "pass"
        yield GateRecord(name=name, figure=figure or 0.0, threshold=0, verdict=verdict, detail=detail)
    yield GateRecord(
        name="evaluation",
        figure=len(scores.reasons),
        threshold=0,
        verdict=scores.verdict,
        detail="; ".join(scores.reasons) or "no gate of scores.json objects",
    )
