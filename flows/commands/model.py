"""Verbs about a model: train, attack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import EXIT_CODES, ConfigPath, Json, finish, guarded, require_file, require_parent


@guarded
def train(
    synthetic: Annotated[Path, typer.Argument(metavar="SYNTHETIC", help="synthetic.jsonl")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Adapter folder to write; must not exist.")],
    epsilon: Annotated[
        float | None, typer.Option(help="Privacy budget; inf trains without privacy, never certified.")
    ] = None,
    delta: Annotated[float | None, typer.Option(help="Failure probability, below 1/records.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Expected passes over the set.")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """DP-SGD LoRA on a synthetic set."""
    from flows.config import load_config, override
    from flows.errors import UsageError
    from flows.progress import progress_bar
    from flows.records_io import read_records
    from seed_engine.atomic import atomic_folder
    from seed_engine.conversation import Conversation
    from training.train import train as fit

    if output.exists():
        raise UsageError(f"{output} exists")
    settings = override(load_config(config).training, epsilon=epsilon, delta=delta, epochs=epochs)
    conversations = tuple(read_records(require_file(synthetic), Conversation))
    with progress_bar("train") as advance, atomic_folder(require_parent(output)) as folder:
        run = fit(conversations, settings, folder, progress=advance)
    lines = (f"epsilon {run.epsilon:.4g} at delta {run.delta:g}, {run.steps} steps", f"adapter: {output}")
    finish({**run.model_dump(mode="json"), "output": str(output)}, lines, as_json=as_json)


@guarded
def attack(
    model: Annotated[Path, typer.Option(help="An adapter trained here.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="attacks.json to write.")] = None,
    members: Annotated[Path | None, typer.Option(help="Conversations it was trained on.")] = None,
    nonmembers: Annotated[
        Path | None, typer.Option(help="Conversations of the same kind that it has not seen.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Success rate allowed, 0.01 by default.")
    ] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Attack an adapter: the gates, alone."""
    attack_and_finish(
        model, output, config, threshold=threshold, members=members, nonmembers=nonmembers, as_json=as_json
    )


def attack_and_finish(
    model: Path,
    output: Path | None,
    config: Path | None,
    *,
    threshold: float | None,
    members: Path | None = None,
    nonmembers: Path | None = None,
    as_json: bool,
) -> None:
    """Run the gates, write and print the verdict; `semilla evaluate --extraction-attacks` ends here too."""
    from flows.attacking import attack_adapter
    from flows.config import load_config, override
    from flows.progress import progress_bar
    from flows.rundir import write_json

    settings = override(load_config(config).attacks, threshold=threshold)
    with progress_bar("attack") as advance:
        report = attack_adapter(model, settings, advance, members=members, nonmembers=nonmembers)
    record = report.model_dump(mode="json")
    if output is not None:
        write_json(require_parent(output), record)
    lines = [
        f"{row.name}: {row.successes}/{row.trials}, below {row.upper_bound:.4f} at {row.confidence:.0%}: {row.verdict}"
        for row in report.attacks
    ]
    finish(record, (*lines, report.verdict), as_json=as_json, exit_code=EXIT_CODES[report.verdict])
