"""What a cluster's scheduler tells of a task: done, done once more elsewhere, or failed for good."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from flows import clusters
from flows.clusters import dask_engine
from flows.errors import StageError


class Future:
    """A task that ends; `fates` are its states, one each time that somebody is told that it has ended."""

    def __init__(self, value: int, fates: list[str]) -> None:
        self._value, self._fates = value, fates

    @property
    def status(self) -> str:
        return self._fates[0]

    def told_again(self) -> None:
        del self._fates[0]

    def result(self) -> int:
        assert self.status == "finished", "it would be waited for, or raise what quotes its arguments"
        return self._value


class Ended:
    """As Dask's `as_completed`."""

    def __init__(self, futures: list[Future], loop: Any) -> None:
        self._futures = futures

    def add(self, future: Future) -> None:
        future.told_again()
        self._futures.append(future)

    def update(self, futures: list[Future]) -> None:
        self._futures.extend(futures)

    def __iter__(self) -> Iterator[Future]:
        while self._futures:
            yield self._futures.pop(0)


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[int, list[str]]], list[int]]:
    def results(fates: dict[int, list[str]]) -> list[int]:
        client = SimpleNamespace(
            submit=lambda work, job, **_: Future(work(job), fates.get(job, ["finished"])),
            scheduler_info=lambda **_: {"workers": [1]},
            close=lambda: None,
            cluster=None,
            loop=None,
        )
        monkeypatch.setattr(clusters, "_dask_client", lambda *_: client)
        monkeypatch.setattr(clusters, "library", lambda _: SimpleNamespace(as_completed=Ended))
        with dask_engine(1, None) as run:
            return sorted(run(lambda job: job * job, range(8)))

    return results


@pytest.mark.parametrize(
    "fates", [{}, {0: ["lost", "finished"]}, {3: ["lost", "lost", "finished"], 7: ["lost", "finished"]}]
)
def test_a_result_that_was_lost_with_its_worker_comes_all_the_same(dask: Any, fates: dict[int, list[str]]) -> None:
    assert dask(fates) == [job * job for job in range(8)]


@pytest.mark.parametrize("end", ["error", "cancelled"])
def test_a_task_that_failed_ends_the_stage(dask: Any, end: str) -> None:
    with pytest.raises(StageError, match=f"a task ended with {end}$"):
        dask({5: ["lost", end]})
