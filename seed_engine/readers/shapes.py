"""JSON records: which keys make a conversation, one entry a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from seed_engine.conversation import Conversation
from seed_engine.readers.record import Fault, Read, build, other_strings


@dataclass(frozen=True, slots=True)
class Shape:
    """How one JSON dialect spells a conversation.

    Attributes:
        name: what messages and tests call it.
        key: the key that holds the turns; a record is in the first shape whose key it has.
        role: keys that may hold a turn's role, in order of preference.
        text: keys that may hold a turn's text.
        extras: the conversation's fields by this dialect's key, beyond `language`, `domain` and `subject`.
        dump: the JSON object of a conversation in this shape.
    """

    name: str
    key: str
    role: tuple[str, ...]
    text: tuple[str, ...]
    extras: dict[str, str]
    dump: Callable[[Conversation], dict[str, Any]]


def parse_record(record: Any, line: int) -> Read | Fault:
    """One JSON value as a conversation; what keys that no shape knows (`source`, `acts`) hold becomes metadata."""
    if not isinstance(record, dict):
        return Fault(line, "a JSON object is expected")
    shape = shape_of(record)
    if shape is None:
        return Fault(line, "none of turns, messages, conversations, turnos or text")
    fields: dict[str, Any] = {"id": _id(record, line)}
    rest = {
        key: value for key, value in record.items() if key not in (shape.key, "id", "language", "domain", "subject")
    }
    for key in ("language", "domain", "subject"):
        if record.get(key) is not None:
            fields[key] = record[key]
    for key, field in shape.extras.items():
        if record.get(key) is not None:
            fields[field] = str(record[key]) if field == "id" else record[key]
            rest.pop(key, None)
    made_id = record.get("id") is None and fields["id"] == _id({}, line)
    if isinstance(fields.get("domain"), list):
        rest["domain"] = fields["domain"]
        fields["domain"] = next(iter(fields["domain"]), None)
    if shape is DOCUMENT:
        fields |= {"turns": ({"role": "document", "text": record["text"]},), "form": "document"}
        return build(line, fields | {"metadata": _distinct(other_strings(rest))}, made_id=made_id)
    turns = _turns(record[shape.key], shape)
    if isinstance(turns, str):
        return Fault(line, turns)
    beside = (_beside(item, shape) for item in record[shape.key])
    metadata = _distinct(chain(other_strings(rest), *beside))
    return build(line, fields | {"turns": turns, "metadata": metadata}, made_id=made_id)


def shape_of(record: dict[str, Any]) -> Shape | None:
    """The first shape whose key the record has."""
    return next((shape for shape in SHAPES if shape.key in record), None)


def _id(record: dict[str, Any], line: int) -> Any:
    value = record.get("id")
    if value is None:
        return f"line-{line}"
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _turns(raw: Any, shape: Shape) -> tuple[dict[str, Any], ...] | str:
    if not isinstance(raw, list):
        return f"{shape.key}: a list is expected"
    turns = []
    for i, item in enumerate(raw):
        if not isinstance(item, dict):
            return f"{shape.key}[{i}]: an object is expected"
        role = next((item[key] for key in shape.role if key in item), None)
        text = _text(next((item[key] for key in shape.text if key in item), None))
        if not isinstance(role, str) or not role.strip():
            return f"{shape.key}[{i}]: no role"
        if text is None and shape is OPENAI and "content" in item:
            text = ""  # a tool call has no content; its arguments are not read, and never written back
        if text is None:
            return f"{shape.key}[{i}]: no text"
        name = item.get("name")
        turns.append({"role": role.strip(), "text": text, "name": name if isinstance(name, str) else None})
    return tuple(turns)


def _beside(item: dict[str, Any], shape: Shape) -> Iterator[str]:
    """What a turn's record holds that does not become part of the turn."""
    role = next(key for key in shape.role if key in item)
    text = next((key for key in shape.text if key in item), None)
    kept = {role, text, "name"} if isinstance(item.get("name"), str) else {role, text}
    yield from other_strings({key: value for key, value in item.items() if key not in kept})
    if text is not None and isinstance(item[text], list):
        parts = (part for part in item[text] if isinstance(part, dict))
        yield from other_strings([{k: v for k, v in part.items() if k not in ("text", "type")} for part in parts])


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in found if text.strip()))


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return None
    parts = [part.get("text") if isinstance(part, dict) else part for part in value]
    return "\n".join(part for part in parts if isinstance(part, str))


def _head(conversation: Conversation) -> dict[str, Any]:
    fields = {"language": conversation.language, "domain": conversation.domain, "subject": conversation.subject}
    return {"id": conversation.id} | {key: value for key, value in fields.items() if value is not None}


def _dump_turns(key: str, role: str, text: str) -> Callable[[Conversation], dict[str, Any]]:
    def dump(conversation: Conversation) -> dict[str, Any]:
        turns = []
        for turn in conversation.turns:
            named = {"name": turn.name} if turn.name is not None else {}
            turns.append({role: turn.role} | named | {text: turn.text})
        return _head(conversation) | {key: turns}

    return dump


def _dump_uncase(conversation: Conversation) -> dict[str, Any]:
    head = _head(conversation)
    names = {"id": "conversation_id", "language": "idioma", "domain": "dominio", "subject": "subject"}
    turns = [{"turno": i, "rol": turn.role, "contenido": turn.text} for i, turn in enumerate(conversation.turns, 1)]
    return {names[key]: value for key, value in head.items()} | {"turnos": turns}


def _dump_document(conversation: Conversation) -> dict[str, Any]:
    return _head(conversation) | {"text": "\n".join(turn.text for turn in conversation.turns)}


TURNS = Shape("turns", "turns", ("role", "speaker"), ("text", "content"), {}, _dump_turns("turns", "role", "text"))
OPENAI = Shape("openai", "messages", ("role",), ("content",), {}, _dump_turns("messages", "role", "content"))
SHAREGPT = Shape(
    "sharegpt",
    "conversations",
    ("from", "role"),
    ("value", "content"),
    {},
    _dump_turns("conversations", "from", "value"),
)
UNCASE = Shape(
    "uncase",
    "turnos",
    ("rol",),
    ("contenido",),
    {"conversation_id": "id", "idioma": "language", "dominio": "domain"},
    _dump_uncase,
)
DOCUMENT = Shape("document", "text", (), (), {}, _dump_document)

SHAPES: tuple[Shape, ...] = (TURNS, OPENAI, SHAREGPT, UNCASE, DOCUMENT)
