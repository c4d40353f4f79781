"""Verbs of special-care information: `sensitive scan` finds it in a corpus."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.data import SkipBad
from flows.console import Json, finish, guarded, require_parent

if TYPE_CHECKING:
    from flows.sensitive_estimate import Estimate

app = typer.Typer(
    name="sensitive", help="Special-care (SCPI) data sets, classifiers, corpus scan.", no_args_is_help=True
)


@app.callback()
def sensitive() -> None:
    """Special-care (SCPI) data sets, classifiers, corpus scan."""


@app.command()
@guarded
def scan(
    inputs: Annotated[
        list[str], typer.Argument(metavar="INPUT...", help="JSONL, Parquet, gzip; files, folders, fsspec addresses.")
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="hits.jsonl; of a cluster, a folder of partitions.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="A line for every text, not for hits only.")] = False,
    model: Annotated[Path | None, typer.Option(help="A folder that was trained here; the starter model.")] = None,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="Score of a hit; the judge's own.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that judge; one a core.")] = None,
    engine: Annotated[str, typer.Option(help="local, or a cluster: dask.")] = "local",
    scheduler: Annotated[str | None, typer.Option(help="Address of a cluster; one of this machine's own.")] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Tell what it will cost, and stop.")] = False,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Find special-care information about people in a corpus; writes places and labels, never text.

    The same command goes on where a killed one stood.
    """
    from flows.errors import UsageError
    from flows.sensitive_estimate import estimate_lines
    from flows.sensitive_scanning import Scan, run_scan, scan_estimate
    from flows.sensitive_work import JudgeFolder, ScanSpec

    cores = workers or _cores()
    spec = ScanSpec(JudgeFolder(str(model.absolute()) if model else None), threshold, all_, skip_bad)
    if estimate:
        found = scan_estimate(inputs, spec)
        hours = {"hours": round(found.hours(cores), 4), "workers": cores}
        payload = {"texts": found.texts, "texts_per_core_second": round(found.rate, 1), "sample": found.sample, **hours}
        finish(payload, estimate_lines(found, cores), as_json=as_json)
        return
    if output is None:
        raise UsageError("name an output (-o), or ask for the estimate (--estimate)")
    if engine == "local":
        require_parent(Path(output))

    def show(found: Estimate) -> None:
        for line in estimate_lines(found, cores):
            typer.echo(line, err=True)

    wanted = Scan(tuple(inputs), output, spec, engine, cores, scheduler)
    record = run_scan(wanted, show if sys.stderr.isatty() else None)
    went_on = f" ({record['resumed_texts']:,} of them before)" if record["resumed_texts"] else ""
    lines = [f"{record['hits']:,} hits in {record['texts']:,} texts{went_on}: {output}"]
    lines += [f"  {name}: {count:,}" for name, count in sorted(record["categories"].items())]
    lines += [f"{record['skipped']:,} broken lines passed over"] if record["skipped"] else []
    lines.append(
        f"{record['seconds']:,.1f} s, {record['texts_per_second']:,.0f} texts/s on {cores} processes, "
        f"{record['peak_memory_mb']:.0f} MiB the largest"
    )
    finish(record, lines, as_json=as_json)


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
