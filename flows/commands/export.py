"""The verb that hands a synthetic set on: `export` writes it in the formats that trainers and catalogues read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from flows.commands.data import Output
from flows.console import INCONCLUSIVE, PASSED, Json, finish, guarded, require_parent

_NAME = re.compile(r"[\w-]{1,80}", re.ASCII)
_LICENSE = re.compile(r"[\w.+-]{1,60}", re.ASCII)


@guarded
def export(
    source: Annotated[Path, typer.Argument(metavar="RUN|SYNTHETIC", help="A run's folder, or synthetic.jsonl.")],
    output: Output,
    to: Annotated[
        str,
        typer.Option("--format", help="jsonl, openai, sharegpt, parquet, huggingface (folder), croissant (folder)."),
    ] = "jsonl",
    rendered: Annotated[bool, typer.Option("--rendered", help="Of a run: surrogates in the place of markers.")] = False,
    name: Annotated[str, typer.Option(help="What cards and metadata call the data set.")] = "semilla-conversations",
    license_id: Annotated[str, typer.Option("--license", help="SPDX identifier for cards and metadata.")] = "other",
    as_json: Json = False,
) -> None:
    """Write a synthetic set in another format; nothing but synthetic conversations is let through."""
    from flows.errors import UsageError
    from flows.export.formats import export_to
    from flows.export.source import read_export

    if not _NAME.fullmatch(name) or not _LICENSE.fullmatch(license_id):
        raise UsageError("--name takes letters, digits, - and _; --license an SPDX identifier")
    found = read_export(source, name=name, license_id=license_id, rendered=rendered)
    written = export_to(found, to, require_parent(output))
    payload = {"output": str(output), "format": to, "conversations": written, "read": len(found.conversations)}
    lines = (f"{written} of {len(found.conversations)} conversations as {to}: {output}",)
    finish(payload, lines, as_json=as_json, exit_code=PASSED if written else INCONCLUSIVE)
