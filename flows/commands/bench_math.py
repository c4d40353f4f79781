"""The verb `bench math`: MathEd-PII's tables on labelled lessons; ours, a peer and language models side by side."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.console import ConfigPath, Json, finish, guarded, require_file, require_parent

if TYPE_CHECKING:
    from seed_engine.math_bench import MathResult
    from seed_engine.pii_bench import Finder


class Strategy(StrEnum):
    """Ways to prompt a language model."""

    basic = "basic"
    maths = "maths"
    segment = "segment"


@guarded
def math(
    data: Annotated[Path, typer.Option(help="Labelled lessons, JSONL of turns with spans.")],
    half: Annotated[
        int | None, typer.Option(min=0, max=1, help="Only one half by id; 0 is what weights were fitted on, 1 is not.")
    ] = None,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Run Presidio in the same run.")] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="Most sessions.")] = None,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
    model: Annotated[
        list[str] | None, typer.Option(help="A LiteLLM model to prompt as well; repeat to compare.")
    ] = None,
    strategy: Annotated[list[Strategy] | None, typer.Option(help="How to prompt; all three without it.")] = None,
    replies: Annotated[
        Path | None,
        typer.Option(help="Replies so far and from now on; as private as the lessons. Nothing is asked twice."),
    ] = None,
    api_base: Annotated[str | None, typer.Option(help="Address of the models' server.")] = None,
    allow_raw_to: Annotated[
        list[str] | None, typer.Option(help="Let this model see the text although it may be elsewhere; repeatable.")
    ] = None,
    moves: Annotated[
        Path | None, typer.Option(help="Lessons with marked teacher moves: name them before and after hiding people.")
    ] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Find personal data in lessons: scores inside and outside mathematics, and what is left of the mathematics."""
    from dataclasses import asdict

    from flows.config import load_config
    from flows.detection import detector_for
    from flows.errors import UsageError
    from flows.math_tables import move_lines, reply_lines, result_lines, result_payload
    from flows.moves import move_accuracy
    from flows.prompted import prompted_finders
    from seed_engine.gold import read_gold
    from seed_engine.math_bench import halved, segment_flags
    from seed_engine.word_vectors import WordVectors

    if model is None and (strategy or replies or api_base or allow_raw_to):
        raise UsageError("--strategy, --replies, --api-base and --allow-raw-to say how a --model is asked; name one")
    gold = halved(read_gold(require_file(data)), half, limit)
    flags = segment_flags(gold.documents, WordVectors())
    prompted = prompted_finders(
        model or [],
        [item.value for item in strategy or Strategy],
        flags,
        load_config(config).generator,
        api_base=api_base,
        allowed=allow_raw_to or [],
        replies=require_parent(replies) if replies is not None else None,
    )
    results = _scored(gold, flags, _strategies(config, peers=peers) | prompted, seed)
    messages = [flag for session in flags for flag in session]
    inside = sum(messages) / max(1, len(messages))
    payload: dict[str, Any] = {
        "sessions": len(gold.documents),
        "messages": len(messages),
        "messages_in_segments": inside,
        "strategies": {name: result_payload(result) for name, result in results.items()},
    }
    head = f"{len(gold.documents)} sessions, {len(messages)} messages, {inside:.3f} of them inside mathematics"
    lines = [head, *result_lines(results)]
    if prompted:
        payload["replies"] = {name: finder.tally.payload() for name, finder in prompted.items()}
        lines += reply_lines(payload["replies"])
    if moves is not None:
        found = move_accuracy(require_file(moves), detector_for(config, profiles=True))
        payload["moves"] = asdict(found)
        lines += move_lines(found)
    finish(payload, lines, as_json=as_json)


def _scored(gold: Any, flags: list[tuple[bool, ...]], finders: dict[str, Finder], seed: int) -> dict[str, MathResult]:
    from flows.progress import progress_bar
    from seed_engine.math_bench import score_math

    results: dict[str, MathResult] = {}
    with progress_bar("bench") as advance:
        for name, find in finders.items():
            results[name] = score_math(gold, find(gold.documents), flags, seed=seed)
            advance(len(results), len(finders))
    return results


def _strategies(config: Path | None, *, peers: bool) -> dict[str, Finder]:
    from flows.detection import detector_for
    from seed_engine.peers import PEERS

    ours, plain = detector_for(config, profiles=True), detector_for(config, profiles=False)
    own: dict[str, Finder] = {
        ours.config.engine: lambda documents: list(ours.detect_conversations(documents)),
        f"{plain.config.engine}, no profile": lambda documents: list(plain.detect_conversations(documents)),
    }
    return own | ({name: make() for name, make in PEERS.items()} if peers else {})
