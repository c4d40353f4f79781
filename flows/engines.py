"""Engines that run tasks in other processes: of this machine, or of a cluster; each is one entry of `ENGINES`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from itertools import islice

from flows.clusters import CLUSTERS, Engine, Job, Result
from flows.engine_config import EngineConfig
from flows.errors import StageError
from flows.processes import process_pool

# Tasks that wait at each process, so that none is idle between two.
_AHEAD = 3
# Pools that may break one after the other without a result between them.
_LOST = 3


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def engine_for(config: EngineConfig, tasks: int) -> AbstractContextManager[Engine] | None:
    """The engine that so many tasks are given to; None where this process had better do them itself.

    Args:
        config: names it.
        tasks: that are there; one alone is done sooner than a process is started.
    """
    workers = min(config.workers or cores(), tasks)
    if workers == 0 or config.engine == "plain" or (config.engine == "process" and workers == 1):
        return None
    return ENGINES[config.engine](workers, config.scheduler)


@contextmanager
def process_engine(workers: int, scheduler: str | None) -> Iterator[Engine]:
    """Processes of this machine; the tasks of one that is lost are given to another.

    Args:
        workers: processes.
        scheduler: decides nothing.

    Raises:
        StageError (when run): processes were lost again and again.
    """

    def run(work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        unread, waiting, lost = iter(jobs), deque[Job](), 0
        while lost < _LOST:
            running: dict[Future[Result], Job] = {}
            try:
                with process_pool(workers, _nothing) as pool:
                    while True:
                        waiting.extend(islice(unread, max(0, _AHEAD * workers - len(running) - len(waiting))))
                        while waiting:
                            running[pool.submit(work, waiting[0])] = waiting[0]
                            waiting.popleft()
                        if not running:
                            return
                        for future in wait(running, return_when=FIRST_COMPLETED).done:
                            result = future.result()
                            del running[future]
                            lost = 0
                            yield result
            except BrokenProcessPool:
                waiting.extendleft(running.values())
                lost += 1
        raise StageError("process", "processes were ended from outside again and again; --resume goes on")

    yield run


def _nothing() -> None:
    """A process loads what its first task needs."""


ENGINES: dict[str, Callable[[int, str | None], AbstractContextManager[Engine]]] = {
    "process": process_engine,
    **CLUSTERS,
}
