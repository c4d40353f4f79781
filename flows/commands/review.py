"""Human review through Label Studio: tasks out, corrections back, and a benchmark from transcripts redacted before."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.commands.data import Domain, Language, SkipBad, Source
from flows.console import INCONCLUSIVE, PASSED, ConfigPath, Json, finish, guarded, require_file, require_parent

Redacted = Annotated[bool, typer.Option("--redacted", help="The input was redacted by another tool: review its work.")]
Sample = Annotated[int | None, typer.Option(min=1, help="Problems that people decide; all without it.")]
Seed = Annotated[int, typer.Option(help="Of the sample; the same for every round and for the benchmark.")]

KeyFile = Annotated[Path | None, typer.Option("--key", help="Tasks are encrypted: file of the key, made if missing.")]
Locked = Annotated[Path, typer.Argument(metavar="FILE", help="Tasks, or Label Studio's export.")]
Key = Annotated[Path, typer.Option("--key", help="File of the key.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="/dev/stdout to leave no copy.")]

app = typer.Typer(name="review", help="Human review round trip (Label Studio JSON).", no_args_is_help=True)


@guarded
def export(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="tasks.json; the configuration is written beside it.")],
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    redacted: Redacted = False,
    sample: Sample = None,
    seed: Seed = 0,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Conversations to Label Studio tasks, what was found marked; they hold the source's text."""
    from flows.detection import detector_for, read_as
    from flows.redacted import export_round, read_round, sampled
    from flows.reviewing import export_tasks, reviewed

    if redacted:
        talks = read_as(require_file(source), language, domain, skip_bad=skip_bad)
        taken = sampled(read_round(source, detector_for(config), talks), sample, seed)
        record = export_round(taken, require_parent(output), key)
        lines = (
            f"{record['tasks']} tasks: {output}; {_so_far(record)}",
            f"labelling configuration: {record['config']}",
        )
        finish({"output": str(output), **record}, lines, as_json=as_json)
        return
    detector = reviewed(detector_for(config), require_file(source))
    conversations = read_as(source, language, domain, skip_bad=skip_bad)
    record = export_tasks(source, require_parent(output), detector, conversations, key)
    lines = (f"{record['tasks']} tasks: {output}", f"labelling configuration: {record['config']}")
    finish({"output": str(output), **record}, lines, as_json=as_json)


@guarded
def import_(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="Label Studio's export, JSON or JSON-MIN.")],
    source: Annotated[Path, typer.Option("--source", help="The conversations that were reviewed.")],
    redacted: Redacted = False,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Corrections into a file beside the source; from then on they hold in that source, and nowhere else."""
    from flows.redacted import import_round
    from flows.reviewing import import_tasks
    from seed_engine.readers import read_conversations

    if redacted:
        talks = read_conversations(require_file(source), skip_bad=True)
        record = import_round(require_file(tasks), source, talks, key)
        lines = (f"{record['reviewed']} reviewed, {record['unreviewed']} not yet: {record['output']}",)
        finish(record, lines, as_json=as_json, exit_code=PASSED if record["reviewed"] else INCONCLUSIVE)
        return
    record = import_tasks(require_file(tasks), require_file(source), key)
    lines = (
        f"{record['reviewed']} reviewed, {record['unreviewed']} not yet; {record['added']} spans added, "
        f"{record['removed']} taken away: {record['output']}",
    )
    finish(record, lines, as_json=as_json, exit_code=PASSED if record["reviewed"] else INCONCLUSIVE)


@guarded
def benchmark(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="New folder: benchmark.jsonl and its card.")],
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Of the sampled problems so many must be decided by people.")
    ] = 0.95,
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    sample: Sample = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Redacted transcripts to a labelled benchmark: surrogates for people, mathematics back; once enough is decided."""
    from flows.detection import detector_for, read_as
    from flows.redacted import figures, reached, read_round, sampled
    from flows.redacted_benchmark import write_benchmark

    talks = read_as(require_file(source), language, domain, skip_bad=skip_bad)
    rounds = read_round(source, detector_for(config), talks)
    found = reached(sampled(rounds, sample, seed))
    if found.share < share:
        lines = (
            f"{_so_far(figures(found))}; {share:.1%} are asked for, so nothing is written: review export --redacted",
        )
        finish({"verdict": "inconclusive", **figures(found)}, lines, as_json=as_json, exit_code=INCONCLUSIVE)
        return
    record = write_benchmark(rounds, found, share, require_parent(output))
    done = (
        f"{record['sessions']} transcripts, {record['spans']} spans: {output}",
        f"{_so_far(record)}; {record['restored']} redactions taken back, {record['left']} stay",
    )
    finish({"output": str(output), "verdict": "pass", **record}, done, as_json=as_json)


@guarded
def lock(file: Locked, output: Output, key: Key, as_json: Json = False) -> None:
    """Encrypt what Label Studio gave back, to be kept or sent."""
    from flows.locked import read_locked, write_locked

    text = read_locked(require_file(file), None).decode()
    write_locked(require_parent(output), [text.removesuffix("\n")], require_file(key))
    finish({"output": str(output)}, (f"encrypted: {output}; {file} is as it was",), as_json=as_json)


@guarded
def unlock(file: Locked, output: Output, key: Key, as_json: Json = False) -> None:
    """Decrypt tasks, for Label Studio to read."""
    from flows.locked import read_locked, write_locked

    text = read_locked(require_file(file), key).decode()
    write_locked(require_parent(output), [text.removesuffix("\n")], None)
    finish(
        {"output": str(output)}, () if str(output) == "/dev/stdout" else (f"in the clear: {output}",), as_json=as_json
    )


def _so_far(record: dict[str, Any]) -> str:
    return f"{record['resolved']} of {record['problems']} sampled problems decided, {record['accepted']} as proposed"


app.command("export")(export)
app.command("import")(import_)
app.command("benchmark")(benchmark)
app.command("lock")(lock)
app.command("unlock")(unlock)
