"""SIGKILL at random moments: what is resumed ends as if nothing had happened, and nothing uncertified is ever seen."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import time
from pathlib import Path

import pytest

from flows.rundir import OWN
from flows.verify import verify
from tests.chaos.world import CONFIG, SEEDED, UNSEEDED, Server, World, booked, seeded
from training.ledger import read_ledger

# Fixed, so that a failure can be looked at again; which instruction is hit differs all the same.
MOMENTS = random.Random(20261202)


def killed_until(world: World, out: Path, kills: int, longest_s: float) -> int:
    """Start, kill and go on until `kills` have hit a working process, or it was faster; returns how many have."""
    done = 0
    while done < kills and not (out / "certificate.json").exists():
        process = world.start(out, *(("--resume",) if done else ()))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(MOMENTS.uniform(0.0, longest_s))
        done += process.poll() is None
        world.kill(process)
        assert_nothing_uncertified(out)
    return done


def assert_nothing_uncertified(out: Path) -> None:
    """A reader of the directory sees a whole certified set, or nothing but a run that works or has been stopped."""
    if (out / "certificate.json").exists():
        assert json.loads((out / "run.json").read_text())["status"] == "certified"
    elif out.exists():
        assert {item.name for item in out.iterdir() if not item.name.endswith(".part")} <= OWN


def assert_as_undisturbed(out: Path, whole: Path) -> None:
    assert seeded(out) == seeded(whole)
    assert {item.name for item in out.iterdir()} == {*SEEDED, *UNSEEDED} == {item.name for item in whole.iterdir()}
    assert not list(out.rglob("*.part*"))
    assert not out.with_name(f".{out.name}.staging").exists()


def compare(world: World, ledger: Path, kills: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(world.folder / "config"))
    began, whole = time.monotonic(), world.folder / "whole"
    exit_code, _ = world.run(whole)
    assert exit_code == 0, world.printed[-2000:]
    longest, left, runs = time.monotonic() - began, kills, 1
    while left > 0:
        out = world.folder / f"killed-{runs}"
        left -= killed_until(world, out, left, longest)
        if not (out / "certificate.json").exists():
            exit_code, record = world.run(out, *(("--resume",) if out.exists() else ()))
            assert exit_code == 0, (record, world.printed[-2000:])
        runs += 1
        assert_as_undisturbed(out, whole)
        assert verify(out).ok
    # However often it was killed, each set was trained on once, so epsilon was spent once.
    assert len(read_ledger(ledger).entries) == runs
    world.assert_clean()


@pytest.mark.slow
def test_twenty_five_kills_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = tmp_path / "ledger.json"
    world = World.make(tmp_path, booked(CONFIG, ledger))
    with Server(tmp_path / "server") as server:
        world.api = server.address
        compare(world, ledger, 25, monkeypatch)


@pytest.mark.slow
def test_three_kills_of_a_run_with_a_server_of_its_own_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tmp_path / "ledger.json"
    compare(World.make(tmp_path, booked(CONFIG, ledger)), ledger, 3, monkeypatch)


@pytest.mark.slow
def test_a_second_run_on_one_directory_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    world, out = World.make(tmp_path), tmp_path / "world" / "out"
    with Server(tmp_path / "server") as server:
        world.api = server.address
        first = world.start(out)
        while not (out / "run.json").exists():
            assert first.poll() is None
            time.sleep(0.1)
        exit_code, payload = world.run(out, "--resume")
        assert exit_code == 2
        assert "another run works in" in payload["error"]
        exit_code, _ = world.finish(first)
    assert exit_code == 0, world.printed[-2000:]
    world.assert_clean()
