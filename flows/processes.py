"""Processes of one thread each that work for this one and never outlive it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process

# Two processes of one thread each share two cores better than two of two.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def process_pool(workers: int, prepare: Callable[..., object], *args: object) -> Iterator[ProcessPoolExecutor]:
    """A pool that ends with its block.

    Args:
        workers: processes, >= 1.
        prepare: called once in each, with `args`; found by its module's name.
        args: as they can be pickled.
    """
    # Spawned, not forked: this process may hold threads, whose locks a fork would copy as they are.
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start, initargs=(prepare, args))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _start(prepare: Callable[..., object], args: tuple[object, ...]) -> None:
    """Prepare a process: it leaves Ctrl-C to its parent, and ends when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    prepare(*args)


def _end_with(sentinel: int) -> None:
    # A pool's processes wait for work on a pipe that they hold themselves, so that a killed parent would go unnoticed.
    connection.wait([sentinel])
    os._exit(1)
