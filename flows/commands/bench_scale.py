"""`semilla bench scale`: what conversations cost in the stages that are mapped, and ten million on N workers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import ConfigPath, Json, finish, guarded, require_file


@guarded
def scale(
    source: Annotated[
        Path | None, typer.Option("--input", help="File of conversations; invented ones of 12 turns without it.")
    ] = None,
    conversations: Annotated[int, typer.Option(min=32, max=100_000, help="How many are measured.")] = 200,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Rates of the mapped stages on one and two processes, and the cost of 10 million conversations by workers."""
    from flows.config import load_config
    from flows.progress import progress_bar
    from flows.scale_bench import MILLIONS, cost_rows, measure_scale

    with progress_bar("scale") as advance:
        rates, values = measure_scale(source and require_file(source), conversations, load_config(config), advance)
    rows = cost_rows(rates)
    lines = [f"{'stage':10} {'processes':>9} {'CPU-s':>8} {'a CPU-s':>8} {'wall s':>8}"]
    lines += [
        f"{rate.stage:10} {rate.processes:9} {rate.cpu_seconds:8.2f} {1 / rate.each:8.1f} {rate.seconds:8.1f}"
        for rate in rates
    ]
    lines.append(f"{values} values to be searched for, of {rates[0].conversations} conversations")
    lines.append(f"{MILLIONS:,} conversations: extraction and privacy score, beside generation and training")
    lines += [f"{row['workers']:5} workers {row['hours']:10,.1f} h   {row['bottleneck']}" for row in rows]
    payload = {"rates": [rate.record() for rate in rates], "values": values, "conversations": MILLIONS, "cost": rows}
    finish(payload, lines, as_json=as_json)
