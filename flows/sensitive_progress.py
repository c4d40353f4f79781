"""A scan's progress on a terminal: bytes read of all, texts judged, texts a second."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

Advance = Callable[[int, int], None]
"""Called with texts judged so far and bytes read so far."""


@contextlib.contextmanager
def scan_bar(total: int) -> Iterator[Advance]:
    """A bar on stderr; a silent function where that is no terminal.

    Args:
        total: bytes of all files.
    """
    if not sys.stderr.isatty():
        yield lambda texts, read: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("scan"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bars:
        task = bars.add_task("scan", total=total, rate="")
        start, first = time.monotonic(), -1

        def advance(texts: int, read: int) -> None:
            nonlocal first
            first = texts if first < 0 else first
            seconds = time.monotonic() - start
            rate = (texts - first) / seconds if seconds > 0 else 0.0
            bars.update(task, completed=read, rate=f"{texts:,} texts, {rate:,.0f}/s")

        yield advance
