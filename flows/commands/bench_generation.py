"""`semilla bench generation`: which share of seeds the quality gate lets pass, and what a conversation costs."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console import FAILED, PASSED, ConfigPath, Json, finish, guarded, require_file

if TYPE_CHECKING:
    from flows.generation_bench import CellFigures
    from seed_engine.seed import Seed

# Of the seeds of every domain and language, with the embedded default.
PROMISED = 0.9


class Released(StrEnum):
    """How the invented people's seeds leave the house."""

    none = "none"
    kanonymous = "kanonymous"
    dp = "dp"


@guarded
def generation(
    seeds: Annotated[Path | None, typer.Option(help="seeds.jsonl; seeds of invented people without it.")] = None,
    everywhere: Annotated[bool, typer.Option(help="Tell each seed in every domain and language.")] = False,
    release: Annotated[Released, typer.Option(help="How the seeds leave the house before.")] = Released.none,
    each: Annotated[int, typer.Option(min=1, help="Most seeds of a domain and language.")] = 30,
    domain: Annotated[str | None, typer.Option(help="Only this domain.")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Share of seeds that pass the quality gate, at the first draw and in the end, by domain and language."""
    from dataclasses import asdict

    from flows.config import load_config
    from flows.generation_bench import bench_generation, released_seeds
    from flows.progress import progress_bar

    settings = load_config(config)
    source = _source(seeds, everywhere=everywhere)
    chosen = [seed for seed in released_seeds(source, release.value, each) if domain in (None, seed.domain)]
    rows: list[CellFigures] = []
    with progress_bar("bench") as advance:
        for row in bench_generation(chosen, settings.generator, settings.evaluator):
            rows.append(row)
            advance(sum(done.seeds for done in rows), len(chosen))
    kept = bool(rows) and all(row.passing >= PROMISED for row in rows)
    lines = [f"{'':17} seeds  first  kept  draws  turns  CPU-s  conversations/min  load", *map(_line, rows)]
    lines.append(f"promised: {PROMISED:g} of the seeds of every domain and language pass: {'yes' if kept else 'no'}")
    payload = {"cells": [asdict(row) for row in rows], "promised": PROMISED}
    finish(payload, lines, as_json=as_json, exit_code=PASSED if kept else FAILED)


def _source(path: Path | None, *, everywhere: bool) -> Iterable[Seed]:
    from flows.everywhere import everywhere as told_everywhere
    from flows.generation_bench import invented_seeds
    from flows.records_io import read_records
    from seed_engine.seed import Seed as SeedRecord

    read = read_records(require_file(path), SeedRecord) if path is not None else invented_seeds()
    return told_everywhere(list(read)) if everywhere else read


def _line(row: CellFigures) -> str:
    rate = 60 / row.seconds if row.seconds else 0.0
    return (
        f"{row.domain + ' ' + row.language:17} {row.seeds:5} {row.first:6.2f} {row.passing:5.2f} {row.draws:6.1f} "
        f"{row.turns:6.1f} {row.cpu_seconds:6.2f} {rate:18.0f} {row.load:5.1f}"
    )
