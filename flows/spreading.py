"""Maps work over conversations shard by shard, on the engine that the configuration names; remembers what is done.

The items come in the order of the conversations and are the same on every engine, and on a run that goes on: each is
read from the JSON that the work has made, wherever and whenever it was made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from flows.engine_config import EngineConfig
from flows.engines import engine_for
from flows.errors import StageError
from flows.shard_work import Job, Outcome, Work, work_elsewhere, work_here
from flows.shards import ShardStore
from seed_engine.errors import InputError

if TYPE_CHECKING:
    from seed_engine.conversation import Conversation
    from seed_engine.detect import Detector


class Spread:
    """The mapped work of one run.

    Args:
        config: engine and size of a shard.
        store: where shards are remembered.
        detector: gives the one that this process works with, when it does.

    Attributes:
        models: what the work ran on, wherever it was: families of the detector, and `minilm`.
        cpu_seconds: spent in other processes on shards that came back.
    """

    def __init__(self, config: EngineConfig, store: ShardStore, detector: Callable[[], Detector]) -> None:
        self._config, self._store, self._detector = config, store, detector
        self.models: set[str] = set()
        self.cpu_seconds = 0.0

    def map(
        self,
        stage: str,
        work: Work,
        conversations: Sequence[Conversation],
        *,
        here: bool = False,
        size: int | None = None,
    ) -> Iterator[Any]:
        """Yield the work's item of each conversation, in order.

        Args:
            stage: for errors.
            work: what is done.
            conversations: all of them.
            here: in this process, whatever the configuration says.
            size: of a shard, where the items depend on it; None for the configuration's.

        Raises:
            InputError: as the work does.
            StageError: anything else went wrong in it.
        """
        size = size or self._config.shard
        # Whom a conversation is about, and what a record carries beside its turns, no work needs to see.
        sent = [item.model_copy(update={"subject": None, "metadata": ()}) for item in conversations]
        shards = [tuple(sent[at : at + size]) for at in range(0, len(sent), size)]
        names = [self._store.name(work.mark, shard) for shard in shards]
        missing = [number for number, name in enumerate(names) if self._store.read(name) is None]
        left, early = set(missing), dict[int, str]()
        outcomes = self._outcomes(work, [(number, shards[number]) for number in missing], here=here)
        for number, name in enumerate(names):
            while number in left:
                outcome = next(outcomes)
                early[outcome.number] = self._kept(stage, names[outcome.number], outcome)
                left.remove(outcome.number)
            made = json.loads(early.pop(number) if number in early else str(self._store.read(name)))
            self.models.update(made["models"])
            yield from made["items"]

    def _outcomes(self, work: Work, jobs: Sequence[Job], *, here: bool) -> Iterator[Outcome]:
        engine = None if here else engine_for(self._config, len(jobs))
        if engine is None:
            load = lru_cache(maxsize=1)(lambda work: work.load(self._detector()))
            yield from (work_here(load, work, job) for job in jobs)
            return
        with engine as run:
            yield from run(partial(work_elsewhere, work), jobs)

    def _kept(self, stage: str, name: str, outcome: Outcome) -> str:
        """The body of a shard that has come back, now that it is remembered."""
        if outcome.process != os.getpid():
            self.cpu_seconds += outcome.cpu_seconds
        if outcome.body is None and len(outcome.fault) == 3:
            raise InputError(*outcome.fault)
        if outcome.body is None:
            raise StageError(stage, *outcome.fault)
        self._store.write(name, outcome.body)
        return outcome.body
