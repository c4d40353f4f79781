"""JSONL and JSON arrays of conversations or documents, in any of the shapes of `shapes.py`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from seed_engine.conversation import Conversation
from seed_engine.readers.record import Fault, Line, Read, TextFormat
from seed_engine.readers.shapes import DOCUMENT, TURNS, Shape, parse_record, shape_of


def json_lines(head: str) -> TextFormat | None:
    """The JSONL format whose writer matches the shape of a file's first record, or None if it is not JSONL."""
    if not head.lstrip().startswith("{"):
        return None
    return TextFormat("jsonl", _parse_lines, _writer(_first_shape(head), array=False))


def json_array(head: str) -> TextFormat | None:
    """The same for one JSON array of records, the usual form of ShareGPT files."""
    stripped = head.lstrip()
    if not (stripped.startswith("[") and stripped[1:].lstrip()[:1] in ("{", "]", "")):
        return None
    return TextFormat("json", _parse_array, _writer(_first_shape(stripped[1:]), array=True))


def _parse_lines(lines: Iterable[Line], _: str) -> Iterator[Read | Fault]:
    for line in lines:
        if line.text is None:
            yield Fault(line.number, line.fault)
        elif line.text.strip():
            yield _parse_text(line.text, line.number)


def _parse_text(text: str, line: int) -> Read | Fault:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return Fault(line, "not a whole JSON value")
    return parse_record(record, line)


def _parse_array(lines: Iterable[Line], _: str) -> Iterator[Read | Fault]:
    """An array cannot be read line by line, so this format alone holds its file in memory."""
    collected = []
    for line in lines:
        if line.text is None:
            yield Fault(line.number, line.fault)
            return
        collected.append(line.text)
    try:
        records = json.loads("\n".join(collected))
    except (ValueError, RecursionError):
        yield Fault(None, "not a whole JSON array")
        return
    for i, record in enumerate(records, 1):
        yield parse_record(record, i)


def _first_shape(head: str) -> Shape:
    try:
        record, _ = json.JSONDecoder().raw_decode(head.lstrip())
    except (ValueError, RecursionError):
        # The first record may be longer than the head: its first known key decides.
        places = {head.find(f'"{key}"'): key for key in ("turns", "messages", "conversations", "turnos", "text")}
        places.pop(-1, None)
        record = {places[min(places)]: None} if places else {}
    return (shape_of(record) if isinstance(record, dict) else None) or TURNS


def _writer(shape: Shape, *, array: bool) -> Callable[[Iterable[Conversation], TextIO], None]:
    def dump(conversation: Conversation) -> dict[str, Any]:
        return (DOCUMENT if conversation.form == "document" else shape).dump(conversation)

    def write(conversations: Iterable[Conversation], out: TextIO) -> None:
        if not array:
            out.writelines(json.dumps(dump(item), ensure_ascii=False) + "\n" for item in conversations)
            return
        out.write("[")
        for i, item in enumerate(conversations):
            out.write(("," if i else "") + "\n" + json.dumps(dump(item), ensure_ascii=False))
        out.write("\n]\n")

    return write
