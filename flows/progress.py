"""Progress bars on stderr, with a time estimate, and only where somebody looks: on a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

Advance = Callable[[int, int], None]
"""Called with (done, total), both counts; a total of 0 means that it is not known yet."""


@contextlib.contextmanager
def progress_bar(label: str) -> Iterator[Advance]:
    """A bar for one stage; a silent function where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bars:
        task = bars.add_task(label, total=None)

        def advance(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total or None)

        yield advance
        bars.update(task, refresh=True)
