"""Files of seeds, ours and UNCASE's: which a file holds is told by its content, and each becomes the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from flows.errors import UsageError
from flows.records_io import dump_record, read_objects, write_lines
from seed_engine.seed import Seed
from seed_engine.strict_json import strict_json
from seed_engine.uncase import NoCounterpart
from seed_engine.uncase.faults import Find

Schema = Literal["semilla", "uncase"]
SCHEMAS: tuple[Schema, ...] = ("semilla", "uncase")
# Enough to see what a file holds.
_LOOK = 65_536


def as_schema(name: str) -> Schema:
    """The schema of that name.

    Raises:
        UsageError: there is none; the known ones are listed.
    """
    for schema in SCHEMAS:
        if schema == name:
            return schema
    raise UsageError(f"unknown schema; known: {', '.join(SCHEMAS)}")


def seed_schema(path: Path) -> Schema | None:
    """Whose seeds a file holds; None when it holds something else (conversations)."""
    with path.open("rb") as file:
        head = file.read(_LOOK)
    # Keys of the records, not of a parsed value: the file may be of any size.
    if b'"dominio"' in head and b'"pasos_turnos"' in head:
        return "uncase"
    return "semilla" if b'"vocabulary_version"' in head and b'"flow"' in head else None


def read_seed_objects(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield `(number, JSON value)` of a file of seeds: one a line, or one JSON array or object.

    Raises:
        InputError: a line is not JSON.
        UsageError: the file opens like one JSON value and is none.
    """
    with path.open("rb") as file:
        first = next((line.strip() for line in file if line.strip()), b"").removeprefix(b"\xef\xbb\xbf")
    if not (first.startswith(b"[") or first in (b"{",)):
        yield from read_objects(path)
        return
    fault = None
    try:
        value = strict_json(path.read_bytes())
    except ValueError as error:
        fault = str(error)
    if fault is not None:
        raise UsageError(f"{path}: {fault}")
    yield from enumerate(value if isinstance(value, list) else [value], 1)


def seed_faults(path: Path, config: Path | None) -> list[dict[str, Any]]:
    """Every fault of every seed as `line` (or place in an array), `path` and `rule`.

    Raises:
        UsageError: the file holds no seed.
    """
    from seed_engine.schema import duplicate_ids, violations
    from seed_engine.uncase import is_uncase, uncase_violations

    records = tuple(read_seed_objects(path))
    if not records:
        raise UsageError(f"{path}: holds no seed")
    foreign = any(is_uncase(record) for _, record in records)
    find = _find(config) if foreign else None
    key = "seed_id" if foreign else "id"
    twice = duplicate_ids(record.get(key) if isinstance(record, dict) else None for _, record in records)
    faults = []
    for place, (line, record) in enumerate(records):
        found = uncase_violations(record, find) if is_uncase(record) else violations(record)
        for fault in (*found, *((twice[place],) if place in twice else ())):
            faults.append({"line": line, "path": fault.path, "rule": fault.rule})
    return faults


def convert_seeds(source: Path, output: Path, schema: Schema, config: Path | None = None) -> dict[str, int]:
    """Write a file of seeds in a schema; UNCASE's as one JSON array where `output` ends in `.json`, else one a line.

    The free text of UNCASE's seeds is searched for personal data: into our seeds none of it goes, so what was found is
    only counted; a seed that would pass on as it is must hold none.

    Args:
        source: seeds of either schema.
        output: file to write.
        schema: to write.
        config: semilla.toml, for the detector.

    Returns:
        Counts: `seeds` written, `free_text_findings`, and what was left out, by reason.

    Raises:
        UsageError: a seed of the source is at fault; gives its place.
    """
    counts: Counter[str] = Counter()
    lines = list(_converted(source, schema, config, counts))
    if schema == "uncase" and output.suffix == ".json":
        write_lines(output, ["[" + ",\n".join(lines) + "]"])
    else:
        write_lines(output, lines)
    return {"seeds": len(lines), **counts}


def _converted(source: Path, schema: Schema, config: Path | None, counts: Counter[str]) -> Iterator[str]:
    from seed_engine.schema import violations
    from seed_engine.uncase import from_uncase, is_uncase, read_uncase, to_uncase, uncase_violations

    find: Find | None = None
    for place, record in read_seed_objects(source):
        foreign = read_uncase(record) if is_uncase(record) else None
        if foreign is None and violations(record):
            raise UsageError(f"{source}:{place}: not a valid seed; semilla validate says why")
        if foreign is not None:
            find = find or _find(config)
            found = len(uncase_violations(record, find))
            counts.update({"free_text_findings": found} if found else {})
            if found and schema == "uncase":
                raise UsageError(f"{source}:{place}: free text holds personal data; semilla validate says where")
        if schema == "semilla":
            # Numbered anew: an id of UNCASE is free text.
            own = from_uncase(foreign, f"seed-{place:06d}") if foreign else Seed.model_validate(record)
            yield dump_record(own)
            continue
        try:
            seed = foreign or to_uncase(Seed.model_validate(record))
        except NoCounterpart:
            counts["skipped_no_uncase_domain"] += 1
            continue
        yield json.dumps(seed.dump(), ensure_ascii=False)


def _find(config: Path | None) -> Find:
    from flows.detection import detector_for

    detector = detector_for(config)

    def find(texts: Sequence[str], language: str) -> Any:
        return detector.detect_many(list(texts), language)

    return find
