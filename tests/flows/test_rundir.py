"""The run's directory: one rename, one holder, nothing left after a halt."""

from __future__ import annotations

import json
import multiprocessing
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from flows.config import RunConfig
from flows.errors import RunExistsError
from flows.records import GateRecord, RunRecord
from flows.rundir import RunDirectory, write_json
from flows.runlog import RunLog
from flows.workspace import StageResult


@pytest.fixture
def run() -> RunRecord:
    return RunLog(RunConfig()).certified()


def test_publish_is_one_rename_onto_an_empty_directory(tmp_path: Path, run: RunRecord) -> None:
    directory = RunDirectory(tmp_path / "missing" / "out")
    with directory.open(resume=False):
        directory.save(run)
        (directory.staging / "synthetic.jsonl").write_text("{}\n")
        assert [item.name for item in directory.path.iterdir()] == ["run.json"]
        (directory.staging / "run.json").write_text("{}")
        directory.publish()
    assert sorted(item.name for item in directory.path.iterdir()) == ["run.json", "synthetic.jsonl"]
    assert not directory.staging.exists()
    assert stat.S_IMODE(directory.path.stat().st_mode) == 0o700


def test_a_resumed_run_publishes_over_what_its_halt_left(tmp_path: Path, run: RunRecord) -> None:
    directory = RunDirectory(tmp_path / "out")
    with directory.open(resume=False):
        directory.save(run)
        for name in ("report.html", "scores.json"):
            (directory.path / name).write_text("{}")
    with directory.open(resume=True):
        (directory.staging / "certificate.json").write_text("{}")
        directory.publish()
    assert [item.name for item in directory.path.iterdir()] == ["certificate.json"]


def test_resume_refuses_a_directory_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep")
    with pytest.raises(RunExistsError), RunDirectory(tmp_path / "out").open(resume=True):
        pass


def test_a_link_is_followed_and_a_mount_point_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    directory = RunDirectory(tmp_path / "link")
    with directory.open(resume=False):
        (directory.staging / "run.json").write_text("{}")
        directory.publish()
    assert (tmp_path / "link" / "run.json").exists()
    with pytest.raises(RunExistsError, match="mount point"), RunDirectory(Path("/proc")).open(resume=False):
        pass


def test_halt_keeps_figures_and_nothing_else(tmp_path: Path, run: RunRecord) -> None:
    directory = RunDirectory(tmp_path / "out")
    with directory.open(resume=False):
        for name in ("seeds.jsonl", "synthetic.jsonl", "scores.json", "attacks.json"):
            (directory.staging / name).write_text("{}")
        (directory.staging / "adapter").mkdir()
        directory.halt(run)
    assert sorted(item.name for item in directory.path.iterdir()) == ["attacks.json", "run.json", "scores.json"]
    assert [item.name for item in tmp_path.iterdir()] == ["out"]


def test_a_stop_before_anything_was_written_leaves_nothing(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path / "out")
    with directory.open(resume=False):
        directory.discard()
    assert list(tmp_path.iterdir()) == []


def test_what_an_earlier_run_staged_is_not_discarded(tmp_path: Path) -> None:
    directory = RunDirectory(tmp_path / "out")
    with directory.open(resume=False):
        (directory.staging / "seeds.jsonl").write_text("{}")
    with directory.open(resume=True):
        directory.discard()
    assert (directory.staging / "seeds.jsonl").exists()


def test_a_taken_directory_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep")
    with pytest.raises(RunExistsError), RunDirectory(tmp_path / "out").open(resume=False):
        pass
    assert (tmp_path / "out" / "mine.txt").read_text() == "keep"
    assert [item.name for item in tmp_path.iterdir()] == ["out"]


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("keep")
    with pytest.raises(RunExistsError), RunDirectory(tmp_path / "out").open(resume=True):
        pass


def test_an_interrupted_run_needs_resume(tmp_path: Path, run: RunRecord) -> None:
    directory = RunDirectory(tmp_path / "out")
    with directory.open(resume=False):
        directory.save(run)
        (directory.staging / "seeds.jsonl").write_text("{}")
    with pytest.raises(RunExistsError), directory.open(resume=False):
        pass
    with directory.open(resume=True):
        assert (directory.staging / "seeds.jsonl").exists()


def test_a_certified_directory_is_never_reopened(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "certificate.json").write_text("{}")
    with pytest.raises(RunExistsError), RunDirectory(tmp_path / "out").open(resume=True):
        pass


def _try_to_open(path: str, answer: multiprocessing.SimpleQueue) -> None:  # type: ignore[type-arg]
    try:
        with RunDirectory(Path(path)).open(resume=True):
            answer.put("opened")
    except RunExistsError:
        answer.put("refused")


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    answer = context.SimpleQueue()
    with RunDirectory(tmp_path / "out").open(resume=False):
        other = context.Process(target=_try_to_open, args=(str(tmp_path / "out"), answer))
        other.start()
        other.join(60)
    assert answer.get() == "refused"


def test_write_json_leaves_the_old_file_when_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    write_json(path, {"a": 1})
    with pytest.raises(TypeError):
        write_json(path, {"a": object()})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [item.name for item in tmp_path.iterdir()] == ["scores.json"]


def test_the_log_stops_at_the_first_gate_that_does_not_pass() -> None:
    log = RunLog(RunConfig())
    passed = GateRecord(name="schema", figure=0, threshold=0, verdict="pass")
    blind = GateRecord(name="attacks.membership", figure=0.02, threshold=0.01, verdict="inconclusive")
    failed = GateRecord(name="leak", figure=3, threshold=0, verdict="fail", detail="leaks")
    assert log.add("validate", StageResult(gates=(passed,))) is None
    assert log.add("evaluate", StageResult(gates=(passed, failed, blind))) == failed
    assert (log.halted(failed).status, log.record.exit_code) == ("halted", 1)
    assert log.record.reason == "leak: 3 against 0 (leaks): fail"
    assert (log.halted(blind).status, log.record.exit_code) == ("inconclusive", 3)
    assert (log.stopped("generate", "ProviderTimeout").status, log.record.exit_code) == ("halted", 2)


def test_half_a_file_of_a_killed_run_is_neither_in_the_way_nor_published(tmp_path: Path, run: RunRecord) -> None:
    directory = RunDirectory(tmp_path / "out")
    code = (
        "import os, signal, sys; from pathlib import Path; from flows.rundir import RunDirectory\n"
        "from seed_engine.atomic import atomic_path\n"
        "directory = RunDirectory(Path(sys.argv[1]))\n"
        "with directory.open(resume=False):\n"
        "    (directory.staging / 'adapter').mkdir()\n"
        "    targets = [directory.path / 'run.json', directory.staging / 'a', directory.staging / 'adapter' / 'b']\n"
        "    open_ = [atomic_path(target) for target in targets]\n"
        "    for context in open_: context.__enter__().write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(directory.path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert list(directory.path.glob(".*.part"))
    assert list(directory.staging.rglob("adapter/.*.part"))
    (directory.staging / ".notes.part").write_text("somebody's own")
    with directory.open(resume=True):
        assert list(directory.path.iterdir()) == []
        assert sorted(path.name for path in directory.staging.rglob("*")) == [".notes.part", "adapter"]
        directory.save(run)
