"""The verb `bench math`: the tables of MathEd-PII on labelled lessons, with and without the profile, beside a peer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.console import ConfigPath, Json, finish, guarded, require_file

if TYPE_CHECKING:
    from seed_engine.math_bench import Interval, MathResult
    from seed_engine.pii_bench import Finder


@guarded
def math(
    data: Annotated[Path, typer.Option(help="Labelled lessons, JSONL of turns with spans.")],
    half: Annotated[
        int | None, typer.Option(min=0, max=1, help="Only one half by id; 0 is what weights were fitted on, 1 is not.")
    ] = None,
    peers: Annotated[bool, typer.Option("--peers/--no-peers", help="Run Presidio in the same run.")] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="Most sessions.")] = None,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.")] = 0,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Find personal data in lessons: scores inside and outside mathematics, and what is left of the mathematics."""
    from flows.progress import progress_bar
    from seed_engine.gold import read_gold
    from seed_engine.math_bench import halved, score_math, segment_flags
    from seed_engine.word_vectors import WordVectors

    gold = halved(read_gold(require_file(data)), half, limit)
    flags = segment_flags(gold.documents, WordVectors())
    strategies = _strategies(config, peers=peers)
    results: dict[str, MathResult] = {}
    with progress_bar("bench") as advance:
        for name, find in strategies.items():
            results[name] = score_math(gold, find(gold.documents), flags, seed=seed)
            advance(len(results), len(strategies))
    messages = [flag for session in flags for flag in session]
    inside = sum(messages) / len(messages)
    payload = {
        "sessions": len(gold.documents),
        "messages": len(messages),
        "messages_in_segments": inside,
        "strategies": {name: _payload(result) for name, result in results.items()},
    }
    head = f"{len(gold.documents)} sessions, {len(messages)} messages, {inside:.3f} of them inside mathematics"
    finish(payload, (head, *_lines(results)), as_json=as_json)


def _strategies(config: Path | None, *, peers: bool) -> dict[str, Finder]:
    from flows.detection import detector_for
    from seed_engine.peers import PEERS

    ours, plain = detector_for(config, profiles=True), detector_for(config, profiles=False)
    own: dict[str, Finder] = {
        ours.config.engine: lambda documents: list(ours.detect_conversations(documents)),
        f"{plain.config.engine}, no profile": lambda documents: list(plain.detect_conversations(documents)),
    }
    return own | ({name: make() for name, make in PEERS.items()} if peers else {})


def _payload(result: MathResult) -> dict[str, Any]:
    from dataclasses import asdict

    types = {kind: {"gold": gold, "hit": hit} for kind, (gold, hit) in result.by_type.items()}
    return asdict(result) | {"by_type": types}


def _lines(results: dict[str, MathResult]) -> list[str]:
    lines = [
        f"{'':<22}{'precision':>21}{'recall':>21}{'F1':>21}{'intact':>21}{'f:t in':>8}{'f:t out':>8}{'false in':>9}"
    ]
    for name, result in results.items():
        shares = (result.precision, result.recall, result.f1, result.intact)
        figures = f"{result.ratio_inside:>8.2f}{result.ratio_outside:>8.2f}{result.false_inside:>9.2f}"
        lines.append(f"{name:<22}" + "".join(f"{_figure(share):>21}" for share in shares) + figures)
    kinds = dict.fromkeys(kind for result in results.values() for kind in result.by_type)
    lines += ["", "recall by type"]
    for kind in kinds:
        row = ((name, result.by_type[kind]) for name, result in results.items())
        lines.append(f"{kind:<22}" + "   ".join(f"{name} {hit / gold:.3f} of {gold}" for name, (gold, hit) in row))
    lines += ["", "false finds by type"]
    for name, result in results.items():
        lines.append(f"{name:<22}" + ", ".join(f"{kind} {count}" for kind, count in result.false_by_type.items()))
    return lines


def _figure(share: Interval) -> str:
    return f"{share.value:.3f} ({share.low:.3f}-{share.high:.3f})"
