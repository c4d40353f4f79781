"""Human review: tasks out, decisions back into a file beside the source, which is followed wherever it is read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.detection import id_prefixes, spans_record
from flows.errors import UsageError
from flows.locked import read_locked, write_locked
from flows.records_io import read_objects, write_lines
from seed_engine.conversation import Conversation
from seed_engine.spans import EntitySpan
from seed_engine.strict_json import strict_json

if TYPE_CHECKING:
    from seed_engine.detect import Detector
    from seed_engine.review import Decision, Review

Spans = tuple[EntitySpan, ...]
SUFFIX = ".reviewed.jsonl"


def reviewed_path(source: Path) -> Path:
    """Where the decisions on a source stand: beside it, since they are as private as it is."""
    # By whatever link the source is named, its decisions stand in one place.
    source = source.resolve()
    return source.with_name(source.name + SUFFIX)


class ReviewedDetector:
    """A detector that follows the reviewer's decisions; everything else is the detector's own."""

    def __init__(self, detector: Detector, review: Review) -> None:
        self._detector, self._review = detector, review

    def __getattr__(self, name: str) -> Any:
        return getattr(self._detector, name)

    def detect_conversation(self, conversation: Conversation) -> tuple[Spans, ...]:
        """As the detector does, with the decisions applied."""
        return self._review.apply(conversation, self._detector.detect_conversation(conversation))

    def detect_conversations(self, conversations: Iterable[Conversation]) -> Iterator[tuple[Spans, ...]]:
        """As the detector does, with the decisions applied; in constant memory."""
        waiting: list[Conversation] = []

        def watched() -> Iterator[Conversation]:
            for conversation in conversations:
                waiting.append(conversation)
                yield conversation

        for found in self._detector.detect_conversations(watched()):
            yield self._review.apply(waiting.pop(0), found)


def reviewed(detector: Detector, *sources: Path, spread: bool = True) -> Detector:
    """The detector, following the decisions that stand beside the sources; itself where there are none.

    Args:
        detector: any.
        sources: the inputs of one run, which are one source.
        spread: find what was marked in one conversation in the others too. A private release must not: there one
            subject's talk would change the seeds of all.

    Raises:
        UsageError: a source has changed since it was reviewed.
    """
    review = review_of(*sources, spread=spread)
    return ReviewedDetector(detector, review) if review else detector  # type: ignore[return-value]


def review_of(*sources: Path, spread: bool) -> Review:
    """The decisions that stand beside the sources of one run; empty where there are none.

    Args:
        sources: see `reviewed`.
        spread: see `reviewed`.

    Raises:
        UsageError: a source has changed since it was reviewed.
    """
    from seed_engine.review import Review, StaleReviewError

    review = Review(spread)
    for source, prefix in zip(sources, id_prefixes(len(sources)), strict=True):
        path = reviewed_path(source)
        if not path.is_file():
            continue
        fault = None
        try:
            for conversation, decision in _met(source, prefix, dict(_decisions(path))):
                review.learn(conversation, decision)
        except StaleReviewError as error:
            fault = str(error)
        if fault:
            raise UsageError(f"{path}: {fault}; review it again or take the file away")
    return review


def _met(source: Path, prefix: str, decisions: dict[str, Decision]) -> Iterator[tuple[Conversation, Decision]]:
    """The reviewed conversations of one source, as the run names them; reviewed they were under their plain ids."""
    from seed_engine.readers import read_conversations
    from seed_engine.review import StaleReviewError

    plain, named = (read_conversations(source, skip_bad=True, prefix=text) for text in ("", prefix))
    for own, conversation in zip(plain, named, strict=True):
        if own.id in decisions:
            yield conversation, decisions.pop(own.id)
    if decisions:
        raise StaleReviewError("a reviewed conversation is not in the source any more")


def export_tasks(
    source: Path, output: Path, detector: Detector, conversations: Iterable[Conversation], key: Path | None = None
) -> dict[str, Any]:
    """Write Label Studio tasks, encrypted with a key, and beside them the labelling configuration (`.xml`).

    Returns:
        Counts, and where the configuration stands.
    """
    from seed_engine.embedding import MiniLM
    from seed_engine.extract import extract
    from seed_engine.label_studio import labelling_config, task

    config = output.with_suffix(".xml")
    if config == output or (config.exists() and not config.read_bytes().startswith(b"<View>")):
        raise UsageError(f"{config}: the labelling configuration goes there; name the tasks otherwise")
    embed = MiniLM()
    kinds: set[str] = set()
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for conversation in conversations:
            found = detector.detect_conversation(conversation)
            kinds.update(span.entity_type for turn in found for span in turn)
            seed = extract(conversation, found, "seed-000001", embed).seed
            opening = "[" if count == 0 else ","
            count += 1
            yield opening + json.dumps(task(conversation, found, seed), ensure_ascii=False)
        yield "]" if count else "[]"

    write_locked(output, lines(), key)
    write_lines(config, labelling_config(kinds).splitlines())
    return {"tasks": count, "config": str(config), "source": str(source)}


def import_tasks(tasks: Path, source: Path, key: Path | None = None) -> dict[str, Any]:
    """Read corrections back and write the decisions beside the source; those of earlier reviews stay.

    Returns:
        Counts of tasks reviewed and not, and of spans added and taken away against the prediction.

    Raises:
        UsageError: a task is of no conversation of the source, of one that another task is of, or not of its text; the
            place in the file is given.
    """
    from seed_engine.label_studio import regions

    records = named_once(tasks, key)
    try:
        done = {name: (place, item) for name, (place, item) in records.items() if regions(item) is not None}
    except (AttributeError, KeyError, TypeError):
        done = None
    if done is None:
        raise UsageError(f"{tasks}: annotations are not Label Studio's")
    path = reviewed_path(source)
    kept = {record["id"]: record for _, record in read_objects(path)} if path.is_file() else {}
    counts = {"reviewed": len(done), "unreviewed": len(records) - len(done), "spans": 0, "added": 0, "removed": 0}
    new = dict(_decided(source, done, counts, tasks))
    if missing := set(done) - set(new):
        place = min(done[name][0] for name in missing)
        raise UsageError(f"{tasks}: task {place}: no such conversation in the source")
    if new:
        write_lines(path, (json.dumps(record, ensure_ascii=False) for record in (kept | new).values()))
    return {"output": str(path), **counts}


def _decided(
    source: Path, done: dict[str, tuple[int, dict[str, Any]]], counts: dict[str, int], tasks: Path
) -> Iterator[tuple[str, dict[str, Any]]]:
    from seed_engine.label_studio import digest, regions, rendered, reviewed_text, spans_of
    from seed_engine.readers import read_conversations

    for conversation in read_conversations(source, skip_bad=True):
        if conversation.id not in done:
            continue
        place, item = done[conversation.id]
        # Offsets alone would fit another text as well: a name that was put in since would count as reviewed.
        fault = None if reviewed_text(item) == rendered(conversation)[0] else "its text is not the source's any more"
        try:
            turns = tuple(tuple(spans) for spans in spans_of(regions(item) or (), conversation))
            before = _predicted(item)
        except ValueError as error:
            fault = fault or str(error)
        except (AttributeError, KeyError, TypeError):
            fault = fault or "its regions are not Label Studio's"
        if fault is not None:
            raise UsageError(f"{tasks}: task {place}: {fault}")
        after = {(value["start"], value["end"]) for value in regions(item) or ()}
        counts["spans"] += len(after)
        counts["added"] += len(after - before)
        counts["removed"] += len(before - after)
        yield conversation.id, spans_record(conversation, turns) | {"digest": digest(conversation)}


def _predicted(item: dict[str, Any]) -> set[tuple[int, int]]:
    results = [region for made in item.get("predictions", ()) if isinstance(made, dict) for region in made["result"]]
    return {(region["value"]["start"], region["value"]["end"]) for region in results}


def _decisions(path: Path) -> Iterator[tuple[str, Decision]]:
    from seed_engine.review import Decision

    for number, record in read_objects(path):
        decided = None
        try:
            turns = record["turns"] if "turns" in record else [{"spans": record["spans"]}]
            spans = tuple(tuple(EntitySpan(**span) for span in turn["spans"]) for turn in turns)
            if all(map(_is_span, chain(*spans))):
                decided = str(record["id"]), Decision(str(record["digest"]), spans)
        except (TypeError, KeyError):
            pass
        if decided is None:
            raise UsageError(f"{path}:{number}: not a decision of a review")
        yield decided


def _is_span(span: EntitySpan) -> bool:
    from seed_engine.label_studio import RECOGNIZER, entity_types

    placed = type(span.start) is int and type(span.end) is int and 0 <= span.start < span.end
    return placed and span.entity_type in entity_types() and span.recognizer == RECOGNIZER


def _tasks(path: Path, key: Path | None) -> list[Any]:
    data = read_locked(path, key)
    try:
        value = strict_json(data)
    except ValueError:
        value = None
    if not isinstance(value, list):
        raise UsageError(f"{path}: not a JSON array of Label Studio tasks")
    return value


def named_once(tasks: Path, key: Path | None = None) -> dict[str, tuple[int, dict[str, Any]]]:
    """Tasks with their places by conversation; which of two reviews of one is right nobody here can tell."""
    records: dict[str, tuple[int, dict[str, Any]]] = {}
    for place, item in enumerate(_tasks(tasks, key), 1):
        name = _named(item, tasks, place)
        if name in records:
            raise UsageError(f"{tasks}: task {place}: of the same conversation as task {records[name][0]}")
        records[name] = place, item
    return records


def _named(item: Any, path: Path, place: int) -> str:
    """The conversation that a task is of."""
    data = item.get("data", item) if isinstance(item, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("conversation"), str):
        raise UsageError(f"{path}: task {place}: names no conversation")
    return str(data["conversation"])
