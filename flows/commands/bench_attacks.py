"""The verb `bench attacks`: what the gates cost, and whether the attack on published text sees copies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.console import Json, finish, guarded, require_file


@guarded
def attacks(
    records: Annotated[int, typer.Option(min=40, help="Texts to score.")] = 600,
    length: Annotated[int, typer.Option(min=8, max=2048, help="Tokens of each.")] = 128,
    trials: Annotated[int, typer.Option(min=20, help="Canaries to try.")] = 300,
    costs: Annotated[bool, typer.Option("--costs/--no-costs", help="Time the attacks on an adapter.")] = True,
    data: Annotated[
        list[Path] | None, typer.Option(help="Conversations of one origin, copied at 0% and 2%; repeatable.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Splits of each.")] = 3,
    as_json: Json = False,
) -> None:
    """Time every family in forward passes over the same records; print what the text-only attack says of copies."""
    from dataclasses import asdict

    from flows.attack_bench import PARAPHRASERS, measure_costs, measure_sight, peak_memory_mb, read_origin

    files = [require_file(path) for path in data or []]
    lines: list[str] = []
    payload: dict[str, list[dict[str, Any]]] = {"costs": [], "sight": []}
    for cost in measure_costs(records, length, trials) if costs else ():
        passes = f"{cost.passes:5.2f} passes" if cost.passes is not None else ""
        lines.append(f"{cost.name:32} {cost.cpu_seconds:7.1f} CPU-s {cost.seconds:7.1f} s {passes}")
        payload["costs"].append(asdict(cost))
    if costs:
        lines.append(f"{'peak memory':32} {peak_memory_mb():7.0f} MiB")
    for path in files:
        origin = read_origin(path)
        for copied, by in ((0.0, "the attack's own"), *((0.02, name) for name in PARAPHRASERS)):
            for seed in range(seeds):
                seen = measure_sight(origin, copied, seed, by)
                told = f"{copied:4.0%} copied, paraphrased by {by}" if copied else "none copied"
                lines.append(
                    f"{path.stem:12} {told:42} split {seed}: {seen.successes:3} of {seen.trials} "
                    f"recognised, power {seen.power:.2f}: {seen.verdict}"
                )
                payload["sight"].append({"origin": path.stem, "seed": seed, **asdict(seen)})
    finish(payload, lines, as_json=as_json)
