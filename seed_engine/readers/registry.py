"""One door to every input format: detect by content, stream, and stop at the first broken record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from seed_engine.atomic import atomic_path
from seed_engine.conversation import Conversation
from seed_engine.errors import InputError
from seed_engine.readers.json_lines import json_array, json_lines
from seed_engine.readers.parquet import MAGIC, parse_parquet, write_parquet
from seed_engine.readers.plain import plain
from seed_engine.readers.record import Fault, Read, TextFormat
from seed_engine.readers.source import HEAD_BYTES, head, lines
from seed_engine.readers.subtitles import subtitles
from seed_engine.readers.table import csv_table
from seed_engine.readers.transcript import transcript
from seed_engine.readers.whatsapp import whatsapp

# Asked in this order; the first that accepts the start of a file reads it. Parquet is binary and asked before.
FORMATS: tuple[Callable[[str], TextFormat | None], ...] = (
    whatsapp,
    json_array,
    json_lines,
    subtitles,
    csv_table,
    transcript,
    plain,
)

# A tally keeps places, not texts; beyond this many only the count grows.
_KEPT_FAULTS = 1000


@dataclass(slots=True)
class ReadTally:
    """What one reading has met so far.

    Attributes:
        read: conversations given out.
        skipped: broken records passed over; stays 0 without `skip_bad`.
        faults: `(line, rule)` of the first 1,000 of them.
    """

    read: int = 0
    skipped: int = 0
    faults: list[tuple[int | None, str]] = field(default_factory=list)


def read_conversations(
    path: Path,
    *,
    limit: int | None = None,
    skip_bad: bool = False,
    tally: ReadTally | None = None,
    prefix: str = "",
    unique_ids: bool = False,
) -> Iterator[Conversation]:
    """Yield a file's conversations in order, holding one at a time (JSON arrays and single chats are held whole).

    Args:
        path: a file in any format of `FORMATS` or Parquet, perhaps gzipped.
        limit: stop after this many, >= 1; None reads all. Nothing after the limit is looked at.
        skip_bad: count broken records in `tally` instead of stopping.
        tally: filled while reading.
        prefix: put before ids that the reader makes itself, where the file gives none; one for each of several files
            keeps their conversations apart.
        unique_ids: stop at an id that stands in the file before, even with `skip_bad`: of two records the first would
            decide on the second, which may be somebody else's.

    Raises:
        InputError: the file is empty or unreadable, or a record is broken and `skip_bad` is off. Without `skip_bad`
            a caller that must write nothing on bad input reads to the end before it writes.
    """
    tally = tally if tally is not None else ReadTally()
    seen: set[bytes] = set()
    for record in _records(path):
        again = isinstance(record, Read) and not _first(record, seen)
        record = Fault(record.line, "an id that stands in the file before") if again else record
        if isinstance(record, Fault):
            if not skip_bad or (again and unique_ids):
                raise InputError(str(path), record.line, record.rule)
            tally.skipped += 1
            if len(tally.faults) < _KEPT_FAULTS:
                tally.faults.append((record.line, record.rule))
            continue
        tally.read += 1
        made = {"id": prefix + record.conversation.id}
        yield record.conversation.model_copy(update=made) if record.made_id and prefix else record.conversation
        if tally.read == limit:
            return
    if not tally.read and not tally.skipped:
        raise InputError(str(path), None, "no conversation in it")


def format_name(path: Path) -> str:
    """The name of a file's format: `jsonl`, `json`, `csv`, `parquet`, `transcript`, `whatsapp`, `subtitles`, `text`."""
    found = _detect(path)
    return found.name if found else "parquet"


def write_like(source: Path, target: Path, conversations: Iterable[Conversation]) -> int:
    """Write conversations in the format of another file and count them; the target appears whole or not at all.

    Only what a `Conversation` holds is written: keys that the reader passed over may be personal and are left out.
    Chat exports and subtitles come back as `role: text` transcripts, since their stamps and names are personal.

    Raises:
        InputError: the source cannot be read, or Parquet is asked for without pyarrow.
        OSError: the target cannot be written.
    """
    found = _detect(source)
    counted = ReadTally()
    with atomic_path(target) as part:
        if found is None:
            write_parquet(source, _counting(conversations, counted), part)
        else:
            with part.open("w", encoding="utf-8", newline="") as out:
                found.write(_counting(conversations, counted), out)
    return counted.read


def _counting(conversations: Iterable[Conversation], tally: ReadTally) -> Iterator[Conversation]:
    for conversation in conversations:
        tally.read += 1
        yield conversation


def _records(path: Path) -> Iterator[Read | Fault]:
    found = _detect(path)
    return parse_parquet(path) if found is None else found.parse(lines(path), path.name.split(".")[0])


def _detect(path: Path) -> TextFormat | None:
    """The text format of a file; None for Parquet."""
    start = head(path)
    if start.startswith(MAGIC):
        return None
    if not start.strip():
        raise InputError(str(path), None, "an empty file")
    # The head may end inside a line and inside a character; neither may decide.
    whole = start[: start.rfind(b"\n")] if len(start) >= HEAD_BYTES - 3 and b"\n" in start else start
    text = whole.decode("utf-8", errors="replace")
    return next(found for accept in FORMATS if (found := accept(text)) is not None)


def _first(record: Read, seen: set[bytes]) -> bool:
    # Digests keep the set small and constant in size per record, whatever the ids look like.
    digest = hashlib.blake2b(record.conversation.id.encode("utf-8"), digest_size=12).digest()
    new = digest not in seen
    seen.add(digest)
    return new
