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
    from seed_engine.secrets import Leak, SecretIndex

# A value of the source can arise from two surrogates side by side; that it does so ten times over is no accident.
DRAWS = 10
# Years by which each further draw moves dates on.
LATER = 10


def render(work: Workspace, advance: Advance) -> StageResult:
    """Write rendered.jsonl; surrogates that make a value of the source are drawn again, `DRAWS` times at most.

    A known value strictly inside a surrogate (the surname in an invented full name) is a coincidence, counted as such:
    the surrogate as a whole is nobody of the source. Whatever else is found is a leak.
    """
    assert work.secrets is not None
    synthetic = tuple(read_records(work.directory / "synthetic.jsonl", Conversation))
    rendered, leaks, inside = [], 0, 0
    for done, item in enumerate(synthetic, 1):
        filled, outside, within = _fill(item, work.config.generator.seed, work.secrets)
        rendered.append(filled)
        leaks, inside = leaks + outside, inside + within
        advance(done, len(synthetic))
    write_records(work.directory / "rendered.jsonl", rendered)
    gate = GateRecord(
        name="leak.rendered",
        figure=leaks,
        threshold=0,
        verdict="fail" if leaks else "pass",
        detail=f"known values of the source in the rendered set; {inside} more are parts of longer surrogates",
    )
    return StageResult({"conversations": len(rendered), "coincidences": inside}, (gate,))


def _fill(item: Conversation, seed: int, secrets: SecretIndex) -> tuple[Rendered, int, int]:
    """The rendered conversation, and how many known values stand in it outside and inside a surrogate.

    Raises:
        SurrogateError: in no draw was there a value for every marker that is not the source's.
    """
    from generator.errors import SurrogateError
    from generator.render import render as fill

    best: tuple[Rendered, int, int] | None = None
    fault = ""
    for draw in range(DRAWS):
        try:
            # Draws of neighbouring seeds must not meet, else the same surrogates would come again.
            filled = fill(item, seed=seed * DRAWS + draw, forbidden=secrets.contains, later=LATER * draw)
        except SurrogateError as error:
            # "A day after [DATE_1]" is one day, and of some years every day is the source's.
            fault = str(error)
            continue
        found = secrets.find([turn.text for turn in filled.turns])
        within = sum(_inside_surrogate(filled, leak) for leak in found)
        best = filled, len(found) - within, within
        if len(found) == within:
            break
    if best is None:
        raise SurrogateError(fault)
    return best


def _inside_surrogate(item: Rendered, leak: Leak) -> bool:
    return any(
        place.turn == leak.turn == leak.end_turn
        and place.start <= leak.start
        and leak.end <= place.end
        and leak.end - leak.start < place.end - place.start
        for place in item.surrogates
    )
