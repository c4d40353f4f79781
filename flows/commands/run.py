"""`semilla run`: the whole pipeline, through Prefect."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.commands.data import DOMAINS
from flows.console import MISUSE, ConfigPath, Json, finish, guarded, require_file


@guarded
def run(
    input_: Annotated[list[Path], typer.Option("--input", help="File of conversations; may be repeated.")],
    out: Annotated[Path, typer.Option(help="The run's directory; must not hold anything yet.")],
    more: Annotated[list[Path] | None, typer.Argument(help="Further input files.", metavar="[F ...]")] = None,
    config: ConfigPath = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from what an interrupted run left.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Conversations read per file.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Pseudo-random seed of generation and training.")] = None,
    domain: Annotated[str | None, typer.Option(help=f"{DOMAINS} For conversations that name none.")] = None,
    engine: Annotated[
        str | None, typer.Option(help="Where conversations are worked on: plain, process, dask or ray.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Count broken lines instead of stopping.")] = False,
    as_json: Json = False,
) -> None:
    """Private conversations to a certified set, an adapter and a certificate; or a halt that says why."""
    from flows.config import load_config
    from flows.detection import require_domain

    inputs = [str(require_file(path).absolute()) for path in (*input_, *(more or ()))]
    # A bad setting is told before anything starts.
    settings = load_config(config)
    if engine is not None:
        settings.with_engine(engine)
    require_domain(domain)
    from flows.pipeline import pipeline
    from flows.runlog import process_started

    state = pipeline(
        str(out.absolute()),
        inputs,
        config_path=str(config.absolute()) if config else None,
        limit=limit,
        seed=seed,
        resume=resume,
        skip_bad=skip_bad,
        started=process_started(),
        domain=domain,
        engine=engine,
        return_state=True,
    )
    # A run.json that an earlier run left is not this run's outcome: only these states have written one.
    if not str(state.name).startswith(("Certified", "Halted", "Inconclusive")):
        typer.echo(f"semilla: {state.message}", err=True)
        finish({"error": state.message}, (), as_json=as_json, exit_code=MISUSE)
    record = _read(out / "run.json")
    finish({**record, "directory": str(out)}, _lines(record, out), as_json=as_json, exit_code=record["exit_code"])


def _read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record


def _lines(record: dict[str, Any], out: Path) -> tuple[str, ...]:
    costs = f"{record['seconds']:.0f} s, {record['peak_memory_mb']:.0f} MB"
    if record["status"] == "certified":
        return (
            f"certified: {len(record['gates'])} gates passed ({costs})",
            f"certificate: {out / 'certificate.json'}",
            f"report: {out / 'report.html'}",
        )
    sys.stderr.write(f"semilla: {record['status']} at {record['halted_at']}: {record['reason']}\n")
    return (f"{record['status']} ({costs}); nothing was published", f"figures: {out / 'run.json'}")
