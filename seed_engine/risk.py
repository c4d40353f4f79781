"""Document risk: what the personal data found in a text would cost, which laws it touches, and what to do.

The tables are data (`data/risk.json`). A report holds types, counts and rules, never text.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from seed_engine.conversation import Boundary
from seed_engine.kinds import marker_kind
from seed_engine.spans import EntitySpan

_SEX = re.compile(
    r"\b(?:fe)?male\b|\b(?:wo)?man\b|\bgirl\b|\bboy\b|\bmujer\b|\bhombre\b|\bvarón\b|\bsexo: ?[hmv]\b|\bsex: ?[mf]\b",
    re.I,
)
_POSTCODE = re.compile(r"\b\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|〒|\b\d{4} ?[A-Z]{2}\b")
_OLDEST = 89


class Combination(Boundary):
    """Finds that together single out a person.

    Attributes:
        name: the parts, in words.
        chance: estimated share of people that it singles out, in [0, 1].
        source: where the estimate is from.
    """

    name: str
    chance: float = Field(ge=0, le=1)
    source: str


class HipaaIdentifier(Boundary):
    """One of the 18 identifiers of the Safe Harbor method, 45 CFR 164.514(b)(2)(i).

    Attributes:
        number: 1 to 18, in the rule's order.
        name: what it is.
        count: finds of it, >= 0.
    """

    number: int = Field(ge=1, le=18)
    name: str
    count: int = Field(ge=0)


class RiskReport(Boundary):
    """Risk of one document or conversation.

    Attributes:
        id: of the document.
        score: 0 (nothing found) to 100; the larger of the weighted finds and the likeliest combination.
        types: finds by entity type.
        regulations: rules touched, by law, each with the entity types that touch it.
        hipaa: all 18 Safe Harbor identifiers, touched or not.
        combinations: those present, likeliest first.
        advice: what to do, most pressing first.
    """

    schema_version: str = "1"
    id: str
    score: float = Field(ge=0, le=100)
    types: dict[str, int]
    regulations: dict[str, dict[str, tuple[str, ...]]]
    hipaa: tuple[HipaaIdentifier, ...]
    combinations: tuple[Combination, ...]
    advice: tuple[str, ...]


def assess(id: str, texts: Sequence[str], found: Sequence[Iterable[EntitySpan]]) -> RiskReport:
    """Assess one document.

    Args:
        id: of the document, repeated in the report.
        texts: its turns (a document is one turn).
        found: spans of each turn.
    """
    types: Counter[str] = Counter()
    facts: set[str] = set()
    for text, spans in zip(texts, found, strict=True):
        for span in spans:
            types[span.entity_type] += 1
            facts |= _facts(text[span.start : span.end], span)
        if _SEX.search(text):
            facts.add("SEX")
    combinations = tuple(
        Combination(name=item["name"], chance=item["chance"], source=item["source"])
        for item in sorted(_tables()["combinations"], key=lambda item: -item["chance"])
        if facts.issuperset(item["needs"])
    )
    return RiskReport(
        id=id,
        score=round(max(_weighted(types), *(100 * item.chance for item in combinations), 0.0), 2),
        types=dict(sorted(types.items())),
        regulations=_regulations(types),
        hipaa=_hipaa(types, facts, texts),
        combinations=combinations,
        advice=_advice(types, combinations),
    )


def weight(entity_type: str) -> float:
    """Weight of one find of a type, 1 (organisation) to 10 (social security number)."""
    weights: dict[str, float] = _tables()["weights"]
    if entity_type in weights:
        return weights[entity_type]
    return float(_tables()["other_national_id"]) if _is_national(entity_type) else weights["ID_OTHER"]


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads((files("seed_engine") / "data" / "risk.json").read_text("utf-8"))
    return tables


def _is_national(entity_type: str) -> bool:
    return marker_kind(entity_type) == "NATIONAL_ID"


def _facts(value: str, span: EntitySpan) -> set[str]:
    facts = {span.entity_type}
    if span.entity_type == "LOCATION" and _POSTCODE.search(value):
        facts.add("POSTCODE")
    if span.entity_type == "AGE" and any(int(age) > _OLDEST for age in re.findall(r"\d{1,3}", value)):
        facts.add("AGE_OVER_89")
    return facts


def _weighted(types: Counter[str]) -> float:
    """100 * (1 - exp(-sum(w * (1 + ln n)) / saturation)): a second find of a type adds less than the first."""
    total = sum(weight(kind) * (1 + math.log(count)) for kind, count in types.items())
    return 100 * (1 - math.exp(-total / _tables()["saturation"]))


def _touches(kind: str, listed: Sequence[str]) -> bool:
    return "*" in listed or kind in listed or (_is_national(kind) and "NATIONAL_ID" in listed)


def _regulations(types: Counter[str]) -> dict[str, dict[str, tuple[str, ...]]]:
    touched: dict[str, dict[str, tuple[str, ...]]] = {}
    for law, rules in _tables()["regulations"].items():
        by_rule = {
            rule: tuple(sorted(kind for kind in types if _touches(kind, listed))) for rule, listed in rules.items()
        }
        if kept := {rule: kinds for rule, kinds in by_rule.items() if kinds}:
            touched[law] = kept
    if any(item["types"] and any(_touches(kind, item["types"]) for kind in types) for item in _tables()["hipaa"]):
        rule = "45 CFR 164.514(b)(2)(i) Safe Harbor identifiers"
        touched["HIPAA"] = {rule: tuple(sorted(types))}
    return touched


def _hipaa(types: Counter[str], facts: set[str], texts: Sequence[str]) -> tuple[HipaaIdentifier, ...]:
    rows = []
    for item in _tables()["hipaa"]:
        count = sum(n for kind, n in types.items() if _touches(kind, item["types"]))
        if "AGE" in item["types"] and "AGE_OVER_89" not in facts:
            count -= types["AGE"]
        if cue := item.get("cue"):
            seen = sum(len(re.findall(rf"\b{cue}\w*", text, re.I)) for text in texts)
            count = min(count, seen) if item["types"] else seen
        rows.append(HipaaIdentifier(number=item["number"], name=item["name"], count=count))
    return tuple(rows)


def _advice(types: Counter[str], combinations: Sequence[Combination]) -> tuple[str, ...]:
    table: dict[str, str] = _tables()["advice"]
    lines = [
        f"Break up the combination {item.name}: it singles out {item.chance:.0%} of people." for item in combinations
    ]
    for kind in sorted(types, key=lambda kind: (-weight(kind), kind)):
        line = table.get(kind) or (table["NATIONAL_ID"] if _is_national(kind) else table.get(marker_kind(kind)))
        if line is not None and line not in lines:
            lines.append(line)
    return tuple(lines)
