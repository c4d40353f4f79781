"""Faults of UNCASE's seeds: of their form, and personal data in the free text that they carry."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from seed_engine.schema import Violation
from seed_engine.spans import EntitySpan
from seed_engine.uncase.records import UncaseSeed

# UNCASE's markers carry no number; they stand for nobody.
_MARKER = re.compile(r"\[[A-Z][A-Z_]{1,20}\]")
Find = Callable[[Sequence[str], str], Sequence[Sequence[EntitySpan]]]
# Labels are short and out of context, where a detector guesses; what only guessing found is no fault. The classifier's
# word alone reaches 0.7, a number that no pattern knows is rather a price range.
_SURE, _SURE_OF_NUMBERS = 0.66, 0.75
_NAMES = frozenset({"PERSON", "LOCATION", "AGE", "NRP"})
_SAFE = frozenset({"version", "dominio", "created_at", "updated_at"})


def is_uncase(record: object) -> bool:
    """Whether a JSON value means to be a seed of UNCASE."""
    return isinstance(record, dict) and "dominio" in record and ("objetivo" in record or "pasos_turnos" in record)


def read_uncase(record: dict[str, Any]) -> UncaseSeed | None:
    """The record, or None when its form is at fault (`uncase_violations` says how)."""
    try:
        return UncaseSeed.model_validate(record)
    except ValidationError:
        return None


def uncase_violations(record: dict[str, Any], find: Find | None = None) -> tuple[Violation, ...]:
    """All faults: of the form by field and rule, of the free text by field and the type of what was found in it.

    Args:
        record: a JSON object.
        find: spans of personal data in texts of a language (ISO 639-1); None leaves the free text unchecked.
    """
    try:
        seed = UncaseSeed.model_validate(record)
    except ValidationError as error:
        return tuple(Violation(_path(fault["loc"]), fault["type"]) for fault in error.errors(include_input=False))
    texts = tuple(free_text(seed))
    if find is None or not texts:
        return ()
    found = find([_MARKER.sub(lambda match: " " * len(match[0]), text) for _, text in texts], seed.idioma)
    return tuple(
        Violation(path, f"free text holds {kind}")
        for (path, _), spans in zip(texts, found, strict=True)
        for kind in dict.fromkeys(span.entity_type for span in spans if _sure(span))
    )


def _sure(span: EntitySpan) -> bool:
    return span.score >= (_SURE if span.entity_type in _NAMES else _SURE_OF_NUMBERS)


def free_text(seed: UncaseSeed) -> Iterator[tuple[str, str]]:
    """Yield `(path, text)` for every string of a seed that is no constant, keys of its maps among them."""
    for name, value in seed.dump().items():
        if name not in _SAFE:
            yield from _strings(name, value)


def _strings(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        # Names are written with underscores, which hide them from a detector.
        yield path, value.replace("_", " ")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _strings(f"{path}[{i}]", item)
    elif isinstance(value, dict):
        for i, (key, item) in enumerate(value.items()):
            known = key in _FIELDS
            if not known:
                yield f"{path}.?{i}", key.replace("_", " ")
            yield from _strings(f"{path}.{key if known else f'?{i}'}", item)


def _fields(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _fields(part)


_FIELDS = frozenset(_fields(json.loads(json.dumps(UncaseSeed.model_json_schema()))))


def _path(location: tuple[int | str, ...]) -> str:
    # Keys of maps and of extra fields come from the input.
    parts = [f"[{part}]" if isinstance(part, int) else f".{part if part in _FIELDS else '?'}" for part in location]
    return "".join(parts).lstrip(".")
