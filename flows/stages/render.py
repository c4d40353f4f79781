"""Fills role markers with surrogates, for readers and tests that want text without markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.progress import Advance
from flows.records import GateRecord
from flows.records_io import read_records, write_records
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation

if TYPE_CHECKING:
    from generator.render import Rendered
    from seed_engine.secrets import Leak


def render(work: Workspace, advance: Advance) -> StageResult:
    """Write rendered.jsonl; a surrogate that happens to be a value of the source is drawn again.

    A known value strictly inside a surrogate (the surname in an invented full name) is a coincidence, counted as such:
    the surrogate as a whole is nobody of the source. Whatever else is found is a leak.
    """
    from generator.render import render as fill
    from seed_engine.streams import Transcript

    assert work.secrets is not None
    synthetic = tuple(read_records(work.directory / "synthetic.jsonl", Conversation))
    rendered = []
    for done, item in enumerate(synthetic, 1):
        rendered.append(fill(item, seed=work.config.generator.seed, forbidden=work.secrets.contains))
        advance(done, len(synthetic))
    found = work.secrets.find_all([Transcript(tuple(turn.text for turn in item.turns)) for item in rendered])
    pairs = [(item, leak) for item, leaks in zip(rendered, found, strict=True) for leak in leaks]
    inside = sum(_inside_surrogate(item, leak) for item, leak in pairs)
    write_records(work.directory / "rendered.jsonl", rendered)
    gate = GateRecord(
        name="leak.rendered",
        figure=len(pairs) - inside,
        threshold=0,
        verdict="fail" if len(pairs) > inside else "pass",
        detail=f"known values of the source in the rendered set; {inside} more are parts of longer surrogates",
    )
    return StageResult({"conversations": len(rendered), "coincidences": inside}, (gate,))


def _inside_surrogate(item: Rendered, leak: Leak) -> bool:
    return any(
        place.turn == leak.turn == leak.end_turn
        and place.start <= leak.start
        and leak.end <= place.end
        and leak.end - leak.start < place.end - place.start
        for place in item.surrogates
    )
