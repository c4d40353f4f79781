"""The verb `bench training`: what a private step costs beside a plain one, and what privacy costs in learning."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.console import ConfigPath, Json, finish, guarded, require_file

if TYPE_CHECKING:
    from training.bench import Cost


@guarded
def training(
    length: Annotated[int, typer.Option(min=16, max=2048, help="Tokens of a record.")] = 128,
    batch: Annotated[int, typer.Option(min=1, max=64, help="Records a step.")] = 8,
    steps: Annotated[int, typer.Option(min=1, help="Steps measured; their median counts.")] = 3,
    learn: Annotated[Path | None, typer.Option(help="Synthetic conversations: train on them instead.")] = None,
    held_out: Annotated[Path | None, typer.Option(help="Real conversations to judge by (with --learn).")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most held-out conversations.")] = 60,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Tokens per CPU-second and memory of a DP step, each way in a process of its own; or perplexity after training."""
    from flows.errors import UsageError

    if (learn is None) != (held_out is None):
        raise UsageError("--learn and --held-out belong together")
    if learn is not None and held_out is not None:
        _learning(learn, held_out, limit, config, as_json=as_json)
        return
    from flows.progress import progress_bar
    from training.bench import VARIANTS, measure

    rows: list[Cost] = []
    with progress_bar("bench") as advance:
        for row in measure(length, batch, steps):
            rows.append(row)
            advance(len(rows), len(VARIANTS))
    payload = {"length": length, "batch": batch, "steps": steps, "variants": [asdict(row) for row in rows]}
    finish(payload, _lines(rows), as_json=as_json)


def _lines(rows: list[Cost]) -> tuple[str, ...]:
    plain, hooks = rows[0], rows[1]
    head = f"{'':<16}{'tokens/CPU-s':>14}{'time, plain=1':>15}{'speed, hooks=1':>16}{'peak MB':>9}{'plain=1':>9}"
    return (
        head,
        *(
            f"{row.name:<16}{row.tokens_per_cpu_second:>14.1f}"
            f"{plain.tokens_per_cpu_second / row.tokens_per_cpu_second:>15.3f}"
            f"{row.tokens_per_cpu_second / hooks.tokens_per_cpu_second:>16.2f}"
            f"{row.peak_mb:>9.0f}{row.peak_mb / plain.peak_mb:>9.2f}"
            for row in rows
        ),
    )


def _learning(learn: Path, held_out: Path, limit: int, config: Path | None, *, as_json: bool) -> None:
    from flows.config import load_config
    from flows.progress import progress_bar
    from flows.records_io import read_records
    from seed_engine.conversation import Conversation
    from seed_engine.readers import read_conversations
    from training.learning import compare

    synthetic = tuple(read_records(require_file(learn), Conversation))
    real = tuple(read_conversations(require_file(held_out), limit=limit))
    with progress_bar("train") as advance:
        rows = compare(synthetic, real, load_config(config).training, advance)
    payload: dict[str, Any] = {"synthetic": len(synthetic), "held_out": len(real)}
    payload["adapters"] = [asdict(row) for row in rows]
    lines = (
        f"{row.name:<16}perplexity {row.perplexity:8.2f} on {row.tokens} tokens ({row.with_marks:.2f} with "
        f"the template's marks), {row.steps} steps; likelier than the base: {row.lower} of {row.conversations}"
        for row in rows
    )
    finish(payload, tuple(lines), as_json=as_json)
