"""Engines that run tasks on several machines; each is one entry of `CLUSTERS`."""

from __future__ import annotations

import os
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
# Tasks give back counts, so Ray's own store may be as small as it lets it be.
_STORE = 100 * 2**20


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
            if future.status == "lost":  # with the worker that held it; the scheduler has it done once more
                running.add(future)
                continue
            if future.status != "finished":
                raise StageError("cluster", f"a task ended with {future.status}")
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
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            host="127.0.0.1",
            # Without a limit nothing is ever put on disk to make room: it could be text.
            memory_limit=0,
            # Anybody on this machine may knock at a port; who does not hold this cluster's certificate is not let in.
            security=True,
        )
        return distributed.Client(cluster, set_as_default=False)
    except ImportError:
        fault = "dask is not installed; run: pip install 'semilla[dask]'"
    except (OSError, TimeoutError):
        fault = "no Dask scheduler answers at the address of --scheduler"
    raise UsageError(fault)


@contextmanager
def ray_engine(workers: int, scheduler: str | None) -> Iterator[Engine]:
    """Ray: a cluster by its address, or one of processes on this machine.

    Args:
        workers: processes of an own cluster; of another one it is not asked.
        scheduler: address (`host:6379`, `ray://host:10001`), or None.

    Raises:
        UsageError: Ray is not installed, or nobody answers at the address.
        StageError (when run): a task failed on three machines.
    """
    ray = _ray(workers, scheduler)
    ahead = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def run(work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        task, unread = ray.remote(max_retries=2, retry_exceptions=True)(_of).options(name="shard"), iter(jobs)
        running = [task.remote(work, job) for job in islice(unread, ahead)]
        while running:
            (ended, *_), running = ray.wait(running, num_returns=1)
            yield _result(ray, ended)
            running += [task.remote(work, job) for job in islice(unread, 1)]

    try:
        yield run
    finally:
        ray.shutdown()


def _of(work: Callable[[Job], Result], job: Job) -> Result:
    return work(job)


def _result(ray: Any, ended: Any) -> Any:
    try:
        return ray.get(ended)
    except ray.exceptions.RayError as error:
        # Its text quotes what the task was given.
        fault = type(error).__name__
    raise StageError("cluster", f"a task ended with {fault}")


def _ray(workers: int, scheduler: str | None) -> Any:
    # Read when Ray is imported: it reports its use to its makers unless it is told not to.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    fault = None
    try:
        ray = library("ray")
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        # Nothing is put on disk to make room: it could be text.
        own = {"_system_config": {"automatic_object_spilling_enabled": False}}
        if scheduler is None:
            ray.init(num_cpus=workers, include_dashboard=False, object_store_memory=_STORE, **own, **quiet)
        else:
            ray.init(address=scheduler, **quiet)
        return ray
    except ImportError:
        fault = "ray is not installed; run: pip install 'semilla[ray]'"
    except (OSError, RuntimeError, ValueError):
        fault = "no Ray cluster answers at the address of --scheduler"
    raise UsageError(fault)


CLUSTERS: dict[str, Callable[[int, str | None], AbstractContextManager[Engine]]] = {
    "dask": dask_engine,
    "ray": ray_engine,
}
