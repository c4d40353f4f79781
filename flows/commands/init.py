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
    """Write a configuration that says every setting, two invented chats to try it on, and folders for data and runs."""
    from flows.starter import write_project

    made = [str(path) for path in write_project(folder)]
    example = f"--domain support --input {folder / 'example'}/*.txt"
    command = f"semilla run --config {folder / 'semilla.toml'} {example} --out {folder / 'runs' / 'first'}"
    finish({"made": made, "next": command}, (*made, f"next: {command}"), as_json=as_json)
