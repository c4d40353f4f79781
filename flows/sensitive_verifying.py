"""The third stage of a scan: a strong language model is asked about the hits that the judge doubts, and about no other.

The first two stages cost a millisecond a text and a language model seconds, so only what stands near the threshold is
asked about. The model's word replaces the label; the judge's score stays, so that the lines stay ranked.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.errors import UsageError
from flows.records_io import read_objects, write_lines
from flows.sensitive_models import Models, Patience
from flows.sensitive_sources import source_documents
from generator.config import GeneratorConfig
from generator.errors import BudgetSpent, ProviderError
from generator.workers import in_order
from seed_engine.sensitive.build_config import BuildConfig
from seed_engine.sensitive.build_prompt import question
from seed_engine.sensitive.build_records import Opinion
from seed_engine.sensitive.persons import candidates
from seed_engine.sensitive.scan_documents import Document

DOUBTED = "borderline"


@dataclass(frozen=True, slots=True)
class Verification:
    """What is asked for.

    Attributes:
        hits: what `semilla sensitive scan` wrote.
        inputs: the files that were scanned.
        output: the lines again, those that were asked about with the stage `llm`.
        every: ask about every line, not about the borderline ones only.
        skip_bad: pass over broken lines of the inputs.
    """

    hits: Path
    inputs: tuple[str, ...]
    output: Path
    every: bool = False
    skip_bad: bool = False


def verify_hits(
    wanted: Verification, config: BuildConfig, generator: GeneratorConfig, advance: Callable[[int, int], None]
) -> dict[str, Any]:
    """Ask the verifier, and write the lines with its word in place; replies so far are kept beside the output.

    A provider that is down, and a budget that is spent, are told under `fault`; nothing is written then, and the same
    command goes on.

    Returns:
        Lines, those asked about, answers, labels that changed, requests and their cost.

    Raises:
        UsageError: the hits are of other inputs, or the verifier is not on this machine and nobody allowed it.
        InputError: a file or a line cannot be read.
    """
    lines = [record for _, record in read_objects(wanted.hits)]
    doubted = {line["id"] for line in lines if wanted.every or DOUBTED in line.get("flags", ())}
    models = Models(config, generator, wanted.output.with_name(f"{wanted.output.name}.replies"), ("verifier",))
    answers: dict[str, dict[str, Any] | None] = {}
    fault = ""
    try:
        for name, answer in in_order(_doubted(wanted, doubted), config.concurrency, _asker(models, config)):
            answers[name] = answer
            advance(len(answers), len(doubted))
    except (BudgetSpent, ProviderError) as error:
        fault = str(error)
    if not fault and doubted - set(answers):
        raise UsageError(f"{len(doubted - set(answers))} of the hits are of no text of these inputs")
    told = [_told(line, answers.get(line["id"])) for line in lines]
    if not fault:
        write_lines(wanted.output, (json.dumps(line, ensure_ascii=False) for line in told))
    usage = models.spending.usage
    return {
        "output": str(wanted.output),
        "fault": fault,
        "lines": len(lines),
        "asked": len(doubted),
        "answered": sum(answer is not None for answer in answers.values()),
        "changed": sum(new["label"] != old["label"] for new, old in zip(told, lines, strict=True)),
        "faults": dict(models.faults),
        "requests": usage.requests,
        "cost_usd": round(usage.cost_usd, 6),
    }


def _doubted(wanted: Verification, ids: set[str]) -> Iterator[Document]:
    for _, document in source_documents(wanted.inputs, Counter(), skip_bad=wanted.skip_bad):
        if document.id in ids:
            yield document


def _asker(models: Models, config: BuildConfig) -> Callable[[Document], tuple[str, dict[str, Any] | None]]:
    """What to do with a doubted text: its id, and the fields that the verifier's word changes; None without a word."""
    patience, offered = Patience(config.give_up_after), (*config.categories, *config.added)

    def ask(document: Document) -> tuple[str, dict[str, Any] | None]:
        people = candidates(document.text)
        person = (people[0].start, people[0].end) if people else None
        try:
            opinion = models("verifier", question(document.text, offered, person, config.max_chars))
        except ProviderError as error:
            models.count(error.reason)
            patience.failed(error)
            return document.id, None
        patience.answered()
        return document.id, _fields(document, opinion) if opinion else None

    return ask


def _fields(document: Document, opinion: Opinion) -> dict[str, Any]:
    fields: dict[str, Any] = {"label": opinion.label, "category": opinion.category, "stage": "llm"}
    return fields | ({"evidence": [document.place(*opinion.evidence)]} if opinion.evidence else {})


def _told(line: dict[str, Any], answer: dict[str, Any] | None) -> dict[str, Any]:
    """The line with the model's word, unchanged where there is none."""
    if answer is None:
        return line
    told = {name: value for name, value in line.items() if name != "flags"} | answer
    flags = [flag for flag in line.get("flags", ()) if flag != DOUBTED]
    return told | ({"flags": flags} if flags else {})
