"""Rows of a table (`conversation_id, turn, role, text`) as conversations; CSV here, Parquet beside it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, TextIO

from seed_engine.conversation import Conversation
from seed_engine.readers.record import Fault, Line, Read, TextFormat, build, other_strings

COLUMNS = ("conversation_id", "turn", "role", "text")
# Other spellings of the same columns, e.g. the CSV that UNCASE writes.
_ALIASES = {
    "turn_number": "turn",
    "turno": "turn",
    "content": "text",
    "contenido": "text",
    "rol": "role",
    "id": "conversation_id",
}
_OPTIONAL = ("language", "domain", "subject")
_DELIMITERS = ",;\t"
# The csv module refuses fields over 131,072 characters by default; a turn of 5 MB is legal input.
_FIELD_LIMIT = 256 * 1024 * 1024

Row = tuple[int, dict[str, Any]]


def csv_table(head: str) -> TextFormat | None:
    """A CSV file opens with a header that names the columns, parted by comma, semicolon or tab."""
    first = next((line for line in head.splitlines() if line.strip()), "")
    for delimiter in _DELIMITERS:
        names = column_names(next(csv.reader([first], delimiter=delimiter), []))
        if {"conversation_id", "role", "text"} <= set(names):
            return TextFormat("csv", _parser(names, delimiter), _writer(delimiter))
    return None


def column_names(header: Iterable[str]) -> list[str]:
    """Column names of a header, folded to the contract's spelling."""
    folded = (name.strip().casefold() for name in header)
    return [_ALIASES.get(name, name) for name in folded]


def rows_to_records(rows: Iterable[Row | Fault]) -> Iterator[Read | Fault]:
    """Group neighbouring rows of one conversation; only one conversation is held at a time."""
    for key, group in groupby(rows, key=lambda row: None if isinstance(row, Fault) else row[1]["conversation_id"]):
        if key is None:
            yield from (row for row in group if isinstance(row, Fault))
            continue
        held = [row for row in group if not isinstance(row, Fault)]
        yield _record(str(key), held)


def _record(key: str, rows: list[Row]) -> Read | Fault:
    line, first = rows[0]
    numbers = [str(row.get("turn", "")) for _, row in rows]
    if all(number.isdecimal() and len(number) < 10 for number in numbers):
        rows = [row for _, row in sorted(zip(map(int, numbers), rows, strict=True), key=lambda pair: pair[0])]
    for number, row in rows:
        if not str(row["role"] or "").strip():
            return Fault(number, "no role")
    turns = tuple({"role": str(row["role"]).strip(), "text": row["text"]} for _, row in rows)
    more = [value for _, row in rows for name, value in row.items() if name not in (*COLUMNS, *_OPTIONAL)]
    more += [row[name] for _, row in rows[1:] for name in _OPTIONAL if row.get(name) not in (None, first.get(name))]
    fields = {"id": key, "turns": turns, "metadata": tuple(dict.fromkeys(filter(str.strip, other_strings(more))))}
    return build(line, fields | {name: first[name] for name in _OPTIONAL if first.get(name)})


def _parser(names: list[str], delimiter: str) -> Callable[[Iterable[Line], str], Iterator[Read | Fault]]:
    def parse(lines: Iterable[Line], _: str) -> Iterator[Read | Fault]:
        return rows_to_records(_rows(lines, names, delimiter))

    return parse


def _rows(lines: Iterable[Line], names: list[str], delimiter: str) -> Iterator[Row | Fault]:
    csv.field_size_limit(_FIELD_LIMIT)
    bad: list[Fault] = []

    def texts() -> Iterator[str]:
        for line in lines:
            if line.text is None:
                bad.append(Fault(line.number, line.fault))
            else:
                yield line.text + "\n"

    reader = csv.reader(texts(), delimiter=delimiter, strict=True)
    try:
        next(reader, None)
        start = reader.line_num + 1
        for cells in reader:
            yield from bad
            bad.clear()
            if cells and len(cells) != len(names):
                yield Fault(start, "another number of columns than the header")
            elif cells:
                yield start, dict(zip(names, cells, strict=True))
            start = reader.line_num + 1
    except csv.Error:
        bad.append(Fault(reader.line_num, "broken CSV quoting"))
    yield from bad


def _writer(delimiter: str) -> Callable[[Iterable[Conversation], TextIO], None]:
    def write(conversations: Iterable[Conversation], out: TextIO) -> None:
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow(COLUMNS)
        for conversation in conversations:
            for i, turn in enumerate(conversation.turns, 1):
                writer.writerow((conversation.id, i, turn.role, turn.text))

    return write
