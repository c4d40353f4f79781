"""Verbs that read and write data: detect, deidentify, seed, validate, generate, evaluate."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.model import attack_and_finish
from flows.console import (
    EXIT_CODES,
    FAILED,
    INCONCLUSIVE,
    PASSED,
    ConfigPath,
    Json,
    finish,
    guarded,
    require_file,
    require_parent,
)

if TYPE_CHECKING:
    from seed_engine.seed import Seed

Source = Annotated[Path, typer.Argument(metavar="INPUT", help="Conversations or documents, any format.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
Language = Annotated[str | None, typer.Option(help="ISO 639-1; found per conversation without it.")]
Domain = Annotated[str | None, typer.Option(help="Domain profile: support, medical, tutoring, general.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Count broken lines instead of stopping.")]


@guarded
def detect(
    source: Source,
    output: Output,
    engine: Annotated[str | None, typer.Option(help="hybrid, presidio, regex or ner.")] = None,
    language: Language = None,
    domain: Domain = None,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="Smallest score that is kept.")] = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Find personal data; writes where it stands, never what stands there."""
    from flows.detection import detector_for, read_as, spans_record
    from flows.records_io import write_lines

    detector = detector_for(config, engine=engine, threshold=threshold)
    counts: Counter[str] = Counter()

    def lines() -> Iterator[str]:
        for conversation in read_as(require_file(source), language, domain, skip_bad=skip_bad):
            found = detector.detect_conversation(conversation)
            counts.update(span.entity_type for turn in found for span in turn)
            yield json.dumps(spans_record(conversation, found), ensure_ascii=False)

    records = write_lines(require_parent(output), lines())
    payload = {"output": str(output), "records": records, "spans": counts.total(), "by_type": dict(counts)}
    finish(payload, (f"{counts.total()} spans in {records} records: {output}",), as_json=as_json)


@guarded
def deidentify(
    source: Source,
    output: Output,
    operator: Annotated[str, typer.Option(help="marker, surrogate or mask.")] = "marker",
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Replace personal data; the same format comes back."""
    from flows.detection import detector_for, read_as
    from seed_engine.deidentify import deidentify as replace
    from seed_engine.readers import write_like

    detector = detector_for(config)
    conversations = read_as(require_file(source), language, domain, skip_bad=skip_bad)
    replaced = (replace(item, detector.detect_conversation(item), operator) for item in conversations)
    count = write_like(source, require_parent(output), replaced)
    finish({"output": str(output), "records": count}, (f"{count} records: {output}",), as_json=as_json)


@guarded
def seed(
    source: Source,
    output: Output,
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Conversations to abstract seeds: labels and role markers, no text."""
    from flows.detection import detector_for, read_as
    from flows.records_io import write_records
    from seed_engine.extract import extract

    detector = detector_for(config)
    counts: Counter[str] = Counter()

    def seeds() -> Iterator[Seed]:
        for number, item in enumerate(read_as(require_file(source), language, domain, skip_bad=skip_bad), 1):
            result = extract(item, detector.detect_conversation(item), f"seed-{number:06d}")
            if result.seed is None:
                counts[f"skipped_{result.skipped}"] += 1
            else:
                yield result.seed

    written = write_records(require_parent(output), seeds())
    lines = (f"{written} seeds, {counts.total()} conversations skipped: {output}",)
    exit_code = PASSED if written else INCONCLUSIVE
    finish({"output": str(output), "seeds": written, **counts}, lines, as_json=as_json, exit_code=exit_code)


@guarded
def validate(
    seeds: Annotated[Path | None, typer.Argument(metavar="SEEDS", help="seeds.jsonl")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema and stop.")] = False,
    as_json: Json = False,
) -> None:
    """Every fault of every seed, as path and rule."""
    from flows.errors import UsageError
    from flows.records_io import read_objects
    from seed_engine.schema import duplicate_ids, json_schema, violations

    if schema:
        typer.echo(json.dumps(json_schema(), indent=1))
        return
    if seeds is None:
        raise UsageError("name a file of seeds, or give --schema")
    records = tuple(read_objects(require_file(seeds)))
    if not records:
        raise UsageError(f"{seeds}: holds no seed")
    twice = duplicate_ids(record.get("id") if isinstance(record, dict) else None for _, record in records)
    faults = [
        {"line": line, "path": fault.path, "rule": fault.rule}
        for place, (line, record) in enumerate(records)
        for fault in (*violations(record), *((twice[place],) if place in twice else ()))
    ]
    lines = [f"{seeds}:{fault['line']}: {fault['path']}: {fault['rule']}" for fault in faults]
    lines.append(f"{len(faults)} violations")
    exit_code = FAILED if faults else PASSED
    finish({"violations": faults}, lines, as_json=as_json, exit_code=exit_code)


@guarded
def generate(
    seeds: Annotated[Path, typer.Argument(metavar="SEEDS", help="seeds.jsonl")],
    output: Output,
    model: Annotated[str | None, typer.Option(help="Any LiteLLM model name; the embedded one by default.")] = None,
    per_seed: Annotated[int | None, typer.Option(min=1, help="Conversations from each seed.")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Seeds to synthetic conversations; only seeds go to the provider."""
    from flows.config import load_config, override
    from flows.generation import generate_file
    from flows.progress import progress_bar

    settings = override(load_config(config).generator, model=model, per_seed=per_seed)
    with progress_bar("generate") as advance:
        outcome = generate_file(require_file(seeds), require_parent(output), settings, advance)
    if outcome.fault:
        typer.echo(f"semilla: {outcome.fault}; {outcome.written} of {outcome.wanted} conversations written", err=True)
    lines = [f"{outcome.written} conversations of {outcome.wanted} wanted: {output if outcome.written else 'no file'}"]
    lines += [f"{label}: {count}" for label, count in sorted(outcome.counts.items())]
    payload = {"output": str(output), "conversations": outcome.written, "wanted": outcome.wanted, **outcome.counts}
    exit_code = PASSED if outcome.written and not outcome.fault else INCONCLUSIVE
    finish(payload | {"fault": outcome.fault}, lines, as_json=as_json, exit_code=exit_code)


@guarded
def evaluate(
    synthetic: Annotated[Path | None, typer.Argument(metavar="SYNTHETIC", help="synthetic.jsonl")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="scores.json to write.")] = None,
    seeds: Annotated[Path | None, typer.Option(help="The seeds it was made from.")] = None,
    sources: Annotated[Path | None, typer.Option(help="The source conversations, for leaks and memorisation.")] = None,
    extraction_attacks: Annotated[
        bool, typer.Option("--extraction-attacks", help="Attack an adapter instead (with --model).")
    ] = False,
    model: Annotated[Path | None, typer.Option(help="An adapter trained here.")] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Success rate allowed, 0.01 by default.")
    ] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Privacy, leaks, memorisation and quality of a synthetic set; or the attack gate on an adapter."""
    from flows.errors import UsageError

    if extraction_attacks:
        if model is None:
            raise UsageError("name an adapter (--model)")
        attack_and_finish(model, output, config, threshold=threshold, as_json=as_json)
        return
    if synthetic is None or output is None:
        raise UsageError("name the synthetic set and an output (-o)")
    from flows.config import load_config
    from flows.judging import judge_file
    from flows.rundir import write_json

    scores = judge_file(require_file(synthetic), load_config(config), seeds=seeds, sources=sources)
    write_json(require_parent(output), scores.model_dump(mode="json"))
    lines = (*scores.reasons, f"{scores.verdict}; scores: {output}")
    exit_code = EXIT_CODES[scores.verdict]
    finish(scores.model_dump(mode="json", exclude={"findings"}), lines, as_json=as_json, exit_code=exit_code)
