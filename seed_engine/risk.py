"""Document risk: what the personal data found in a text would cost, which laws it touches, and what to do.

The tables are data (`data/risk.json`). A report holds types, counts and rules, never text.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from pydantic import Field

from seed_engine.conversation import Boundary, Conversation
from seed_engine.kinds import marker_kind
from seed_engine.risk_facts import kind_of, tag_of, tells_health, tells_sex
from seed_engine.sensitive.attributes import sensitive_spans
from seed_engine.sensitive.categories import category
from seed_engine.spans import EntitySpan

# Bands of the score and the least score of each, for summaries; the score itself decides nothing.
BANDS = (("low", 0), ("medium", 25), ("high", 50), ("very high", 75))


class Combination(Boundary):
    """Finds that together single out a person.

    Attributes:
        name: the parts, in words.
        chance: estimated share of people that it singles out, in [0, 1].
        source: where the estimate is from.
        nameless: whether it does so without a name; a name tells who it is in any case.
    """

    name: str
    chance: float = Field(ge=0, le=1)
    source: str
    nameless: bool


class HipaaIdentifier(Boundary):
    """One of the 18 identifiers of the Safe Harbor method, 45 CFR 164.514(b)(2)(i).

    Attributes:
        number: 1 to 18, in the rule's order.
        name: what it is.
        count: finds of it, >= 0; each find is counted under one identifier.
        types: the entity types found; empty where a word of the text tells (photographs, biometrics).
    """

    number: int = Field(ge=1, le=18)
    name: str
    count: int = Field(ge=0)
    types: tuple[str, ...] = ()


class RiskReport(Boundary):
    """Risk of one document or conversation.

    Attributes:
        id: of the document.
        score: 0 (nothing found) to 100; the larger of the weighted finds and the likeliest combination that singles a
            person out without a name.
        types: finds by entity type.
        attributes: facts about somebody that the law protects, by category of `seed_engine.sensitive.categories`.
        regulations: rules touched, by law, each with the entity types or attributes that touch it; `HEALTH` is no find
            but what the text speaks of.
        hipaa: all 18 Safe Harbor identifiers, touched or not.
        combinations: those present, likeliest first.
        advice: what to do, most pressing first.
    """

    schema_version: str = "1"
    id: str
    score: float = Field(ge=0, le=100)
    types: dict[str, int]
    attributes: dict[str, int] = Field(default_factory=dict)
    regulations: dict[str, dict[str, tuple[str, ...]]]
    hipaa: tuple[HipaaIdentifier, ...]
    combinations: tuple[Combination, ...]
    advice: tuple[str, ...]


def assess(
    id: str, texts: Sequence[str], found: Sequence[Iterable[EntitySpan]], language: str | None = None
) -> RiskReport:
    """Assess one document.

    Args:
        id: of the document, repeated in the report.
        texts: its turns (a document is one turn).
        found: spans of each turn.
        language: ISO 639-1; None looks for no protected attributes.
    """
    finds: list[_Find] = []
    for text, spans in zip(texts, found, strict=True):
        finds += [_Find(kind_of(text, span), tag_of(text, span)) for span in spans]
    types = Counter(find.kind for find in finds)
    facts = {*types, *(find.tag for find in finds if find.tag is not None)}
    if any(map(tells_sex, texts)):
        facts.add("SEX")
    combinations = tuple(
        Combination(
            name=item["name"], chance=item["chance"], source=item["source"], nameless="PERSON" not in item["needs"]
        )
        for item in sorted(_tables()["combinations"], key=lambda item: -item["chance"])
        if facts.issuperset(item["needs"])
    )
    hipaa = _hipaa(finds, texts)
    attributes = Counter(span.category for text in texts for span in sensitive_spans(text, language or ""))
    health = tells_health(texts) or "gdpr_health" in attributes
    about = {"HEALTH"} if types and health else set()
    nameless = (100 * item.chance for item in combinations if item.nameless)
    return RiskReport(
        id=id,
        score=round(max((_weighted(types, about), *nameless)), 2),
        types=dict(sorted(types.items())),
        attributes=dict(sorted(attributes.items())),
        regulations=_with_attributes(_regulations({*types, *about}, hipaa), attributes),
        hipaa=hipaa,
        combinations=combinations,
        advice=_advice(types, combinations),
    )


def assess_conversation(conversation: Conversation, found: Sequence[Iterable[EntitySpan]]) -> RiskReport:
    """Assess a conversation or document; the speakers' names, where its format has them, are finds too.

    Args:
        conversation: of any form.
        found: spans of each of its turns.
    """
    names = sorted({turn.name for turn in conversation.turns if turn.name})
    labels = [(EntitySpan(0, len(name), "PERSON", 1.0, "speaker_name"),) for name in names]
    texts = [*(turn.text for turn in conversation.turns), *names]
    return assess(conversation.id, texts, [*found, *labels], conversation.language or "en")


def band(score: float) -> str:
    """The name of a score's band."""
    return next(name for name, least in reversed(BANDS) if score >= least)


def weight(entity_type: str) -> float:
    """Weight of one find of a type, 1 (organisation) to 10 (social security number)."""
    weights: dict[str, float] = _tables()["weights"]
    return weights[_family(entity_type)]


class _Find(NamedTuple):
    kind: str
    tag: str | None


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads((files("seed_engine") / "data" / "risk.json").read_text("utf-8"))
    return tables


def _is_national(entity_type: str) -> bool:
    """Whether a type is a country's number of its people: `NATIONAL_ID`, or a country's own (`FR_NIR`, `MX_CURP`)."""
    own = _COUNTRY.match(entity_type) is not None and entity_type not in _tables()["weights"]
    return marker_kind(entity_type) == "NATIONAL_ID" or (own and marker_kind(entity_type) == "ID")


_COUNTRY = re.compile(r"[A-Z]{2}_")


def _family(kind: str) -> str:
    """The type of the tables that a country's own type belongs to (`US_PASSPORT`, `UK_DRIVING_LICENCE`)."""
    if kind in _tables()["weights"]:
        return kind
    return "NATIONAL_ID" if _is_national(kind) else _FAMILIES.get(marker_kind(kind), "ID_OTHER")


_FAMILIES = {
    "PASSPORT": "PASSPORT",
    "DRIVER_LICENSE": "DRIVER_LICENSE",
    "BANK_ACCOUNT": "BANK_ACCOUNT",
    "INSURANCE": "INSURANCE_ID",
    "VEHICLE": "VEHICLE_ID",
    "RECORD": "MEDICAL_RECORD",
    "PHONE": "PHONE_NUMBER",
    "EMAIL": "EMAIL_ADDRESS",
    "DATE": "DATE_TIME",
    "LOCATION": "LOCATION",
    "URL": "URL",
    "IP": "IP_ADDRESS",
}


def _weighted(types: Counter[str], about: Iterable[str]) -> float:
    """100 * (1 - exp(-sum(w * (1 + ln n)) / saturation)): a second find of a type adds less than the first."""
    total = sum(weight(kind) * (1 + math.log(count)) for kind, count in types.items()) + sum(map(weight, about))
    return 100 * (1 - math.exp(-total / _tables()["saturation"]))


def _touches(kind: str, listed: Sequence[str]) -> bool:
    # A company is nobody; only beside other finds does it tell about a person.
    if "*" in listed:
        return kind != "ORGANIZATION"
    if kind in listed or _family(kind) in listed:
        return True
    return _is_national(kind) and "NATIONAL_ID" in listed


def _regulations(types: Iterable[str], hipaa: Iterable[HipaaIdentifier]) -> dict[str, dict[str, tuple[str, ...]]]:
    touched: dict[str, dict[str, tuple[str, ...]]] = {}
    for law, rules in _tables()["regulations"].items():
        by_rule = {
            rule: tuple(sorted(kind for kind in types if _touches(kind, listed))) for rule, listed in rules.items()
        }
        if kept := {rule: kinds for rule, kinds in by_rule.items() if kinds}:
            touched[law] = kept
    if rules := {f"Safe Harbor {item.number}: {item.name}": item.types for item in hipaa if item.types}:
        touched["HIPAA"] = rules
    return touched


def _with_attributes(
    touched: dict[str, dict[str, tuple[str, ...]]], attributes: Iterable[str]
) -> dict[str, dict[str, tuple[str, ...]]]:
    for name in attributes:
        law, _, rule = category(name).source.partition(" ")
        rules = touched.setdefault(law, {})
        rules[rule] = tuple(sorted({*rules.get(rule, ()), name}))
    return touched


def _hipaa(finds: Iterable[_Find], texts: Sequence[str]) -> tuple[HipaaIdentifier, ...]:
    table = _tables()["hipaa"]
    kinds: dict[int, Counter[str]] = {item["number"]: Counter() for item in table}
    for find in finds:
        if (number := _identifier(find)) is not None:
            kinds[number][find.kind] += 1
    rows = []
    for item in table:
        counted = kinds[item["number"]]
        cue = rf"\b(?:{item['cue']})\b" if "cue" in item else None
        words = sum(len(re.findall(cue, text, re.I)) for text in texts) if cue is not None else 0
        rows.append(
            HipaaIdentifier(
                number=item["number"], name=item["name"], count=counted.total() + words, types=tuple(sorted(counted))
            )
        )
    return tuple(rows)


def _identifier(find: _Find) -> int | None:
    """The one Safe Harbor identifier that a find is: by what its value tells, by its own type, by its family."""
    table = _tables()["hipaa"]
    tests: tuple[Callable[[dict[str, Any]], bool], ...] = (
        lambda item: find.tag is not None and find.tag in item.get("tags", ()),
        lambda item: find.kind in item["types"],
        lambda item: _touches(find.kind, item["types"]),
    )
    return next((item["number"] for test in tests for item in table if test(item)), None)


def _advice(types: Counter[str], combinations: Sequence[Combination]) -> tuple[str, ...]:
    table: dict[str, str] = _tables()["advice"]
    lines = [
        f"Break up the combination {item.name}: it singles out {item.chance:.0%} of people." for item in combinations
    ]
    for kind in sorted(types, key=lambda kind: (-weight(kind), kind)):
        line = table.get(_family(kind)) or table.get("NATIONAL_ID" if _is_national(kind) else marker_kind(kind))
        if line is not None and line not in lines:
            lines.append(line)
    return tuple(lines)
