"""Work on shards that needs no detector: counts what it did, fails on demand, and loses its process on demand."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.shard_work import Made, Shard
from seed_engine.conversation import Conversation, Turn
from seed_engine.errors import InputError

NAME = "Quenvarius Ploddington"


@dataclass(frozen=True)
class Lengths:
    """Lengths of all turns.

    Attributes:
        log: a line for each shard that was done; None for nowhere.
        lose: folder of marks; a process that finds its shard not marked there marks it and is killed.
        always: lose every process.
    """

    log: str | None = None
    lose: str | None = None
    always: bool = False

    @property
    def mark(self) -> str:
        return "lengths"

    def load(self, detector: Any = None) -> Callable[[Shard], Made]:
        return self._made

    def _made(self, shard: Shard) -> Made:
        if self.lose is not None:
            mark = Path(self.lose) / shard[0].id
            if self.always or (not mark.exists() and shard[0].id in ("c0", "c8")):
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        if self.log is not None:
            with Path(self.log).open("a") as file:
                file.write(f"{len(shard)}\n")
        return Made([[len(turn.text) for turn in item.turns] for item in shard], ("double",))


@dataclass(frozen=True)
class Failing:
    """Raises what quotes the text, or an error of the house."""

    house: bool = False

    @property
    def mark(self) -> str:
        return "failing"

    def load(self, detector: Any = None) -> Callable[[Shard], Made]:
        return self._made

    def _made(self, shard: Shard) -> Made:
        if self.house:
            raise InputError("in.jsonl", 7, "a rule")
        raise ValueError(shard[0].turns[0].text)


def talks(count: int) -> list[Conversation]:
    texts = (f"Hello, I am {NAME}. Call 415-555-0{i:03d} or mail me{i}@example.org." for i in range(count))
    return [
        Conversation(
            id=f"c{i}",
            domain="support",
            subject=NAME,
            turns=(Turn(role="customer", text=text), Turn(role="agent", text="Sorry to hear that.")),
        )
        for i, text in enumerate(texts)
    ]
