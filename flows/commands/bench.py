"""Verbs that measure: `bench pii` on marked sets or the HybridPII experiment; the rest is in `bench_*` beside it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import bench_attacks, bench_generation, bench_math, bench_quality
from flows.console import ConfigPath, Json, finish, guarded

if TYPE_CHECKING:
    from seed_engine.pii_bench import Finder

app = typer.Typer(name="bench", help="Reproduce the published tables and print ours beside them.", no_args_is_help=True)


class View(StrEnum):
    """What counts as gold."""

    core = "core"
    all = "all"
    strict = "strict"


class Peer(StrEnum):
    """Systems that can run beside ours."""

    presidio = "presidio"


class Paper(StrEnum):
    """Experiments that can be reproduced."""

    hybrid = "hybrid"


@app.callback()
def bench() -> None:
    """Reproduce the published tables and print ours beside them."""


@app.command()
@guarded
def pii(
    data: Annotated[Path | None, typer.Option(help="Folder of marked sets, JSONL with spans.")] = None,
    vs: Annotated[Peer | None, typer.Option(help="Run a peer beside ours: presidio (small spaCy model).")] = None,
    view: Annotated[View, typer.Option(help="core: personal identifiers; all: every type; strict.")] = View.core,
    engine: Annotated[str | None, typer.Option(help="hybrid, fast, presidio, regex, ner or classifier.")] = None,
    sets: Annotated[
        str | None, typer.Option(help="Files to take, as a glob; all but *.train.jsonl without it.")
    ] = None,
    paper: Annotated[Paper | None, typer.Option(help="Reproduce a paper instead: hybrid (HybridPII).")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Score detection on marked sets as the published scorer does, a peer beside it, with cost per CPU-second."""
    from flows.errors import UsageError

    if (data is None) == (paper is None):
        raise UsageError("name a folder of marked sets (--data), or a paper (--paper hybrid)")
    if data is None:
        _hybrid_paper(as_json=as_json)
        return
    from flows.bench_tables import pii_lines, pii_payload
    from flows.progress import progress_bar
    from seed_engine.gold import read_gold
    from seed_engine.pii_bench import run_bench

    files = _files(data, sets)
    name, ours = _ours(config, engine)
    systems = {name: ours} | ({vs.value: _peer(vs)} if vs is not None else {})
    rows = []
    with progress_bar("bench") as advance:
        for row in run_bench(map(read_gold, files), systems, view.value):
            rows.append(row)
            advance(len(rows), len(files))
    payload = {"engine": name, "view": view.value, **pii_payload(rows)}
    finish(payload, tuple(pii_lines(rows)), as_json=as_json)


def _hybrid_paper(*, as_json: bool) -> None:
    from flows.paper_tables import paper_lines, paper_payload
    from seed_engine.paper_bench import run_paper_bench

    table = run_paper_bench()
    finish(paper_payload(table), tuple(paper_lines(table)), as_json=as_json)


def _files(data: Path, sets: str | None) -> list[Path]:
    from flows.errors import UsageError

    if not data.is_dir():
        raise UsageError(f"{data}: no such folder")
    if sets is not None and (Path(sets).is_absolute() or ".." in Path(sets).parts):
        raise UsageError("--sets is a pattern within the folder of --data")
    files = [file for file in sorted(data.glob(sets or "*.jsonl")) if file.is_file()]
    if sets is None:
        # What a detector may have learned from measures nothing.
        files = [file for file in files if not file.name.endswith(".train.jsonl")]
    if not files:
        raise UsageError(f"{data}: no set in it ({sets or '*.jsonl'}, training parts left out)")
    return files


def _ours(config: Path | None, engine: str | None) -> tuple[str, Finder]:
    from flows.detection import detector_for

    detector = detector_for(config, engine=engine)
    # A peer's engine behind our door is not the peer: our policy stands around it, so its name says so.
    name = detector.config.engine if detector.config.engine != "presidio" else "our door"
    return name, lambda documents: list(detector.detect_conversations(documents))


def _peer(peer: Peer) -> Finder:
    from seed_engine.peers import PEERS

    return PEERS[peer.value]()


BENCHES = (
    bench_quality.quality,
    bench_quality.utility,
    bench_math.math,
    bench_generation.generation,
    bench_attacks.attacks,
)
for command in BENCHES:
    app.command()(command)
