"""The catalogue of sentence templates: read once, checked, and looked up by dialogue act, topic and role.

A template is a sentence with `{slot}` places (lower case, filled from the scenario), `{KIND}` places (upper case,
filled with a marker of the step), `(one|or|another)` alternatives, and at its end `~key` marks: what a question asks
for, or what an answer answers. A question about the duration and an answer that holds `{duration}` find each other
that way. `<the parcel/it>` is the first where nobody has just said it, else the second. Questions whose answers are
written with them stand in `generator.exchanges`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from generator.errors import TemplateError
from generator.exchanges import Exchange, read_exchanges
from seed_engine.vocabulary import DomainProfile, vocabulary

ANY = "*"
REPLY = "re_"
ASKS = "asks_"
# Marks what is said once nothing else is.
LEAVING = "leaving"
# Marks what is said to one kind of question alone: to a check of what is to be arranged ("that works") or of what is so
# ("that's right"), or to an either-or.
TO_ONE_KIND = frozenset({"check", "so", "choice"})
PLACE = re.compile(r"\{([A-Za-z_]+)\}")
_KEYS = re.compile(r"(?:\s~\w+)+$")


@dataclass(frozen=True, slots=True)
class Line:
    """One template.

    Attributes:
        text: the sentence, with places and alternatives.
        keys: what it asks for or answers: `~` marks and its places.
        slots: lower-case places.
        kinds: upper-case places, in order, with repetition.
    """

    text: str
    keys: frozenset[str]
    slots: frozenset[str]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """Values that belong together (a product and how it fails), and the topics they suit (none: all)."""

    topics: tuple[str, ...]
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All templates of a domain in a language.

    Attributes:
        lines: by (act, topic, role); topic and role may be `*`.
        clauses: what is added for a slot or marker that no line holds, by (name or name/topic, mood); moods are
            `state`, `ask` and `self`.
        scenarios: one is drawn for each conversation.
        values: independent value lists by place.
        topics: how a topic is called in a sentence.
        moods: sentences that carry a tone or a manner, by its name.
        fits: by topic, the slots that its own lines know of, and that a turn about it may therefore mention.
        replies: what can be said to an exchange's opening line, by the exchange's key and sign; their own key is that
            key after `REPLY`.
    """

    lines: dict[tuple[str, str, str], tuple[Line, ...]]
    clauses: dict[tuple[str, str], tuple[Line, ...]]
    scenarios: tuple[Scenario, ...]
    values: dict[str, tuple[str, ...]]
    topics: dict[str, tuple[str, ...]]
    moods: dict[str, tuple[Line, ...]]
    fits: dict[str, frozenset[str]]
    replies: dict[str, dict[str, tuple[Line, ...]]]


@cache
def catalogue(domain: str, language: str) -> Catalogue:
    """The domain's templates on top of those that every domain shares.

    A domain that a user added has no templates; its topics are then called as its profile says.

    Raises:
        TemplateError: there is no such file, or it breaks the form.
    """
    profile = vocabulary().domains.get(domain)
    common = _read(f"common.{language}.json")
    own = _bare(profile, language) if profile is not None and profile.own else _read(f"{domain}.{language}.json")
    exchanges = read_exchanges("common", language) + read_exchanges(domain, language)
    lines = _with_openers(_lines(common) | _lines(own), exchanges)
    return Catalogue(
        lines=lines,
        clauses=_clauses(common) | _clauses(own),
        scenarios=tuple(_scenario(raw) for raw in own["scenarios"]),
        values={name: tuple(items) for part in (common, own) for name, items in part["values"].items()},
        topics={name: tuple(items) for name, items in own["topics"].items()},
        moods={name: parse_lines(items) for name, items in (common["moods"] | own.get("moods", {})).items()},
        fits=_fits({place: items for place, items in lines.items() if place[1] != ANY}, tuple(own["topics"])),
        replies={exchange.key: _replies(exchange) for exchange in exchanges},
    )


def _with_openers(
    lines: dict[tuple[str, str, str], tuple[Line, ...]], exchanges: tuple[Exchange, ...]
) -> dict[tuple[str, str, str], tuple[Line, ...]]:
    """The lines and what begins an exchange, under the exchange's key and those of what its replies tell."""
    table = dict(lines)
    for exchange in exchanges:
        place = exchange.act, exchange.topic, exchange.role
        opener = _keyed(exchange.opener, exchange.key)
        told = {place for item in exchange.replies.get("=", ()) for place in _line(item).slots} - opener.slots
        opener = replace(
            opener, keys=opener.keys | {f"{ASKS}{place}" for place in told if exchange.act == "setQuestion"}
        )
        table[place] = (*table.get(place, ()), opener)
    return table


def _replies(exchange: Exchange) -> dict[str, tuple[Line, ...]]:
    key = f"{REPLY}{exchange.key}"
    return {sign: tuple(_keyed(item, key) for item in items) for sign, items in exchange.replies.items()}


def _keyed(text: str, key: str) -> Line:
    line = _line(text)
    return replace(line, keys=line.keys | {key})


def _fits(lines: dict[tuple[str, str, str], tuple[Line, ...]], topics: tuple[str, ...]) -> dict[str, frozenset[str]]:
    slots = frozenset(vocabulary().slots)
    if not lines:  # a user's domain, of which nothing is known
        return dict.fromkeys(topics, slots)
    return {
        topic: slots
        & {key for place, items in lines.items() if place[1] == topic for item in items for key in item.keys}
        for topic in topics
    }


def _bare(profile: DomainProfile, language: str) -> dict[str, Any]:
    """What a template file would hold for a domain that has none."""
    spoken = profile.spoken.get(language, {})
    # Its label in words is the best name that a topic has; braces of a user's file are no places.
    named = {
        topic: [re.sub(r"[{}()|~]", "", name) for name in spoken.get(topic, ())] or [topic.replace("_", " ")]
        for topic in profile.topics
    }
    return {"scenarios": [{}], "values": {}, "topics": named, "lines": {}, "clauses": {}}


def parse_lines(items: list[str]) -> tuple[Line, ...]:
    """Read templates as they stand in a file."""
    return tuple(_line(item) for item in items)


def _line(item: str) -> Line:
    marks = _KEYS.search(item)
    text = item[: marks.start()] if marks else item
    keys = re.findall(r"~(\w+)", marks[0]) if marks else []
    places = PLACE.findall(text)
    kinds = tuple(name for name in places if name.isupper())
    slots = frozenset(name for name in places if not name.isupper())
    return Line(text, frozenset(keys) | slots | frozenset(kinds), slots, kinds)


def _lines(raw: dict[str, Any]) -> dict[tuple[str, str, str], tuple[Line, ...]]:
    table = {}
    for act, places in raw["lines"].items():
        for place, items in places.items():
            topic, _, role = place.partition("/")
            table[act, topic, role or ANY] = parse_lines(items)
    return table


def _clauses(raw: dict[str, Any]) -> dict[tuple[str, str], tuple[Line, ...]]:
    return {(name, mood): parse_lines(items) for name, moods in raw["clauses"].items() for mood, items in moods.items()}


def _scenario(raw: dict[str, Any]) -> Scenario:
    values = dict(raw)
    return Scenario(tuple(values.pop("topics", ())), values)


def _read(name: str) -> dict[str, Any]:
    file = files("generator") / "templates" / name
    if not file.is_file():
        raise TemplateError(f"no template file {name}")
    raw: dict[str, Any] = json.loads(file.read_text("utf-8"))
    for part in ("lines", "clauses", "values"):
        if not isinstance(raw.get(part), dict):
            raise TemplateError(f"{name}: part {part} is missing")
    return raw
