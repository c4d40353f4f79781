"""The world fails around a run: disk, provider, Prefect, its database, the clock. It ends well, or stops and goes on.

What was written and printed on the way is swept for canaries every time.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flows.verify import verify
from tests.chaos.world import CONFIG, NAME, SWEEP, Server, World, allow_core_dumps, seeded
from tests.provider import Provider, follow_plan

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
# libfaketime shifts the monotonic time at which a sleep is to end, and Prefect's heartbeat dies of it. A clock that
# really jumps leaves the monotonic one alone.
_FAKED_SLEEP = re.compile(
    r"Exception in thread .*\nTraceback .*\n(?: .*\n)*?.* in heartbeat_loop\n"
    r" +time\.sleep\(1\)\nOSError: \[Errno 22\].*\n"
)


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a tmpfs needs root")
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this container may not mount a tmpfs")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # after a failure something still works there


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 1800
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)


def stage_is_done(out: Path, stage: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return stage in {item["name"] for item in json.loads((out / "run.json").read_text())["stages"]}
    return False


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[World, Server]]:
    world = World.make(tmp_path)
    with Server(tmp_path / "server") as server:
        world.api = server.address
        yield world, server


def assert_ends_as_undisturbed(world: World, process: subprocess.Popen[str], out: Path) -> None:
    """The run ends well; or it says that it stopped, and where, and `--resume` ends it well."""
    exit_code, _ = world.finish(process)
    if exit_code != 0:
        assert exit_code == 2, world.printed[-2000:]
        assert json.loads((out / "run.json").read_text())["status"] == "halted"
        assert world.run(out, "--resume")[0] == 0, world.printed[-2000:]
    whole = world.folder / "whole"
    assert world.run(whole)[0] == 0, world.printed[-2000:]
    assert seeded(out) == seeded(whole)
    assert "Traceback" not in _FAKED_SLEEP.sub("", world.printed)
    world.assert_clean()


@pytest.mark.slow
def test_a_full_disk_stops_the_run_and_room_lets_it_go_on(served: tuple[World, Server]) -> None:
    world, _ = served
    with small_disk(world.folder / "disk", 16) as disk:
        ballast, out = disk / "ballast", disk / "out"
        process = world.start(out)
        wait_for(lambda: stage_is_done(out, "extract"), process)
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 4096)
        exit_code, payload = world.finish(process)
        assert exit_code == 2, world.printed[-2000:]
        assert "No space left on device" in payload["error"]
        assert not (out / "certificate.json").exists()
        ballast.unlink()
        assert_ends_as_undisturbed(world, world.start(out, "--resume"), out)


@pytest.mark.slow
@pytest.mark.parametrize("there", [3, 7])
def test_a_provider_that_goes_away_stops_the_run_and_is_asked_for_nothing_twice(tmp_path: Path, there: int) -> None:
    """Of eight conversations it answers a few, or all but one: the set is whole before it is certified."""
    answered: list[str] = []
    back = False

    def answer(messages: list[dict[str, str]]) -> str:
        if len(answered) >= there and not back:
            raise ConnectionAbortedError
        answered.append(messages[-1]["content"])
        return follow_plan(messages)

    with Provider(answer) as provider, Server(tmp_path / "server") as server:
        how = f'model = "openai/double"\napi_base = "{provider.base}"\ntimeout_s = 5\nconcurrency = 1'
        world = World.make(tmp_path, CONFIG.replace('strategy = "template"', how))
        world.api, out, whole = server.address, world.folder / "out", world.folder / "whole"
        exit_code, payload = world.run(out)
        assert exit_code == 2
        assert "provider" in payload["error"].lower()
        assert payload["error"].endswith(f"still to be made: {8 - there}")
        assert len(answered) == there
        back = True
        exit_code, _ = world.run(out, "--resume")
        assert exit_code == 0, world.printed[-2000:]
        assert len(answered) == 8, "one answer a conversation"
        assert world.run(whole)[0] == 0, world.printed[-2000:]
    assert seeded(out) == seeded(whole)
    world.assert_clean()


CRASH = f"import os; name = {NAME!r}.title(); os.abort()"


@pytest.mark.slow
def test_a_crash_with_a_server_of_its_own_leaves_no_core_dump_and_is_resumed(tmp_path: Path) -> None:
    """SIGABRT to the run and to all that it has started; whether a dump would be found is shown by one without care."""
    (tmp_path / "careless").mkdir()
    careless = {"cwd": tmp_path / "careless", "preexec_fn": allow_core_dumps, "check": False}
    subprocess.run([sys.executable, "-c", CRASH], **careless)  # type: ignore[call-overload]
    if not SWEEP.below(tmp_path / "careless"):
        pytest.skip("no crash leaves a core dump in its folder here (kernel.core_pattern, ulimit -H -c)")
    world = World.make(tmp_path)
    out = world.folder / "out"
    process = world.start(out)
    wait_for(lambda: stage_is_done(out, "validate"), process)
    os.killpg(process.pid, signal.SIGABRT)
    assert world.finish(process)[0] == -signal.SIGABRT
    world.assert_clean()
    assert_ends_as_undisturbed(world, world.start(out, "--resume"), out)


@pytest.mark.slow
def test_prefects_server_restarted_in_the_middle(served: tuple[World, Server]) -> None:
    world, server = served
    out = world.folder / "out"
    process = world.start(out)
    wait_for(lambda: stage_is_done(out, "validate"), process)
    server.kill()
    time.sleep(3)
    server.start()
    assert_ends_as_undisturbed(world, process, out)


@pytest.mark.slow
def test_prefects_database_locked_by_somebody_else(served: tuple[World, Server]) -> None:
    world, server = served
    out = world.folder / "out"
    process = world.start(out)
    wait_for(lambda: stage_is_done(out, "validate"), process)
    (database,) = server.home.glob("prefect.db")
    with contextlib.closing(sqlite3.connect(database, isolation_level=None, timeout=60)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(20)
        connection.execute("ROLLBACK")
    assert_ends_as_undisturbed(world, process, out)


@pytest.mark.slow
@pytest.mark.parametrize("jump", ["-2d", "+2d"])
def test_a_clock_that_jumps(served: tuple[World, Server], jump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set ahead, the run signs a certificate of the day after tomorrow, which holds from then on; nothing else is new.

    Time that passes is measured by another clock, so no figure is of two days.
    """
    if not FAKETIME.exists():
        pytest.skip("libfaketime is not installed (apt-get install faketime)")
    world, _ = served
    out, clock = world.folder / "out", world.private / "clock"
    clock.write_text("+0")
    with monkeypatch.context() as patch:
        patch.setenv("LD_PRELOAD", str(FAKETIME))
        patch.setenv("FAKETIME_TIMESTAMP_FILE", str(clock))
        patch.setenv("FAKETIME_NO_CACHE", "1")
        patch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        process = world.start(out)
    wait_for(lambda: stage_is_done(out, "validate"), process)
    clock.write_text(jump)
    assert_ends_as_undisturbed(world, process, out)
    record = json.loads((out / "run.json").read_text())
    assert 0 < record["seconds"] < 86_400
    assert all(0 <= stage["seconds"] < 86_400 for stage in record["stages"])
    monkeypatch.setenv("XDG_CONFIG_HOME", str(world.folder / "config"))
    rules = [fault.rule for fault in verify(out).faults]
    assert rules == ([] if jump == "-2d" else ["issued in the future"])
