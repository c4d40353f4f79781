"""What a scan reads: lines or rows as documents, and faults by line number that quote nothing.

A conversation is scanned as one text, a turn a line, since a fact and its person may stand in different turns; places
found in it are told by turn.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from seed_engine.readers.record import Fault, Read
from seed_engine.readers.shapes import SHAPES, parse_record

_TURN_KEYS = tuple(shape.key for shape in SHAPES if shape.key != "text")


@dataclass(frozen=True, slots=True)
class Document:
    """One text.

    Attributes:
        line: 1-based line or row that it stands on.
        id: as the input gives it, else made of the line number.
        text: of a conversation, its turns joined by line ends.
        starts: where each turn begins in `text`; None for a document.
    """

    line: int
    id: str
    text: str
    starts: tuple[int, ...] | None = None

    def place(self, start: int, end: int) -> dict[str, int]:
        """A half-open stretch of the text as a record holds it; of a conversation by turn, cut at the turn's end."""
        if self.starts is None:
            return {"start": start, "end": end}
        turn = bisect_right(self.starts, start) - 1
        begin = self.starts[turn]
        limit = self.starts[turn + 1] - 1 if turn + 1 < len(self.starts) else len(self.text)
        return {"turn": turn, "start": start - begin, "end": min(end, limit) - begin}


def read_lines(content: bytes, line: int, prefix: str = "") -> Iterator[Document | Fault]:
    """Documents of JSON lines; blank lines are passed over.

    Args:
        content: whole lines.
        line: number of the first, 1-based; a byte order mark before line 1 is read over.
        prefix: put before ids that are made of line numbers.
    """
    if line == 1:
        content = content.removeprefix(b"\xef\xbb\xbf")
    for number, raw in enumerate(content.split(b"\n"), line):
        if raw.strip():
            yield _read_line(raw, number, prefix)


def read_rows(rows: Iterable[tuple[Any, Any]], line: int, prefix: str = "") -> Iterator[Document | Fault]:
    """Documents of `(id, text)`, whose strings may come as UTF-8 bytes; `line` is the first row's number."""
    for number, (name, text) in enumerate(rows, line):
        yield _document({"id": _decoded(name), "text": _decoded(text)}, number, prefix)


def _read_line(raw: bytes, number: int, prefix: str) -> Document | Fault:
    try:
        record = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return Fault(number, "not UTF-8")
    except (ValueError, RecursionError):
        return Fault(number, "not a whole JSON value")
    if isinstance(record, dict) and not any(key in record for key in _TURN_KEYS) and "text" in record:
        return _document(record, number, prefix)
    read = parse_record(record, number)
    return read if isinstance(read, Fault) else _conversation(read, number, prefix)


def _document(record: dict[str, Any], number: int, prefix: str) -> Document | Fault:
    name, text = record.get("id"), record["text"]
    if name is None:
        name = f"{prefix}line-{number}"
    elif isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if isinstance(name, bytes) or isinstance(text, bytes):
        return Fault(number, "not UTF-8")
    if not isinstance(name, str):
        return Fault(number, "id: not a string")
    if not isinstance(text, str):
        return Fault(number, "text: not a string")
    if not (_is_unicode(name) and _is_unicode(text)):
        return Fault(number, "a lone surrogate, not text")
    return Document(number, name, text)


def _conversation(read: Read, number: int, prefix: str) -> Document:
    starts, at = [], 0
    for turn in read.conversation.turns:
        starts.append(at)
        at += len(turn.text) + 1
    text = "\n".join(turn.text for turn in read.conversation.turns)
    name = read.conversation.id
    return Document(number, prefix + name if read.made_id else name, text, tuple(starts))


def _decoded(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value


def _is_unicode(text: str) -> bool:
    # JSON can spell half a character, which no file could hold again.
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
