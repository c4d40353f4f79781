"""The building of a special-care data set: candidates, opinions, corrections, the balanced set and its data card.

Replies stand in `replies.jsonl` before they are used; everything else follows from them and the source, so that a
build that was killed asks for the rest only, and one with another balance asks for nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.records_io import write_records
from flows.sensitive_corrections import take_corrections, write_tasks
from flows.sensitive_models import Models, Patience
from flows.sensitive_sources import source_documents
from generator.config import GeneratorConfig
from generator.errors import BudgetSpent, ProviderError
from generator.workers import in_order
from seed_engine.atomic import atomic_text
from seed_engine.sensitive.build_balance import balanced, review_sample
from seed_engine.sensitive.build_card import agreements, data_card
from seed_engine.sensitive.build_config import BuildConfig
from seed_engine.sensitive.build_label import Candidate, candidate, corrected, label_text, merged
from seed_engine.sensitive.build_records import Labelling, Opinion, text_digest
from seed_engine.sensitive.scan_documents import Document

REPLIES, LABELS, SET, CARD, FIGURES = "replies.jsonl", "labels.jsonl", "dataset.jsonl", "card.md", "agreement.json"


@dataclass(frozen=True, slots=True)
class Build:
    """What is asked for.

    Attributes:
        inputs: files, folders or patterns.
        output: folder of the set; its replies stay there.
        limit: candidates that are labelled at most; None for all.
        tasks: Label Studio tasks to write, for people; None writes none.
        corrections: Label Studio's export with decisions of people; None takes those of earlier builds only.
        skip_bad: count broken lines instead of stopping.
    """

    inputs: tuple[str, ...]
    output: Path
    limit: int | None = None
    tasks: Path | None = None
    corrections: Path | None = None
    skip_bad: bool = False


def build_set(
    build: Build, config: BuildConfig, generator: GeneratorConfig, advance: Callable[[int, int], None]
) -> dict[str, Any]:
    """Build a set, going on where an earlier build with the same settings stood.

    A provider that is down, and a budget that is spent, are no fault of the source: replies so far are kept, and the
    record tells under `fault` why nothing else was written.

    Returns:
        Counts by stage and label, agreement, what the requests of this run cost.

    Raises:
        UsageError: a model is not on this machine and nobody allowed it, or the corrections are not of this source.
        InputError: a file or a line cannot be read.
    """
    build.output.mkdir(parents=True, exist_ok=True)
    models = Models(config, generator, build.output / REPLIES)
    counts: Counter[str] = Counter({"read": 0, "candidates": 0})
    decisions = take_corrections(build.output, build.corrections, lambda: _again(build), config)
    labellings: list[Labelling] = []
    fault = ""
    try:
        for labelling in in_order(_candidates(build, counts), config.concurrency, _labeller(models, config)):
            labellings.append(labelling)
            advance(len(labellings), build.limit or 0)
    except (BudgetSpent, ProviderError) as error:
        fault = str(error)
    cost = {"requests": models.spending.usage.requests, "cost_usd": round(models.spending.usage.cost_usd, 6)}
    if fault:
        return {"output": str(build.output), "fault": fault, "labelled": len(labellings), **cost}
    final = [_final(item, decisions, config) for item in labellings]
    return _published(build, config, final, counts) | {"fault": "", "faults": dict(models.faults), **cost}


def _labeller(models: Models, config: BuildConfig) -> Callable[[Candidate], Labelling]:
    patience = Patience(config.give_up_after)

    def label(item: Candidate) -> Labelling:
        try:
            labelling = label_text(item, models, config)
        except ProviderError as error:
            models.count(error.reason)
            patience.failed(error)
        else:
            patience.answered()
            return labelling
        return Labelling(
            id=item.id,
            digest=text_digest(item.text),
            source=item.source,
            line=item.line,
            stage="unanswered",
            person=item.person,
        )

    return label


def _final(item: Labelling, decisions: dict[str, Opinion], config: BuildConfig) -> Labelling:
    decision = decisions.get(item.digest)
    return merged(item if decision is None else corrected(item, decision), config.merged)


def _published(build: Build, config: BuildConfig, final: Sequence[Labelling], counts: Counter[str]) -> dict[str, Any]:
    chosen = balanced(final, config)
    kappas = {name: found.model_dump() for name, found in agreements(final).items()}
    if build.tasks is not None:
        wanted = {item.digest: item for item in review_sample(final, config)}
        counts["offered to people"] = write_tasks(build.tasks, wanted, _again(build), config)
    write_records(build.output / LABELS, final)
    write_records(build.output / SET, chosen)
    atomic_text(build.output / FIGURES, json.dumps(kappas, indent=1) + "\n")
    atomic_text(build.output / CARD, data_card(final, chosen, dict(counts), config))
    return {
        "output": str(build.output),
        **counts,
        "stages": dict(Counter(item.stage for item in final)),
        "set": len(chosen),
        "labels": dict(Counter(str(item.label) for item in chosen)),
        "agreement": kappas,
    }


def _candidates(build: Build, counts: Counter[str]) -> Iterator[Candidate]:
    for name, document in source_documents(build.inputs, counts, skip_bad=build.skip_bad):
        found = candidate(document.id, document.text, name, document.line)
        if found is not None:
            counts["candidates"] += 1
            yield found
        if counts["candidates"] == build.limit:
            return


def _again(build: Build) -> Iterator[tuple[str, Document]]:
    return source_documents(build.inputs, Counter(), skip_bad=build.skip_bad)
