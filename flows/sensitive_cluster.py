"""The scan on many machines: one task a piece, one output partition a task, each whole or not there.

Whatever was done stays done: a partition whose `.done` stands is not scanned again, and one that is scanned twice comes
out the same.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, Any

from flows.clusters import Engine
from flows.errors import UsageError
from flows.sensitive_blocks import blocks
from flows.sensitive_inputs import numbered, piece_lines, pieces_of
from flows.sensitive_pieces import Piece, place_of
from flows.sensitive_work import ScanSpec, Tally, scan_block
from seed_engine.atomic import atomic_path
from seed_engine.errors import InputError

_MANIFEST = "scan.json"
# Path, line and rule of the first broken line of a piece.
Broken = tuple[str, int | None, str]


def scan_cluster(
    files: Sequence[Piece],
    spec: ScanSpec,
    output: str,
    fingerprint: str,
    engine: Engine,
    advance: Callable[[int, int], None],
) -> tuple[Tally, int]:
    """Scan files into a folder of partitions, `part-000001.jsonl` and so on, in the order of the input.

    Args:
        files: whole, in order; every machine must reach them under the same path.
        spec: how to judge.
        output: folder, on a disk that all machines share or wherever fsspec writes.
        fingerprint: of files and settings; a folder that holds another scan is refused.
        engine: runs tasks.
        advance: called with pieces done and all.

    Returns:
        What was met, partitions of earlier runs included; and the texts among it that an earlier run had judged.

    Raises:
        InputError: a line is broken and `spec.skip_bad` is off; partitions that are done stay.
        UsageError: the folder holds another scan, or files.
    """
    done = _claimed(output, fingerprint)
    pieces = list(pieces_of(files))
    pieces = numbered(pieces, [lines for _, lines in sorted(engine(_counted, list(enumerate(pieces, 1))))])
    jobs = [job for job in enumerate(pieces, 1) if job[0] not in done]
    tally = Tally()
    for number in done:
        tally.add(Tally(**_read(_name(output, number, "done"))))
    resumed = tally.texts
    for count, made in enumerate(engine(partial(scan_piece, spec, output), jobs), len(done) + 1):
        if not isinstance(made, Tally):
            raise InputError(*made)
        tally.add(made)
        advance(count, len(pieces))
    _write(posixpath.join(output, _MANIFEST), _manifest(fingerprint) | {"partitions": len(pieces)} | asdict(tally))
    return tally, resumed


def scan_piece(spec: ScanSpec, output: str, job: tuple[int, Piece]) -> Tally | Broken:
    """Scan a piece into its partition; what a machine of the cluster does.

    Args:
        spec: how to judge.
        output: folder.
        job: number of the partition, and its piece.
    """
    number, piece = job
    tally, broken = Tally(), None
    try:
        with _appearing(_name(output, number, "jsonl")) as out:
            for block in blocks(piece):
                done = scan_block(block, spec)
                if done.faults and not spec.skip_bad:
                    raise InputError(block.path, *done.faults[0])
                tally.add(done.tally)
                out.write(done.lines)
    except InputError as error:
        # A cluster would write a raised error, its arguments with it, to the log of every machine.
        broken = error.path, error.line, error.rule
    if broken is not None:
        return broken
    _write(_name(output, number, "done"), asdict(tally))
    return tally


def _counted(job: tuple[int, Piece]) -> tuple[int, int]:
    return job[0], piece_lines(job[1])


def _claimed(output: str, fingerprint: str) -> set[int]:
    """Make the folder this scan's own; the partitions that are done in it."""
    system, folder = place_of(output)
    system.makedirs(folder, exist_ok=True)
    names = {posixpath.basename(name) for name in system.ls(folder, detail=False)}
    manifest = posixpath.join(output, _MANIFEST)
    if _MANIFEST not in names:
        if names:
            raise UsageError(f"{output}: not empty; a scan's partitions need a folder of their own")
        _write(manifest, _manifest(fingerprint))
    elif _read(manifest).get("fingerprint") != fingerprint:
        raise UsageError(f"{output}: holds the scan of other files, or with other settings; name another folder")
    return {int(name[5:-5]) for name in names if name.startswith("part-") and name.endswith(".done")}


def _manifest(fingerprint: str) -> dict[str, Any]:
    return {"schema_version": "1", "fingerprint": fingerprint}


def _read(path: str) -> dict[str, Any]:
    system, name = place_of(path)
    try:
        value = json.loads(system.cat_file(name))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise UsageError(f"{path}: not what a scan writes")
    return value


def _write(path: str, value: dict[str, Any]) -> None:
    with _appearing(path) as out:
        out.write(json.dumps(value).encode())


def _name(output: str, number: int, kind: str) -> str:
    return posixpath.join(output, f"part-{number:06d}.{kind}")


@contextmanager
def _appearing(path: str) -> Iterator[IO[bytes]]:
    """A file that appears whole or not at all: on a disk by a rename, in an object store when its upload is sealed."""
    system, name = place_of(path)
    if "file" in system.protocol:
        with atomic_path(Path(name)) as part, part.open("wb") as out:
            yield out
        return
    out = system.open(name, "wb", autocommit=False)
    try:
        yield out
        out.close()
    except BaseException:
        # Closing it as it is would seal half a partition.
        out.discard()
        raise
    out.commit()
