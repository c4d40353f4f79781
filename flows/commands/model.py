"""Verbs about a model: train, attack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import EXIT_CODES, FAILED, PASSED, ConfigPath, Json, finish, guarded, require_file, require_parent


@guarded
def train(
    synthetic: Annotated[Path, typer.Argument(metavar="SYNTHETIC", help="synthetic.jsonl")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Adapter folder to write; must not exist.")],
    epsilon: Annotated[
        float | None, typer.Option(help="Privacy budget; inf trains without privacy, never certified.")
    ] = None,
    delta: Annotated[float | None, typer.Option(help="Failure probability, below 1/records.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Expected passes over the set.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(help="Book the training here first; trainings on the same people share one file.")
    ] = None,
    ceiling: Annotated[float | None, typer.Option(help="Epsilon that all trainings in the ledger may cost.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from what an interrupted training left.")] = False,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """DP-SGD LoRA on a synthetic set."""
    from flows.adapter_training import train_adapter
    from flows.config import load_config, override
    from flows.progress import progress_bar
    from flows.records_io import read_records
    from seed_engine.conversation import Conversation

    chosen = {"epsilon": epsilon, "delta": delta, "epochs": epochs, "ledger": ledger, "ceiling": ceiling}
    settings = override(load_config(config).training, **chosen)
    conversations = tuple(read_records(require_file(synthetic), Conversation))
    with progress_bar("train") as advance:
        run = train_adapter(conversations, settings, require_parent(output), advance, resume=resume)
    lines = [f"epsilon {run.epsilon:.4g} at delta {run.delta:g}, {run.steps} steps", f"adapter: {output}"]
    refuted = run.audit.epsilon_lower_bound > run.epsilon
    if refuted:
        lines.append(f"the audit refutes it: epsilon is at least {run.audit.epsilon_lower_bound:.4g}")
    payload = {**run.model_dump(mode="json"), "output": str(output)}
    finish(payload, lines, as_json=as_json, exit_code=FAILED if refuted else PASSED)


@guarded
def attack(
    model: Annotated[Path | None, typer.Option(help="An adapter trained here.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="attacks.json to write.")] = None,
    members: Annotated[Path | None, typer.Option(help="Conversations it was trained on.")] = None,
    nonmembers: Annotated[
        Path | None, typer.Option(help="Conversations of the same kind that it has not seen.")
    ] = None,
    published: Annotated[Path | None, typer.Option(help="A synthetic set to attack without any model.")] = None,
    sources: Annotated[Path | None, typer.Option(help="The conversations that the set was made from.")] = None,
    controls: Annotated[
        Path | None, typer.Option(help="Conversations of the same origin that the set was not made from.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Success rate allowed, 0.01 by default.")
    ] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Attack an adapter, or a published set, or both: the gates, alone."""
    from flows.errors import UsageError

    if (published is None) != (sources is None) or (controls is not None and sources is None):
        raise UsageError("--published and --sources belong together, and --controls to them")
    if model is None and published is None:
        raise UsageError("name an adapter (--model), or a synthetic set (--published) and its sources (--sources)")
    if model is None and (members is not None or nonmembers is not None):
        raise UsageError("--members and --nonmembers are records of an adapter (--model)")
    texts = (published, sources, controls) if published is not None and sources is not None else None
    attack_and_finish(
        model, output, config, threshold=threshold, members=members, nonmembers=nonmembers, texts=texts, as_json=as_json
    )


def attack_and_finish(
    model: Path | None,
    output: Path | None,
    config: Path | None,
    *,
    threshold: float | None,
    members: Path | None = None,
    nonmembers: Path | None = None,
    texts: tuple[Path, Path, Path | None] | None = None,
    as_json: bool,
) -> None:
    """Run the gates, write and print the verdict; `semilla evaluate --extraction-attacks` ends here too."""
    from attacks.verdict import conclude
    from flows.attacking import attack_adapter, attack_published
    from flows.config import load_config, override
    from flows.progress import progress_bar
    from flows.published import attack_lines
    from flows.rundir import write_json

    settings = override(load_config(config).attacks, threshold=threshold)
    reports = [attack_published(*texts, settings)] if texts is not None else []
    if model is not None:
        with progress_bar("attack") as advance:
            reports.append(attack_adapter(model, settings, advance, members=members, nonmembers=nonmembers))
    plots = reports[-1].plots
    for report in reports[:-1]:
        plots = plots.model_copy(update={"roc": plots.roc | report.plots.roc})
    whole = conclude([row for report in reports for row in report.attacks], plots)
    record = whole.model_dump(mode="json")
    if output is not None:
        write_json(require_parent(output), record)
    finish(record, (*attack_lines(whole), whole.verdict), as_json=as_json, exit_code=EXIT_CODES[whole.verdict])
