"""The scan of documents: what a judge says of each, as records that hold places and labels, never text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from seed_engine.readers.record import Fault
from seed_engine.sensitive.records import Judge, Judgement, Label
from seed_engine.sensitive.scan_documents import Document


def scan(
    documents: Iterable[Document | Fault], judge: Judge, threshold: float | None = None
) -> Iterator[tuple[Document, Judgement] | Fault]:
    """Judge documents, in order; broken ones and those that a judge fails on come back as faults, in their place.

    Args:
        documents: a batch, held whole.
        judge: any.
        threshold: score from which a text is a hit, in [0, 1]; None leaves the judge its own.
    """
    held = list(documents)
    judged = iter(_judged([item for item in held if not isinstance(item, Fault)], judge))
    for item in held:
        if isinstance(item, Fault):
            yield item
        elif isinstance(said := next(judged), Fault):
            yield said
        else:
            yield item, held_against(said, threshold)


def hit_record(document: Document, judgement: Judgement) -> dict[str, Any]:
    """One line of hits.jsonl.

    Returns:
        `id`, `score`, `label`, `category`, `stage`, `topic`; `evidence`, places of the decisive cue; `person`, the
        place of the person whom the fact is said of, or None; `flags`, where there are any. Places are half-open, in
        code points; those of a conversation name the turn.
    """
    record = {
        "id": document.id,
        "score": round(judgement.score, 4),
        "label": judgement.label,
        "category": judgement.category,
        "stage": judgement.stage,
        "topic": round(judgement.topic, 4),
        "evidence": [document.place(*judgement.evidence)] if judgement.evidence else [],
        "person": document.place(*judgement.person) if judgement.person else None,
    }
    return record | ({"flags": list(judgement.flags)} if judgement.flags else {})


def _judged(documents: list[Document], judge: Judge) -> list[Judgement | Fault]:
    if not documents:
        return []
    try:
        return list(judge.judge([document.text for document in documents]))
    except Exception:
        if len(documents) == 1:
            return [Fault(documents[0].line, "the judge fails on this text")]
    # One text may not take the others of its batch with it.
    half = len(documents) // 2
    return _judged(documents[:half], judge) + _judged(documents[half:], judge)


def held_against(judgement: Judgement, threshold: float | None) -> Judgement:
    """The same with the label that its score earns at a threshold; what is on no topic stays off it."""
    if threshold is None or judgement.label == "none":
        return judgement
    below: Label = "none" if judgement.category is None else "related"
    return replace(judgement, label="scpi" if judgement.score >= threshold else below)
