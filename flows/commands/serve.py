"""`semilla serve`: the schedule on one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import ConfigPath, guarded
from flows.errors import UsageError


@guarded
def serve(
    drops: Annotated[Path, typer.Option(help="Folder that new files of conversations are put into.")],
    runs: Annotated[Path, typer.Option(help="Folder of run directories; made where there is none.")],
    nightly: Annotated[str, typer.Option(help="When to look for drops; cron, UTC.")] = "0 2 * * *",
    weekly: Annotated[str, typer.Option(help="When to attack certified adapters again; cron, UTC.")] = "0 4 * * 0",
    config: ConfigPath = None,
) -> None:
    """Certify new drops every night and attack certified adapters every week, until interrupted."""
    from flows.config import load_config
    from flows.serving import serve_deployments

    if not drops.is_dir():
        raise UsageError(f"{drops}: no such folder")
    load_config(config)
    runs.mkdir(mode=0o700, parents=True, exist_ok=True)
    typer.echo(f"nightly: {nightly} (UTC); weekly attack: {weekly} (UTC); drops: {drops}; runs: {runs}", err=True)
    serve_deployments(
        drops, runs, config, nightly, weekly, lambda address: typer.echo(f"Prefect server: {address}", err=True)
    )
