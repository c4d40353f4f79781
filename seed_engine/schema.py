"""Schema validation of seeds: every fault at once, as path and rule, without a value."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from seed_engine.markers import Marker, parse_marker
from seed_engine.published import SEED_ID, json_schema
from seed_engine.seed import Floors, FlowStep, Guarantee, Seed
from seed_engine.vocabulary import DomainProfile, Vocabulary, vocabulary

__all__ = ["Violation", "duplicate_ids", "json_schema", "violations"]

_ID = re.compile(SEED_ID)
_CLOSED = "not in the vocabulary"


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault: where it is and which rule it breaks; never what stands there."""

    path: str
    rule: str


def violations(record: Seed | dict[str, Any]) -> tuple[Violation, ...]:
    """All faults of a seed, of its form and of its labels alike; empty when it is valid.

    Args:
        record: a seed, or a JSON object that should be one. Read it with `strict_json`: a dict has forgotten that a
            key stood twice.
    """
    raw = record.model_dump(mode="json") if isinstance(record, Seed) else record
    form = () if isinstance(record, Seed) else tuple(_form_faults(record))
    known = {fault.path for fault in form}
    labels = _label_faults(raw, vocabulary()) if isinstance(raw, dict) else ()
    return (*form, *(fault for fault in labels if fault.path not in known))


def duplicate_ids(ids: Iterable[Any]) -> dict[int, Violation]:
    """The seeds of a file whose id an earlier one has, by place (0 is the first); two seeds of one name are a fault."""
    seen: set[str] = set()
    faults = {}
    for place, name in enumerate(ids):
        if isinstance(name, str):
            if name in seen:
                faults[place] = Violation("id", "another seed of this file has it")
            seen.add(name)
    return faults


def _form_faults(record: Any) -> Iterator[Violation]:
    try:
        text = json.dumps(record, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        text = ""
    try:
        Seed.model_validate_json(text, strict=True)
    except ValidationError as error:
        for fault in error.errors(include_input=False):
            yield Violation(_path(fault["loc"]), fault["type"])


def _label_faults(raw: dict[str, Any], known: Vocabulary) -> Iterator[Violation]:
    """Faults of the labels that are there; what is missing or of another type is a fault of form."""
    yield from _check("id", raw.get("id"), lambda text: _ID.fullmatch(text) is not None, "not a seed id")
    yield from _label("vocabulary_version", raw.get("vocabulary_version"), (known.version,))
    yield from _label("domain", raw.get("domain"), known.domains)
    yield from _label("language", raw.get("language"), known.languages)
    yield from _label("tone", raw.get("tone"), known.tones)
    yield from _label("turn_range", raw.get("turn_range"), known.turn_bands)
    facts = raw.get("facts")
    for name, band in facts.items() if isinstance(facts, dict) else ():
        if name != "age_band" or band not in known.age_bands:
            yield Violation("facts", "not a band of the vocabulary")
    name = raw.get("domain")
    profile = known.domains.get(name) if isinstance(name, str) else None
    yield from _label("objective", raw.get("objective"), _any(known, profile, "objectives"))
    roles = [role for role in _items(raw.get("roles")) if isinstance(role, str)]
    for i, role in enumerate(_items(raw.get("roles"))):
        yield from _label(f"roles[{i}]", role, _any(known, profile, "roles"))
    # A list that repeats itself, or names who never speaks, would be a place to count in.
    if len(set(roles)) != len(roles):
        yield Violation("roles", "a role is named twice")
    yield from _flow_faults(_items(raw.get("flow")), roles, profile, known)


def _flow_faults(
    flow: list[Any], roles: list[str], profile: DomainProfile | None, known: Vocabulary
) -> Iterator[Violation]:
    counts: Counter[str] = Counter()
    told: dict[Marker, str] = {}
    topics = _any(known, profile, "topics")
    for i, step in enumerate(flow):
        if not isinstance(step, dict):
            continue
        yield from _label(f"flow[{i}].role", step.get("role"), roles)
        yield from _label(f"flow[{i}].act", step.get("act"), known.dialogue_acts)
        yield from _label(f"flow[{i}].topic", step.get("topic"), topics)
        yield from _slot_faults(f"flow[{i}].slots", _items(step.get("slots")), counts, told, known)


def _slot_faults(
    path: str, slots: list[Any], counts: Counter[str], told: dict[Marker, str], known: Vocabulary
) -> Iterator[Violation]:
    for i, slot in enumerate(slots):
        if not isinstance(slot, str) or slot in known.slots:
            continue
        try:
            marker = parse_marker(slot)
        except ValueError:
            yield Violation(f"{path}[{i}]", "neither a slot label nor a role marker")
            continue
        if marker.kind not in known.marker_kinds:
            yield Violation(f"{path}[{i}]", "unknown marker kind")
        origin = marker.reference
        if not marker.fits or (origin is not None and origin.number > counts[origin.kind]):
            yield Violation(f"{path}[{i}]", "a note that its kind does not have, or that counts from nothing before it")
        # Nobody is her daughter and her son, and a date that moves between mentions would be a place to count in.
        if marker.note and told.setdefault(marker, marker.note) != marker.note:
            yield Violation(f"{path}[{i}]", "another note than an earlier mention of it has")
        # A number of six digits can carry a postcode; numbers that count up from 1 carry nothing.
        if marker.number > counts[marker.kind] + 1:
            yield Violation(f"{path}[{i}]", "markers of a kind are not numbered from 1 in order of mention")
        counts[marker.kind] = max(counts[marker.kind], marker.number)
    texts = [slot for slot in slots if isinstance(slot, str)]
    if len(set(texts)) != len(texts):
        yield Violation(path, "a slot is named twice")


def _any(known: Vocabulary, profile: DomainProfile | None, part: str) -> Collection[str]:
    """The labels of the domain, or of all when the domain itself is a fault."""
    profiles = known.domains.values() if profile is None else (profile,)
    return {label for item in profiles for label in getattr(item, part)}


def _label(path: str, value: Any, allowed: Collection[str]) -> Iterator[Violation]:
    rule = "unknown vocabulary version" if path == "vocabulary_version" else _CLOSED
    return _check(path, value, lambda text: text in allowed, rule)


def _check(path: str, value: Any, holds: Any, rule: str) -> Iterator[Violation]:
    if isinstance(value, str) and not holds(value):
        yield Violation(path, rule)


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _path(location: tuple[int | str, ...]) -> str:
    # Keys of extra fields come from the input, so only names that the schema knows are shown.
    names = set(Seed.model_fields) | set(FlowStep.model_fields) | set(Guarantee.model_fields) | set(Floors.model_fields)
    names.add("age_band")
    parts = [f"[{part}]" if isinstance(part, int) else f".{part if part in names else '?'}" for part in location]
    return "".join(parts).lstrip(".")
