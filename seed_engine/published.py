"""The published JSON Schema of a seed: the closed alphabet written out, for readers that are not this program."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from seed_engine.markers import MARKER_TAIL
from seed_engine.seed import Seed
from seed_engine.vocabulary import vocabulary

# A running number: six digits, a seventh only when they run out, so that it holds no telephone and no date.
SEED_ID = r"seed-(?:[0-9]{6}|[1-9][0-9]{6})"


def json_schema() -> dict[str, Any]:
    """JSON Schema of a seed (draft 2020-12), its vocabulary as enumerations.

    What it cannot say, `violations` checks besides: labels that belong to another domain, markers that do not count
    from 1 in order of mention.
    """
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
    schema["properties"]["id"]["pattern"] = f"^{SEED_ID}$"
    schema["properties"]["roles"]["uniqueItems"] = True
    kinds = "|".join(known.marker_kinds)
    step["slots"]["uniqueItems"] = True
    step["slots"]["items"] = {
        "anyOf": [
            {"enum": list(known.slots)},
            {"type": "string", "pattern": rf"^\[({kinds})_[1-9][0-9]{{0,3}}{MARKER_TAIL}\]$"},
        ]
    }
    schema["properties"]["facts"] = {
        "type": "object",
        "properties": {"age_band": {"enum": list(known.age_bands)}},
        "additionalProperties": False,
    }
    return schema
