"""Schema validation of seeds: every fault at once, as path and rule, without a value."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from seed_engine.markers import parse_marker
from seed_engine.seed import Seed
from seed_engine.vocabulary import Vocabulary, vocabulary

SEED_ID = re.compile(r"seed-[0-9]{6,12}")


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault: where it is and which rule it breaks; never what stands there."""

    path: str
    rule: str


def violations(record: Seed | dict[str, Any]) -> tuple[Violation, ...]:
    """All faults of a seed; empty when it is valid.

    Args:
        record: a seed, or a JSON object that should be one.
    """
    if isinstance(record, Seed):
        return tuple(_label_faults(record, vocabulary()))
    try:
        seed = Seed.model_validate_json(json.dumps(record), strict=True)
    except ValidationError as error:
        return tuple(Violation(_path(fault["loc"]), fault["type"]) for fault in error.errors(include_input=False))
    return tuple(_label_faults(seed, vocabulary()))


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of a seed (draft 2020-12), its vocabulary as enumerations."""
    known = vocabulary()
    schema = Seed.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    step = schema["$defs"]["FlowStep"]["properties"]
    profiles = known.domains.values()
    enums: list[tuple[dict[str, Any], Collection[str]]] = [
        (schema["properties"]["domain"], known.domains),
        (schema["properties"]["language"], known.languages),
        (schema["properties"]["roles"]["items"], known.roles),
        (schema["properties"]["objective"], [item for profile in profiles for item in profile.objectives]),
        (schema["properties"]["tone"], known.tones),
        (schema["properties"]["turn_range"], known.turn_bands),
        (step["role"], known.roles),
        (step["act"], known.dialogue_acts),
        (step["topic"], [item for profile in profiles for item in profile.topics]),
    ]
    for place, labels in enums:
        place["enum"] = list(dict.fromkeys(labels))
    schema["properties"]["id"]["pattern"] = f"^{SEED_ID.pattern}$"
    kinds = "|".join(known.marker_kinds)
    step["slots"]["items"] = {
        "anyOf": [{"enum": list(known.slots)}, {"type": "string", "pattern": rf"^\[({kinds})_[1-9][0-9]{{0,5}}\]$"}]
    }
    schema["properties"]["facts"] = {
        "type": "object",
        "properties": {"age_band": {"enum": list(known.age_bands)}},
        "additionalProperties": False,
    }
    return schema


def _label_faults(seed: Seed, known: Vocabulary) -> Iterator[Violation]:
    if SEED_ID.fullmatch(seed.id) is None:
        yield Violation("id", "not a seed id")
    if seed.vocabulary_version != known.version:
        yield Violation("vocabulary_version", "unknown vocabulary version")
    if seed.domain not in known.domains:
        yield Violation("domain", "not in the vocabulary")
        return
    profile = known.domains[seed.domain]
    checks: list[tuple[str, str, Collection[str]]] = [
        ("language", seed.language, known.languages),
        ("objective", seed.objective, profile.objectives),
        ("tone", seed.tone, known.tones),
        ("turn_range", seed.turn_range, known.turn_bands),
    ]
    checks += [(f"roles[{i}]", role, profile.roles) for i, role in enumerate(seed.roles)]
    for i, step in enumerate(seed.flow):
        checks.append((f"flow[{i}].role", step.role, seed.roles))
        checks.append((f"flow[{i}].act", step.act, known.dialogue_acts))
        checks.append((f"flow[{i}].topic", step.topic, profile.topics))
    for path, value, allowed in checks:
        if value not in allowed:
            yield Violation(path, "not in the vocabulary")
    for i, step in enumerate(seed.flow):
        yield from _slot_faults(f"flow[{i}].slots", step.slots, known)
    for name, band in seed.facts.items():
        if name != "age_band" or band not in known.age_bands:
            yield Violation("facts", "not a band of the vocabulary")


def _slot_faults(path: str, slots: tuple[str, ...], known: Vocabulary) -> Iterator[Violation]:
    for i, slot in enumerate(slots):
        if slot in known.slots:
            continue
        try:
            kind = parse_marker(slot).kind
        except ValueError:
            yield Violation(f"{path}[{i}]", "neither a slot label nor a role marker")
            continue
        if kind not in known.marker_kinds:
            yield Violation(f"{path}[{i}]", "unknown marker kind")
    if len(set(slots)) != len(slots):
        yield Violation(path, "a slot is named twice")


def _path(location: tuple[int | str, ...]) -> str:
    # Keys of extra fields come from the input, so only names that the schema knows are shown.
    names = set(Seed.model_fields) | {"role", "act", "topic", "slots"}
    parts = [f"[{part}]" if isinstance(part, int) else f".{part if part in names else '?'}" for part in location]
    return "".join(parts).lstrip(".")
