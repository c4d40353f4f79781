"""Work done by several threads and handed over in order; no ending process waits for a thread that is stalled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")
_FAREWELL_S = 2.0


def in_order(jobs: Iterable[Job], threads: int, work: Callable[[Job], Result]) -> Iterator[Result]:
    """Yield the result of each job in the order of the jobs; what a job raises is raised in its turn.

    Args:
        jobs: read lazily, twice `threads` ahead.
        threads: how many jobs at once, >= 1.
        work: called in the threads.
    """
    todo: SimpleQueue[tuple[Job, Future[Result]] | None] = SimpleQueue()
    workers = [Thread(target=_serve, args=(todo, work), daemon=True) for _ in range(threads)]
    unread = iter(jobs)
    waiting: list[Future[Result]] = []

    def submit(count: int) -> None:
        for job in islice(unread, count):
            done: Future[Result] = Future()
            waiting.append(done)
            todo.put((job, done))

    try:
        for worker in workers:
            worker.start()
        submit(2 * threads)
        while waiting:
            result = waiting.pop(0).result()
            submit(1)
            yield result
    finally:
        for done in waiting:
            done.cancel()
        for _ in workers:
            todo.put(None)
        # Whoever waits for a dead provider is left behind; whoever is about to finish is not torn from its work.
        until = monotonic() + _FAREWELL_S
        for worker in workers:
            worker.join(max(0.0, until - monotonic()))


def _serve(todo: SimpleQueue[tuple[Job, Future[Result]] | None], work: Callable[[Job], Result]) -> None:
    while (task := todo.get()) is not None:
        job, done = task
        if not done.set_running_or_notify_cancel():
            continue
        try:
            done.set_result(work(job))
        except BaseException as error:
            done.set_exception(error)
