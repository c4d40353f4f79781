"""Engines that run a scan's tasks on several machines; each is one entry of `ENGINES`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Any, Protocol, TypeVar

from flows.errors import StageError, UsageError
from flows.sensitive_pieces import library

Job = TypeVar("Job")
Result = TypeVar("Result")
# Tasks that wait at each process, so that none is idle between two.
_AHEAD = 3


class Engine(Protocol):
    """Runs tasks somewhere."""

    def __call__(self, work: Callable[[Job], Result], jobs: Iterable[Job], /) -> Iterator[Result]:
        """Results as they come, in no order; jobs are read as tasks end, so that any number of them may stand there."""


@contextmanager
def dask_engine(workers: int, scheduler: str | None) -> Iterator[Engine]:
    """Dask: a cluster by its scheduler's address, or one of processes on this machine.

    Args:
        workers: processes of an own cluster; of another one it is not asked.
        scheduler: address (`tcp://host:8786`), or None.

    Raises:
        UsageError: Dask is not installed, or nobody answers at the address.
        StageError (when run): a task failed on three machines.
    """
    client = _dask_client(workers, scheduler)
    ahead = _AHEAD * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))

    def run(work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        unread = iter(jobs)

        def submit(count: int) -> list[Any]:
            # Not pure: Dask would take two tasks of equal arguments for one, and must hash the arguments to know.
            return [client.submit(work, job, pure=False, retries=2) for job in islice(unread, count)]

        running = library("distributed").as_completed(submit(ahead), loop=client.loop)
        for future in running:
            if future.status != "finished":
                raise StageError("scan", f"a task of the cluster ended with {future.status}")
            yield future.result()
            running.update(submit(1))

    try:
        yield run
    finally:
        client.close()
        if client.cluster is not None:
            client.cluster.close()


def _dask_client(workers: int, scheduler: str | None) -> Any:
    fault = None
    try:
        distributed = library("distributed")
        if scheduler is not None:
            return distributed.Client(scheduler, set_as_default=False)
        cluster = distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        )
        return distributed.Client(cluster, set_as_default=False)
    except ImportError:
        fault = "dask is not installed; run: pip install 'semilla[dask]'"
    except (OSError, TimeoutError):
        fault = "no Dask scheduler answers at the address of --scheduler"
    raise UsageError(fault)


ENGINES: dict[str, Callable[[int, str | None], AbstractContextManager[Engine]]] = {"dask": dask_engine}
