"""Human review: `semilla review export` writes Label Studio tasks, `semilla review import` reads corrections back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.commands.data import Domain, Language, SkipBad, Source
from flows.console import INCONCLUSIVE, PASSED, ConfigPath, Json, finish, guarded, require_file, require_parent

app = typer.Typer(name="review", help="Human review round trip (Label Studio JSON).", no_args_is_help=True)


@guarded
def export(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="tasks.json; the configuration is written beside it.")],
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Conversations to Label Studio tasks, what was found marked; they hold the source's text."""
    from flows.detection import detector_for, read_as
    from flows.reviewing import export_tasks, reviewed

    detector = reviewed(detector_for(config), require_file(source))
    conversations = read_as(source, language, domain, skip_bad=skip_bad)
    record = export_tasks(source, require_parent(output), detector, conversations)
    lines = (f"{record['tasks']} tasks: {output}", f"labelling configuration: {record['config']}")
    finish({"output": str(output), **record}, lines, as_json=as_json)


@guarded
def import_(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="Label Studio's export, JSON or JSON-MIN.")],
    source: Annotated[Path, typer.Option("--source", help="The conversations that were reviewed.")],
    as_json: Json = False,
) -> None:
    """Corrections into a file beside the source; from then on they hold in that source, and nowhere else."""
    from flows.reviewing import import_tasks

    record = import_tasks(require_file(tasks), require_file(source))
    lines = (
        f"{record['reviewed']} reviewed, {record['unreviewed']} not yet; {record['added']} spans added, "
        f"{record['removed']} taken away: {record['output']}",
    )
    finish(record, lines, as_json=as_json, exit_code=PASSED if record["reviewed"] else INCONCLUSIVE)


app.command("export")(export)
app.command("import")(import_)
