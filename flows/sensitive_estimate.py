"""What a scan will cost, from a timed sample spread over the corpus: texts a second and core, hours by cores."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flows.sensitive_blocks import blocks
from flows.sensitive_pieces import Block, Piece
from flows.sensitive_rows import group_rows
from flows.sensitive_work import ScanSpec, scan_block

# Places that are sampled, bytes at each, and seconds that the whole sample may take.
_PLACES, _BYTES, _SECONDS = 12, 96 << 10, 3.0
# The corpus of the paper behind the scan: 184 million texts in a day on 8 cores.
_PAPER = 184_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a sample tells.

    Attributes:
        sample: texts timed, >= 0.
        rate: texts a CPU-second, one core; 0 where the sample holds no whole text.
        texts: in the whole corpus, about.
    """

    sample: int
    rate: float
    texts: int

    def hours(self, cores: int, texts: int | None = None) -> float:
        """Hours on so many cores, taken to share the work evenly."""
        return (self.texts if texts is None else texts) / (self.rate * cores * 3600) if self.rate else 0.0


def estimate(files: Sequence[Piece], spec: ScanSpec) -> Estimate:
    """Time a sample of a corpus in this process.

    Args:
        files: whole.
        spec: how to judge; broken lines are passed over.

    Raises:
        InputError: a file is cut off.
    """
    spec = replace(spec, skip_bad=True)
    timed = texts = size = 0
    seconds, until = 0.0, None
    for place, block in _sample(files):
        if until is None:  # what a judge loads at its first texts is not what a text costs
            scan_block(block, spec)
            until = time.monotonic() + _SECONDS
        start = time.process_time()
        done = scan_block(block, spec)
        seconds += time.process_time() - start
        timed += done.tally.texts
        if place.kind != "parquet":
            texts += done.tally.texts + done.tally.skipped
            size += block.read if place.kind == "gzip" else len(block.content)
        if time.monotonic() > until:
            break
    rows = sum(sum(group_rows(file)) for file in files if file.kind == "parquet")
    lines = sum(file.size for file in files if file.kind != "parquet") * texts // max(1, size)
    return Estimate(timed, timed / seconds if seconds else 0.0, rows + lines)


def estimate_lines(found: Estimate, cores: int) -> list[str]:
    """The table for people."""
    lines = [
        f"about {found.texts:,} texts; {found.rate:,.0f} texts a second and core (CPU time of {found.sample:,} texts)",
        f"{'cores':>8}  {'this corpus':>14}  {'184 million texts':>18}",
    ]
    for count in sorted({1, 2, 8, 64, cores}):
        mark = "  <- asked" if count == cores else ""
        lines.append(f"{count:>8}  {_spoken(found.hours(count)):>14}  {_spoken(found.hours(count, _PAPER)):>18}{mark}")
    return lines


def _sample(files: Sequence[Piece]) -> Iterator[tuple[Piece, Block]]:
    """The first block at places spread evenly over the corpus; of a packed file at its beginning only."""
    total = sum(file.size for file in files)
    for number in range(_PLACES):
        at = total * number // _PLACES
        for file in files:
            if at < file.size:
                break
            at -= file.size
        if file.kind == "jsonl":
            place, size = replace(file, start=at, end=min(file.size, at + _BYTES)), _BYTES
        else:
            place, size = file, 4 * _BYTES
        block = next(blocks(place, size=size), None)
        if block is not None:
            yield place, block


def _spoken(hours: float) -> str:
    if hours * 3600 < 120:
        return f"{hours * 3600:.0f} s"
    return f"{hours * 60:.0f} min" if hours < 2 else f"{hours:,.1f} h"
