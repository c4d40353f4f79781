"""Drops: each content once, in a run that names neither file nor digest; what was interrupted goes on."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from flows.drops import pending
from flows.rundir import RunDirectory


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    drops, runs = tmp_path / "drops", tmp_path / "runs"
    drops.mkdir()
    runs.mkdir()
    return drops, runs


def put(drops: Path, name: str, text: str, age_s: float = 3600) -> Path:
    path = drops / name
    path.write_text(text)
    os.utime(path, (time.time() - age_s,) * 2)
    return path


def ended(run: Path, exit_code: int | None, status: str = "halted") -> None:
    run.mkdir(exist_ok=True)
    (run / "run.json").write_text(json.dumps({"status": status, "exit_code": exit_code}))


def test_a_drop_is_pending_until_a_verdict_and_then_never_again(folders: tuple[Path, Path]) -> None:
    drops, runs = folders
    put(drops, "zebulon quark.jsonl", "a")
    (first,) = pending(drops, runs)
    assert not first.resume
    for exit_code, waits in ((None, True), (2, True), (130, True), (0, False), (1, False), (3, False)):
        ended(first.run, exit_code)
        assert [drop.resume for drop in pending(drops, runs)] == [True] * waits
    put(drops, "the same under another name.jsonl", "a")
    assert pending(drops, runs) == ()
    put(drops, "zebulon quark.jsonl", "changed")
    (second,) = pending(drops, runs)
    assert second.run != first.run


def test_a_run_names_neither_the_file_nor_its_digest(folders: tuple[Path, Path]) -> None:
    drops, runs = folders
    put(drops, "zebulon quark.jsonl", "a")
    (drop,) = pending(drops, runs)
    assert "quark" not in drop.run.name
    digest = hashlib.sha256(b"a").hexdigest()
    assert not any(digest[at : at + 8] in drop.run.name for at in range(56))


def test_equal_files_are_one_drop(folders: tuple[Path, Path]) -> None:
    drops, runs = folders
    for name in ("b", "a", "c"):
        put(drops, name, "same")
    assert [drop.path.name for drop in pending(drops, runs)] == ["a"]


def test_what_is_no_finished_file_is_left_alone(folders: tuple[Path, Path], tmp_path: Path) -> None:
    drops, runs = folders
    put(drops, ".hidden", "a")
    put(drops, "copying.jsonl.part", "b")
    put(drops, "fresh.jsonl", "c", age_s=1)
    (drops / "folder").mkdir()
    (drops / "link").symlink_to(put(tmp_path, "elsewhere", "d"))
    assert pending(drops, runs) == ()
    assert [drop.path.name for drop in pending(drops, runs, settle_s=0)] == ["fresh.jsonl"]


def test_a_night_that_was_killed_at_any_moment_is_gone_on_with(folders: tuple[Path, Path]) -> None:
    """Before run.json is written first there is a staging folder only; in the moment of publication too."""
    drops, runs = folders
    put(drops, "a", "a")
    (drop,) = pending(drops, runs)
    directory = RunDirectory(drop.run)
    with directory.open(resume=drop.resume):
        (directory.staging / "seeds.jsonl").write_text("{}\n")
    (again,) = pending(drops, runs)
    assert again.resume
    with RunDirectory(again.run).open(resume=again.resume):
        assert (directory.staging / "seeds.jsonl").exists()


@pytest.mark.parametrize("age_s", [86_400.0, -86_400.0])
def test_a_clock_that_jumps_neither_hides_a_drop_nor_repeats_one(folders: tuple[Path, Path], age_s: float) -> None:
    drops, runs = folders
    put(drops, "a", "a", age_s)
    (drop,) = pending(drops, runs)
    ended(drop.run, 0, "certified")
    os.utime(drop.path, (time.time() - 3 * age_s,) * 2)
    assert pending(drops, runs) == ()


def test_a_file_that_is_being_copied_waits(folders: tuple[Path, Path]) -> None:
    drops, runs = folders
    for age_s in (0.0, 30.0, -30.0):
        put(drops, "a", "a", age_s)
        assert pending(drops, runs) == ()
