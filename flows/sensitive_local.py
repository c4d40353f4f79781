"""The scan on this machine: one process reads and writes, the others judge, and the order of the input is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from pathlib import Path
from typing import Protocol

from flows.errors import StageError
from flows.processes import process_pool
from flows.sensitive_blocks import blocks
from flows.sensitive_pieces import Block, Piece, Place
from flows.sensitive_resume import ResumableFile
from flows.sensitive_work import Scanned, ScanSpec, Tally, judge_of, scan_block
from seed_engine.errors import InputError

# Blocks under way for each process: one in work, one ready, one done that waits for its turn.
_AHEAD = 3


class Advance(Protocol):
    """Told how far the scan is."""

    def __call__(self, texts: int, read: int, /) -> None:
        """Texts judged so far, and bytes of the files read so far."""


def scan_local(
    files: Sequence[Piece], spec: ScanSpec, output: Path, fingerprint: str, workers: int, advance: Advance
) -> tuple[Tally, int]:
    """Scan files into one output, going on where a killed scan of the same stood.

    Args:
        files: whole, in order.
        spec: how to judge.
        output: JSONL; appears whole, in the input's order.
        fingerprint: see `ResumableFile`.
        workers: processes that judge, >= 1.
        advance: called after each block.

    Returns:
        What was met, work of earlier runs included; and the texts among it that an earlier run had judged.

    Raises:
        InputError: a line is broken and `spec.skip_bad` is off; what was scanned before it is kept for the next run.
        StageError: a process ended by itself.
    """
    with ResumableFile(output, fingerprint) as out:
        state = out.state or {"file": 0, "place": asdict(Place()), "tally": asdict(Tally())}
        tally = Tally(**state["tally"])
        resumed = tally.texts
        before = sum(file.size for file in files[: state["file"]])
        for number, block, done in _judged(files, spec, workers, state["file"], Place(**state["place"])):
            if done.faults and not spec.skip_bad:
                raise InputError(block.path, *done.faults[0])
            tally.add(done.tally)
            out.append(done.lines, {"file": number, "place": asdict(block.after), "tally": asdict(tally)})
            before = sum(file.size for file in files[:number])
            advance(tally.texts, before + block.read)
        out.publish()
    return tally, resumed


def _judged(
    files: Sequence[Piece], spec: ScanSpec, workers: int, first: int, place: Place
) -> Iterator[tuple[int, Block, Scanned]]:
    """Each block with its file's number and what became of it, in order."""
    waiting: deque[tuple[int, Block, Future[Scanned]]] = deque()
    broken = False
    try:
        with process_pool(workers, judge_of, spec.load) as pool:
            for number, block in _read(files, first, place):
                waiting.append((number, block, pool.submit(scan_block, block, spec)))
                while len(waiting) > _AHEAD * workers:
                    number, block, future = waiting.popleft()
                    yield number, block, future.result()
            while waiting:
                number, block, future = waiting.popleft()
                yield number, block, future.result()
    except BrokenProcessPool:
        broken = True
    if broken:
        raise StageError("scan", "a process that judges was ended from outside; the same command goes on")


def _read(files: Sequence[Piece], first: int, place: Place) -> Iterator[tuple[int, Block]]:
    for number, file in enumerate(files[first:], first):
        for block in blocks(file, place if number == first else None):
            yield number, block
