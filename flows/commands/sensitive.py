"""Verbs of special-care information: a set is built, a judge trained, a corpus scanned."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.data import SkipBad
from flows.console import INCONCLUSIVE, PASSED, ConfigPath, Json, finish, guarded, require_file, require_parent

if TYPE_CHECKING:
    from flows.sensitive_estimate import Estimate

_INPUTS = "JSONL, Parquet, gzip; files, folders, fsspec addresses."

app = typer.Typer(
    name="sensitive", help="Special-care (SCPI) data sets, classifiers, corpus scan.", no_args_is_help=True
)


@app.callback()
def sensitive() -> None:
    """Special-care (SCPI) data sets, classifiers, corpus scan."""


@app.command()
@guarded
def build(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help=_INPUTS)],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the set; replies so far stay in it.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Texts with a person that are labelled at most.")] = None,
    tasks: Annotated[Path | None, typer.Option(help="Write Label Studio tasks for people; they hold text.")] = None,
    corrections: Annotated[Path | None, typer.Option(help="Label Studio's export with their decisions.")] = None,
    positive_share: Annotated[float | None, typer.Option(help="Share of special-care texts, 0.1.")] = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Label texts by models that must agree, and put a balanced set together; the same command goes on."""
    from flows.config import load_config, override
    from flows.progress import progress_bar
    from flows.sensitive_building import Build, build_set

    whole = load_config(config)
    settings = override(whole.sensitive, positive_share=positive_share)
    wanted = Build(tuple(inputs), output, limit, tasks and require_parent(tasks), corrections, skip_bad)
    with progress_bar("label") as advance:
        record = build_set(wanted, settings, whole.generator, advance)
    if record["fault"]:
        lines = [f"{record['fault']}: {record['labelled']} texts labelled so far; the same command goes on"]
    else:
        kappa = record["agreement"]["labellers"]["kappa"]
        lines = [
            f"{record['set']} texts in the set; {record['candidates']} with a person, {record['read']} read: {output}",
            *(f"  {name}: {count}" for name, count in sorted(record["stages"].items())),
            f"kappa of the labellers: {'not defined' if kappa is None else format(kappa, '.3f')}",
        ]
    lines.append(f"requests: {record['requests']}, ${record['cost_usd']:.4f}")
    exit_code = PASSED if not record["fault"] and record["set"] else INCONCLUSIVE
    finish(record, lines, as_json=as_json, exit_code=exit_code)


@app.command()
@guarded
def train(
    texts: Annotated[Path, typer.Argument(metavar="TEXTS", help="JSONL of text, label, category, group; or a set.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the judge.")],
    source: Annotated[list[str] | None, typer.Option(help="What a set was built from.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="Models of whole texts, joined to the link by union.")] = None,
    recall: Annotated[float, typer.Option(min=0.01, max=1, help="That thresholds are tuned for.")] = 0.85,
    name: Annotated[str, typer.Option(help="Of the judge, with a version.")] = "trained",
    as_json: Json = False,
) -> None:
    """Train a judge, cross-validated by source; prints F1 beside the false alarms on hard negatives."""
    from flows.sensitive_training import labelled_texts
    from seed_engine.sensitive.training import train_judge

    held = labelled_texts(require_file(texts), source or ())
    report = train_judge(held, require_parent(output), kinds=model or (), recall=recall, name=name)
    lines = [f"{'model':16} {'F1':>6} {'AUC':>6} {'hard FPR':>9} {'threshold':>10}"]
    lines += [
        f"{row.model:16} {row.f1:6.3f} {row.auc:6.3f} {row.hard_negative_fpr:9.3f} {row.threshold:10.3f}"
        for row in report.models
    ]
    lines.append(f"{sum(report.texts.values())} texts, thresholds for a recall of {recall:.2f}: {output}")
    finish({"output": str(output), **report.model_dump()}, lines, as_json=as_json)


@app.command()
@guarded
def scan(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help=_INPUTS)],
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="hits.jsonl; of a cluster, a folder of partitions.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="A line for every text, not for hits only.")] = False,
    model: Annotated[Path | None, typer.Option(help="A folder that was trained here; the starter model.")] = None,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="Score of a hit; the judge's own.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that judge; one a core.")] = None,
    engine: Annotated[str, typer.Option(help="local, or a cluster: dask, ray.")] = "local",
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


@app.command()
@guarded
def verify(
    hits: Annotated[Path, typer.Argument(metavar="HITS", help="What a scan wrote.")],
    source: Annotated[list[str], typer.Option(help="What was scanned.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The lines again, with the model's word in place.")],
    all_: Annotated[bool, typer.Option("--all", help="Ask about every line, not the borderline ones only.")] = False,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Ask a strong language model about the hits that the judge doubts; the same command goes on."""
    from flows.config import load_config
    from flows.progress import progress_bar
    from flows.sensitive_verifying import Verification, verify_hits

    whole = load_config(config)
    wanted = Verification(require_file(hits), tuple(source), require_parent(output), all_, skip_bad)
    with progress_bar("verify") as advance:
        record = verify_hits(wanted, whole.sensitive, whole.generator, advance)
    lines = [
        f"{record['answered']} of {record['asked']} doubted lines answered, {record['changed']} changed: {output}",
        f"requests: {record['requests']}, ${record['cost_usd']:.4f}",
    ]
    if record["fault"]:
        lines.insert(0, f"{record['fault']}: nothing written; the same command goes on")
    whole_answer = not record["fault"] and record["answered"] == record["asked"]
    finish(record, lines, as_json=as_json, exit_code=PASSED if whole_answer else INCONCLUSIVE)


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
