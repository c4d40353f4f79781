"""The quick core of the chaos test: the stages that are seeded, killed three times while they work, without Prefect."""

from __future__ import annotations

import multiprocessing
import random
from multiprocessing.connection import Connection
from pathlib import Path

from flows.config import load_config
from flows.rundir import RunDirectory
from flows.stages import STAGES
from flows.workspace import Workspace
from tests.chaos.world import CONFIG, conversations

STEPS = ("extract", "validate", "generate")
WRITTEN = ("seeds.jsonl", "synthetic.jsonl")
COUNT = 6


def work_through(out: Path, source: Path, config: Path, told: Connection) -> None:
    """All steps, from whatever an earlier process has left; tells each conversation that is done."""
    directory = RunDirectory(out)
    with directory.open(resume=True):
        work = Workspace(directory.staging, (source,), load_config(config), None, False)
        for name in STEPS:
            STAGES[name](work, lambda done, _total: told.send(done))
    told.send("whole")


def test_three_kills_change_nothing(tmp_path: Path) -> None:
    source, config = tmp_path / "in.jsonl", tmp_path / "semilla.toml"
    source.write_text(conversations(COUNT))
    config.write_text(CONFIG)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["flows.stages", "generator.generate", "seed_engine.extract", __name__])
    moments = random.Random(3)

    def go(out: Path, steps: int | None) -> bool:
        """Work until so many steps were told, or to the end; whether it came to the end."""
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=work_through, args=(out, source, config, there))
        process.start()
        there.close()
        done, whole = 0, False
        try:
            while done != steps and not whole:
                whole = here.recv() == "whole"
                done += 1
        finally:
            process.kill()
            process.join()
        return whole

    assert go(tmp_path / "whole", None)
    killed = tmp_path / "killed"
    assert not go(killed, moments.randint(1, COUNT))  # in extraction
    for _ in range(2):  # in generation, or in extraction again
        assert not go(killed, moments.randint(COUNT + 1, COUNT + 3))
    assert go(killed, None)
    whole, resumed = (tmp_path / f".{name}.staging" for name in ("whole", "killed"))
    for name in WRITTEN:
        assert (resumed / name).read_bytes() == (whole / name).read_bytes()
    assert {item.name for item in resumed.iterdir()} == {item.name for item in whole.iterdir()}
    assert list(killed.iterdir()) == []
