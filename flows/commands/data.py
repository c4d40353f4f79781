"""Verbs that read and write data: detect, deidentify, seed, validate, generate, evaluate."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

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

RELEASES = "auto (kanonymous from 20 x k subjects on, else none; the default), none, kanonymous or dp (private)."
# Written out, since reading the profiles or the detector's settings would slow every `--help`; a test compares.
DOMAINS = "Domain profile: automotive, finance, general, legal, medical, support, tutoring, or an own one."
ENGINES = "hybrid, fast, presidio, regex, ner or classifier."
Source = Annotated[Path, typer.Argument(metavar="INPUT", help="Conversations or documents, any format.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
Language = Annotated[str | None, typer.Option(help="ISO 639-1; found per conversation without it.")]
Domain = Annotated[str | None, typer.Option(help=DOMAINS)]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Count broken lines instead of stopping.")]


@guarded
def detect(
    source: Source,
    output: Output,
    engine: Annotated[str | None, typer.Option(help=ENGINES)] = None,
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
    from flows.reviewing import reviewed

    detector = reviewed(detector_for(config, engine=engine, threshold=threshold), require_file(source))
    counts: Counter[str] = Counter()

    def lines() -> Iterator[str]:
        for conversation in read_as(source, language, domain, skip_bad=skip_bad):
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
    from flows.reviewing import reviewed
    from seed_engine.deidentify import deidentify as replace
    from seed_engine.readers import write_like

    detector = reviewed(detector_for(config), require_file(source))
    conversations = read_as(source, language, domain, skip_bad=skip_bad)
    replaced = (replace(item, detector.detect_conversation(item), operator) for item in conversations)
    count = write_like(source, require_parent(output), replaced)
    finish({"output": str(output), "records": count}, (f"{count} records: {output}",), as_json=as_json)


@guarded
def seed(
    source: Source,
    output: Output,
    release: Annotated[str | None, typer.Option(help=RELEASES)] = None,
    k: Annotated[
        int | None, typer.Option(min=2, help="Subjects that share a combination; asks for kanonymous.")
    ] = None,
    epsilon: Annotated[float | None, typer.Option(help="dp: privacy loss of this release.")] = None,
    schema: Annotated[str, typer.Option(help="semilla, or uncase (SeedSchema 1.0).")] = "semilla",
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Conversations to abstract seeds: labels and role markers, no text; or seeds from one schema into the other."""
    from flows.errors import UsageError
    from flows.seed_files import as_schema, convert_seeds, seed_schema
    from flows.seeding import seed_file

    wanted = as_schema(schema)
    if seed_schema(require_file(source)) is not None:
        given = {"--release": release, "--k": k, "--epsilon": epsilon, "--language": language, "--domain": domain}
        if names := [name for name, value in given.items() if value is not None]:
            raise UsageError(f"{', '.join(names)}: for conversations; these are seeds, which no release can protect")
        counts = convert_seeds(source, require_parent(output), wanted, config)
        exit_code = PASSED if counts["seeds"] else INCONCLUSIVE
        line = f"{counts['seeds']} seeds in the schema of {wanted}: {output}"
        finish({"output": str(output), "schema": wanted, **counts}, (line,), as_json=as_json, exit_code=exit_code)
        return
    record = seed_file(
        require_file(source),
        require_parent(output),
        config,
        language=language,
        domain=domain,
        skip_bad=skip_bad,
        release=release or (None if k is None else "kanonymous"),
        k=k,
        epsilon=epsilon,
    )
    if wanted == "uncase":
        record |= convert_seeds(output, output, wanted)
    skipped = sum(count for name, count in record.items() if name.startswith("skipped_"))
    lines = [f"{record['seeds']} seeds, {skipped} conversations skipped: {output}", f"release: {record['release']}"]
    if record["release"] == "kanonymous":
        lines.append(f"k = {record['k']}: {record['suppressed']} seeds suppressed, {record['classes']} classes")
    if record["release"] == "dp":
        lines = [
            f"{record['seeds']} seeds: {output}",
            "release: dp",
            f"epsilon {record['epsilon']:.4g}, delta {record['delta']:g} for this release; of this source so far "
            f"{record['epsilon_spent']:.4g} of {record['epsilon_ceiling']:.4g}",
        ]
    exit_code = PASSED if record["seeds"] else INCONCLUSIVE
    finish({"output": str(output), **record}, lines, as_json=as_json, exit_code=exit_code)


@guarded
def validate(
    seeds: Annotated[Path | None, typer.Argument(metavar="SEEDS", help="seeds.jsonl")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema and stop.")] = False,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Every fault of every seed, ours or UNCASE's, as path and rule."""
    from flows.errors import UsageError
    from flows.seed_files import seed_faults
    from seed_engine.schema import json_schema

    if schema:
        typer.echo(json.dumps(json_schema(), indent=1))
        return
    if seeds is None:
        raise UsageError("name a file of seeds, or give --schema")
    faults = seed_faults(require_file(seeds), config)
    lines = [f"{seeds}:{fault['line']}: {fault['path']}: {fault['rule']}" for fault in faults]
    lines.append(f"{len(faults)} violations")
    exit_code = FAILED if faults else PASSED
    finish({"violations": faults}, lines, as_json=as_json, exit_code=exit_code)


@guarded
def generate(
    seeds: Annotated[Path, typer.Argument(metavar="SEEDS", help="seeds.jsonl")],
    output: Output,
    model: Annotated[
        str | None,
        typer.Option(help="Any LiteLLM model name, or the folder of an adapter; the embedded model by default."),
    ] = None,
    per_seed: Annotated[int | None, typer.Option(min=1, help="Conversations from each seed.")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Seeds to synthetic conversations; only seeds go to the provider."""
    from flows.config import load_config, override
    from flows.errors import UsageError
    from flows.generation import generate_file, writer
    from flows.progress import progress_bar
    from flows.quality_judge import quality_judge

    whole = load_config(config)
    settings = override(whole.generator, per_seed=per_seed, **writer(model))
    if settings.lora is not None and settings.plan == "template":
        raise UsageError("strategy template asks no model, so an adapter would change nothing")
    judge = quality_judge(whole.evaluator)
    with progress_bar("generate") as advance:
        outcome = generate_file(require_file(seeds), require_parent(output), settings, advance, judge)
    if outcome.fault:
        typer.echo(f"semilla: {outcome.fault}; {outcome.written} of {outcome.wanted} conversations written", err=True)
    where = str(output) if outcome.written else f"{output} is as it was" if output.exists() else "no file"
    lines = [f"{outcome.written} conversations of {outcome.wanted} wanted: {where}"]
    lines += [f"{label}: {count}" for label, count in sorted(outcome.counts.items())]
    lines.append(f"requests: {outcome.usage.requests}, tokens {outcome.usage.tokens}, ${outcome.usage.cost_usd:.4f}")
    payload = {"output": str(output), "conversations": outcome.written, "wanted": outcome.wanted, **outcome.counts}
    payload |= {"usage": asdict(outcome.usage)}
    exit_code = PASSED if outcome.written and not outcome.fault else INCONCLUSIVE
    finish(payload | {"fault": outcome.fault}, lines, as_json=as_json, exit_code=exit_code)


@guarded
def evaluate(
    synthetic: Annotated[Path | None, typer.Argument(metavar="SYNTHETIC", help="synthetic.jsonl")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="scores.json to write.")] = None,
    seeds: Annotated[Path | None, typer.Option(help="The seeds it was made from.")] = None,
    sources: Annotated[Path | None, typer.Option(help="The source conversations, for leaks and memorisation.")] = None,
    controls: Annotated[
        Path | None, typer.Option(help="Conversations of the same origin that no seed was made of.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Real conversations to be close to; the sources without it.")
    ] = None,
    perplexity: Annotated[
        bool, typer.Option("--perplexity", help="Let the embedded language model read it, too; takes minutes.")
    ] = False,
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
    if controls is not None and sources is None:
        raise UsageError("--controls belong to --sources")
    from flows.config import load_config
    from flows.judging import judge_file
    from flows.rundir import write_json

    settings = load_config(config)
    given = {"seeds": seeds, "sources": sources, "controls": controls, "reference": reference}
    scores = judge_file(require_file(synthetic), settings, **given, perplexity=perplexity)
    record, told, verdict = scores.model_dump(mode="json"), list(scores.reasons), scores.verdict
    if sources is not None:
        from flows.attacking import attack_published
        from flows.published import attack_lines

        report = attack_published(synthetic, sources, controls, settings.attacks)
        record["text_attacks"] = report.model_dump(mode="json")
        told += attack_lines(report)
        # Without controls the attack can fail a set, and a pass does not wait for it.
        if report.verdict == "fail" or (verdict == "pass" and controls is not None):
            verdict = report.verdict
        record["verdict"] = verdict
    write_json(require_parent(output), record)
    payload = {name: value for name, value in record.items() if name != "findings"}
    finish(payload, (*told, f"{verdict}; scores: {output}"), as_json=as_json, exit_code=EXIT_CODES[verdict])
