"""Where the stages that map over conversations do their work; decides how fast a run is and nothing that it writes."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from seed_engine.conversation import Boundary

EngineName = Literal["plain", "process", "dask", "ray"]
CLUSTERS = ("dask", "ray")


class EngineConfig(Boundary):
    """How the work of a run is spread.

    Attributes:
        engine: `plain` works in the run's own process; `process` starts others on this machine where there is more than
            a shard to do; `dask` and `ray` use a cluster. Every file that is published comes out the same.
        workers: processes of `process`, or of a cluster that the run starts itself, 1 to 10,000; None for one a core.
        scheduler: address of a cluster that is there already (`tcp://host:8786`, `ray://host:10001`); conversations are
            sent to it as they are, so it must be as private as the inputs. None starts one on this machine.
        shard: conversations that are done, and remembered, together, 1 to 10,000. A kill costs one shard a process;
            64 are about a second of work.
    """

    engine: EngineName = "process"
    workers: int | None = Field(None, ge=1, le=10_000)
    scheduler: str | None = None
    shard: int = Field(64, ge=1, le=10_000)

    @model_validator(mode="after")
    def _scheduler_is_of_a_cluster(self) -> Self:
        if self.scheduler is not None and self.engine not in CLUSTERS:
            raise ValueError("a scheduler is of engine dask or ray")
        return self
