"""`semilla init`: a project to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import Json, finish, guarded


@guarded
def init(
    folder: Annotated[Path, typer.Argument(help="Made where there is none; nothing in it is written over.")] = Path(),
    as_json: Json = False,
) -> None:
    """Write a configuration that says every setting, and folders for new data and for runs."""
    from flows.starter import write_project

    made = [str(path) for path in write_project(folder)]
    lines = (*made, f"next: semilla run --config {folder / 'semilla.toml'} --input F --out {folder / 'runs' / 'first'}")
    finish({"made": made}, lines, as_json=as_json)
