"""Mapped work: the same on every engine and after every kill, done once, and without a word of the source on disk."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from flows.config import RunConfig
from flows.engine_config import EngineConfig
from flows.engines import ENGINES, engine_for
from flows.errors import StageError, UsageError
from flows.shard_marks import detecting, seeding
from flows.shard_work import spans_of
from flows.shards import ShardStore
from flows.spreading import Spread
from flows.stages import STAGES
from flows.workspace import KEPT, Workspace
from seed_engine.config import DetectorConfig
from seed_engine.detect import Detector
from seed_engine.errors import InputError
from tests.chaos.world import CONFIG, SEEDED, SWEEP, conversations
from tests.flows.shard_double import NAME, Failing, Lengths, talks

KEY = bytes(32)
REGEX = DetectorConfig(engine="regex")


def spread(folder: Path, detector: Any = None, **settings: Any) -> Spread:
    config = EngineConfig(**{"engine": "plain", "shard": 4, **settings})
    return Spread(config, ShardStore(folder, KEY), lambda: detector)


def lines(path: Path) -> int:
    return path.read_text().count("\n") if path.exists() else 0


def test_shards_find_what_the_detector_finds_and_remember_it(tmp_path: Path) -> None:
    said, detector = talks(9), Detector(REGEX)
    twin = [detector.detect_conversation(item) for item in said]
    assert any(any(turns) for turns in twin)
    for size in (1, 2, 4, 9, 64):
        mapped = spread(tmp_path / str(size), detector, shard=size).map("x", detecting(REGEX), said)
        assert [spans_of(item) for item in mapped] == twin
        # Whoever goes on needs no detector.
        mapped = spread(tmp_path / str(size), None, shard=size).map("x", detecting(REGEX), said)
        assert [spans_of(item) for item in mapped] == twin


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 30), st.integers(1, 9), st.integers(0, 30))
def test_what_was_interrupted_is_gone_on_with(count: int, size: int, stop: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        log, work = Path(folder) / "log", Lengths(log=f"{folder}/log")
        mapped = spread(Path(folder) / "kept", shard=size).map("x", work, talks(count))
        for _, _item in zip(range(stop), mapped, strict=False):
            pass
        del mapped
        items = list(spread(Path(folder) / "kept", shard=size).map("x", work, talks(count)))
        assert items == [[len(turn.text) for turn in item.turns] for item in talks(count)]
        assert lines(log) == -(-count // size)  # each shard once, whatever the first had done


def test_a_shard_is_not_taken_for_another(tmp_path: Path) -> None:
    store, said = ShardStore(tmp_path, KEY), talks(2)
    name = store.name("a", said)
    changed = said[0].model_copy(update={"turns": said[1].turns})
    others = [
        store.name("b", said),
        store.name("a", said[:1]),
        store.name("a", said[::-1]),
        store.name("a", [said[0], said[1].model_copy(update={"domain": "medical"})]),
        store.name("a", [said[0], said[1].model_copy(update={"language": "es"})]),
        store.name("a", [changed, said[1]]),
        ShardStore(tmp_path, bytes(31) + b"1").name("a", said),
    ]
    assert len({name, *others}) == 8
    assert store.name("a", tuple(said)) == name


def test_what_was_changed_on_disk_is_done_again(tmp_path: Path) -> None:
    said, log = talks(8), tmp_path / "log"
    work, kept = Lengths(log=str(log)), tmp_path / "kept"
    truth = list(spread(kept).map("x", work, said))
    first, second = sorted(kept.iterdir())
    content = first.read_bytes()
    for wrong in (content.replace(b"19", b"18"), content[:-1], b"", second.read_bytes(), b"\xff" * 70):
        assert wrong != content
        first.write_bytes(wrong)
        before = lines(log)
        assert list(spread(kept).map("x", work, said)) == truth
        assert (lines(log), first.read_bytes()) == (before + 1, content)


def test_a_shard_says_nothing_of_its_text_and_is_its_owners(tmp_path: Path) -> None:
    config, said = RunConfig(detector=REGEX), talks(6)
    before = os.umask(0o022)
    try:
        mapped = spread(tmp_path / "kept", Detector(REGEX))
        assert len([*mapped.map("x", seeding(config, (), spread=True), said)]) == 6
        assert len([*mapped.map("x", detecting(REGEX), said)]) == 6
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / "kept").iterdir() if not path.name.startswith(".")]
    assert len(files) == 4
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700
    for path in files:
        assert path.stat().st_mode & 0o777 == 0o600
        assert int(path.name, 16)
        # The seal is hexadecimal, in which "c0" stands by chance.
        seal, whole = path.read_text()[:64], path.read_text()[64:]
        assert int(seal, 16)
        assert not any(word in whole for word in (*NAME.split(), "415", "example", "Hello", "Sorry", "c0"))


@pytest.mark.parametrize("engine", ["plain", "process"])
def test_a_fault_leaves_its_text_behind(engine: str, tmp_path: Path) -> None:
    mapped = spread(tmp_path / "kept", engine=engine, workers=2)
    with pytest.raises(StageError, match=r"^stage x stopped: ValueError$") as caught:
        list(mapped.map("x", Failing(), talks(9)))
    assert caught.value.__context__ is None
    with pytest.raises(InputError, match=r"^in.jsonl:7: a rule$"):
        list(mapped.map("x", Failing(house=True), talks(9)))


def test_processes_do_the_same_and_a_lost_one_is_made_up_for(tmp_path: Path) -> None:
    work, said = Lengths(lose=str(tmp_path)), talks(13)
    mapped = spread(tmp_path / "kept", engine="process", workers=2)
    assert list(mapped.map("x", work, said)) == list(spread(tmp_path / "other").map("x", Lengths(), said))
    assert (tmp_path / "c0").exists()
    assert mapped.cpu_seconds > 0
    assert mapped.models == {"double"}


def test_processes_that_are_always_lost_end_the_stage(tmp_path: Path) -> None:
    mapped = spread(tmp_path / "kept", engine="process", workers=2)
    with pytest.raises(StageError, match="again and again"):
        list(mapped.map("x", Lengths(lose=str(tmp_path), always=True), talks(8)))


def test_few_tasks_start_no_process() -> None:
    assert engine_for(EngineConfig(), 1) is None
    assert engine_for(EngineConfig(workers=1), 100) is None
    assert engine_for(EngineConfig(engine="plain"), 100) is None
    assert engine_for(EngineConfig(workers=2), 2) is not None
    assert engine_for(EngineConfig(engine="ray"), 0) is None
    assert set(ENGINES) | {"plain"} == {"plain", "process", "dask", "ray"}


def test_where_the_work_is_done_is_no_part_of_what_was_done() -> None:
    config = RunConfig()
    assert config.with_engine("ray").digest() == config.digest()
    assert config.with_engine("ray").run.engine == "ray"
    with pytest.raises(UsageError):
        config.with_engine("spark")
    with pytest.raises(ValidationError):
        EngineConfig(engine="process", scheduler="tcp://127.0.0.1:8786")


def staged(tmp_path: Path, name: str, **settings: Any) -> Workspace:
    (tmp_path / "in.jsonl").write_text(conversations(12))
    (tmp_path / "semilla.toml").write_text(CONFIG.replace("strategy", "redraws = 0\nstrategy"))
    from flows.config import load_config

    config = load_config(tmp_path / "semilla.toml")
    run = EngineConfig(**{"shard": 4, "workers": 2, **settings})
    (tmp_path / name).mkdir()
    work = Workspace(tmp_path / name, (tmp_path / "in.jsonl",), config.model_copy(update={"run": run}), None, False)
    work.key = KEY
    return work


def written(work: Workspace, *more: str) -> dict[str, bytes]:
    told = {}
    for stage in ("extract", "validate", *more):
        result = STAGES[stage](work, lambda done, total: None)
        told[stage] = json.dumps([result.counts, result.models, *map(str, result.gates)], sort_keys=True).encode()
    return told | {name: (work.directory / name).read_bytes() for name in SEEDED[: 1 + len(more)]}


def test_processes_write_the_same_bytes(tmp_path: Path) -> None:
    plain = written(staged(tmp_path, "plain", engine="plain"))
    assert written(staged(tmp_path, "process", engine="process")) == plain


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_a_cluster_writes_the_same_bytes_and_keeps_nothing(
    engine: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(package)
    import tempfile

    stages = ("generate", "evaluate", "render")
    plain = written(staged(tmp_path, "plain", engine="plain"), *stages)
    # Short: Ray puts sockets below it.
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="s") as scratch:
        for name in ("TMPDIR", "RAY_TMPDIR", "DASK_TEMPORARY_DIRECTORY"):
            monkeypatch.setenv(name, scratch)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            work = staged(tmp_path, engine, engine=engine)
            assert written(work, *stages) == plain
        assert SWEEP.below(Path(scratch)) == []
    assert SWEEP.below(work.directory) == []
    assert len([*(work.directory / KEPT).iterdir()]) >= 6


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_a_fault_on_a_cluster_leaves_its_text_behind(
    engine: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(package)
    import tempfile

    with tempfile.TemporaryDirectory(dir="/tmp", prefix="s") as scratch, warnings.catch_warnings():
        for name in ("TMPDIR", "RAY_TMPDIR"):
            monkeypatch.setenv(name, scratch)
        warnings.simplefilter("ignore")
        mapped = spread(tmp_path / "kept", engine=engine, workers=2)
        with pytest.raises(StageError, match=r"^stage x stopped: ValueError$"):
            list(mapped.map("x", Failing(), talks(9)))
        work, said = Lengths(lose=str(tmp_path)), talks(13)
        again = list(mapped.map("x", work, said))
        assert again == list(spread(tmp_path / "other").map("x", Lengths(), said))
        assert SWEEP.below(Path(scratch)) == []
    told = capfd.readouterr()
    assert not SWEEP.holds((told.out + told.err).encode())
