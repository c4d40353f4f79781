"""People's decisions on special-care labels: tasks out, decisions back into the set's folder, bound to their texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.errors import UsageError
from flows.records_io import read_objects, write_lines
from seed_engine.sensitive.build_config import BuildConfig
from seed_engine.sensitive.build_records import Labelling, Opinion, text_digest
from seed_engine.sensitive.build_tasks import decision, labelling_config, task
from seed_engine.sensitive.scan_documents import Document
from seed_engine.strict_json import strict_json

CORRECTIONS = "corrections.jsonl"
Documents = Iterable[tuple[str, Document]]


def write_tasks(path: Path, wanted: dict[str, Labelling], documents: Documents, config: BuildConfig) -> int:
    """Write Label Studio tasks and, beside them, the labelling configuration (`.xml`); both hold what the source does.

    Args:
        path: tasks.json.
        wanted: labellings by digest of their text.
        documents: the source.
        config: categories on offer.

    Returns:
        How many tasks.

    Raises:
        UsageError: the configuration would overwrite something else.
    """
    beside = path.with_suffix(".xml")
    if beside == path or (beside.exists() and not beside.read_bytes().startswith(b"<View>")):
        raise UsageError(f"{beside}: the labelling configuration goes there; name the tasks otherwise")
    rest = dict(wanted)

    def lines() -> Iterator[str]:
        for _, document in documents:
            labelling = rest.pop(text_digest(document.text), None)
            if labelling is not None:
                opening = "[" if len(rest) + 1 == len(wanted) else ","
                yield opening + json.dumps(task(document.text, labelling), ensure_ascii=False)
        yield "]" if wanted else "[]"

    write_lines(path, lines())
    write_lines(beside, labelling_config(_offered(config)).splitlines())
    return len(wanted) - len(rest)


def take_corrections(
    folder: Path, tasks: Path | None, documents: Callable[[], Documents], config: BuildConfig
) -> dict[str, Opinion]:
    """Every decision so far, by digest of its text; new ones are kept in the folder, labels and offsets only.

    Args:
        folder: of the set.
        tasks: Label Studio's export; None takes nothing new.
        documents: the source, read once more.
        config: categories on offer.

    Raises:
        UsageError: a task is none, of no text of the source, or its labels are not on offer; told by its place.
    """
    path = folder / CORRECTIONS
    kept = dict(_kept(path)) if path.is_file() else {}
    if tasks is None:
        return kept
    waiting = _tasks(tasks)
    new: dict[str, Opinion] = {}
    for _, document in documents():
        digest = text_digest(document.text)
        if digest in waiting:
            place, record = waiting.pop(digest)
            found = _decided(tasks, place, record, document.text, config)
            new |= {} if found is None else {digest: found}
    if waiting:
        place = min(place for place, _ in waiting.values())
        raise UsageError(f"{tasks}: task {place}: of no text of the source")
    kept |= new
    write_lines(path, (json.dumps({"digest": digest} | item.model_dump()) for digest, item in kept.items()))
    return kept


def _decided(tasks: Path, place: int, record: dict[str, Any], text: str, config: BuildConfig) -> Opinion | None:
    try:
        return decision(record, text, _offered(config))
    except ValueError as error:
        fault = str(error) if not isinstance(error, ValidationError) else "its labels are not Label Studio's"
    except (AttributeError, KeyError, TypeError):
        fault = "its labels are not Label Studio's"
    raise UsageError(f"{tasks}: task {place}: {fault}")


def _tasks(path: Path) -> dict[str, tuple[int, dict[str, Any]]]:
    """Tasks with their places, by the digest of their text."""
    try:
        value = strict_json(path.read_bytes())
    except ValueError:
        value = None
    if not isinstance(value, list):
        raise UsageError(f"{path}: not a JSON array of Label Studio tasks")
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for place, item in enumerate(value, 1):
        data = item.get("data") if isinstance(item, dict) else None
        digest = data.get("digest") if isinstance(data, dict) else None
        if not isinstance(digest, str) or digest in found:
            raise UsageError(f"{path}: task {place}: names no text, or one that another task is of")
        found[digest] = place, item
    return found


def _kept(path: Path) -> Iterator[tuple[str, Opinion]]:
    for number, record in read_objects(path):
        try:
            digest = str(record.pop("digest"))
            found = Opinion.model_validate(record)
        except (ValidationError, AttributeError, KeyError, TypeError):
            found = None
        if found is None:
            raise UsageError(f"{path}:{number}: not a decision of a person")
        yield digest, found


def _offered(config: BuildConfig) -> tuple[str, ...]:
    return (*config.categories, *config.added)
