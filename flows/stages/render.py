"""Fills role markers with surrogates, for readers and tests that want text without markers."""

from __future__ import annotations

from flows.progress import Advance
from flows.records import GateRecord
from flows.records_io import read_records, write_records
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation


def render(work: Workspace, advance: Advance) -> StageResult:
    """Write rendered.jsonl; a surrogate that happens to be a value of the source is drawn again."""
    from generator.render import render as fill
    from seed_engine.streams import Transcript

    assert work.secrets is not None
    synthetic = tuple(read_records(work.directory / "synthetic.jsonl", Conversation))
    rendered = [fill(item, seed=work.config.generator.seed, forbidden=work.secrets.contains) for item in synthetic]
    transcripts = [Transcript(tuple(turn.text for turn in item.turns)) for item in rendered]
    leaks = sum(len(found) for found in work.secrets.find_all(transcripts))
    write_records(work.directory / "rendered.jsonl", rendered)
    advance(len(rendered), len(rendered))
    gate = GateRecord(
        name="leak.rendered",
        figure=leaks,
        threshold=0,
        verdict="fail" if leaks else "pass",
        detail="known values of the source in the rendered set",
    )
    return StageResult({"conversations": len(rendered)}, (gate,))
