"""Ctrl-C, SIGTERM and SIGHUP: run.json tells the truth, nothing half-written stays, the shell learns the signal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.config import RunConfig
from flows.errors import StageError
from flows.interrupts import Interrupted, held_back, interruptible, signal_of
from flows.pipeline import note_interrupt
from flows.records import GateRecord
from flows.records_io import write_records
from flows.rundir import RunDirectory
from flows.runlog import RunLog
from flows.sealed import sealed
from flows.workspace import StageResult
from tests.generator.seeds import support_seed
from tests.provider import Provider, follow_plan

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NAME = "Quenvarius Ploddington"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_becomes_an_exception_that_nothing_takes_for_a_fault(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(Interrupted) as caught, interruptible():
        sealed("detect", signal.raise_signal, number)
    assert signal_of(caught.value) is number
    assert signal.getsignal(number) is before


def test_a_signal_that_is_ignored_stays_so() -> None:
    """As `nohup` asks for."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_signal_waits_for_what_must_not_be_left_half_done() -> None:
    done = []

    def work(number: signal.Signals) -> None:
        with interruptible(), held_back():
            signal.raise_signal(number)
            done.append(number)

    with pytest.raises(Interrupted):
        work(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        work(signal.SIGINT)
    assert done == [signal.SIGTERM, signal.SIGINT]


def test_a_fault_of_the_clean_up_does_not_hide_the_signal() -> None:
    """Ctrl-C reaches Prefect's own server too, which is then gone when Prefect wants to tell it."""

    def body(first: BaseException) -> None:
        try:
            raise first
        finally:
            raise ConnectionError("server gone")

    with pytest.raises(Interrupted) as caught:
        sealed("run", body, KeyboardInterrupt())
    assert signal_of(caught.value) is signal.SIGINT
    with pytest.raises(StageError):
        sealed("run", body, ValueError())
    assert signal_of(ValueError()) is None
    assert signal_of(SystemExit(2)) is None


@pytest.fixture
def run_directory(tmp_path: Path) -> Iterator[RunDirectory]:
    directory = RunDirectory(tmp_path / "out")
    with directory.open(resume=False):
        (directory.staging / "seeds.jsonl").write_text("{}\n")
        yield directory


@pytest.mark.parametrize("number", SIGNALS)
def test_the_record_tells_stage_and_signal_once(run_directory: RunDirectory, number: signal.Signals) -> None:
    log = RunLog(RunConfig())
    log.stage = "generate"
    log.add("extract", StageResult(gates=(GateRecord(name="input", figure=1, threshold=1, verdict="pass"),)))
    note_interrupt(Interrupted(number), run_directory, log)
    note_interrupt(KeyboardInterrupt(), run_directory, log)
    record = json.loads((run_directory.path / "run.json").read_text())
    assert (record["status"], record["halted_at"], record["exit_code"]) == ("halted", "generate", 128 + number)
    assert number.name in record["reason"]
    assert record["finished"]
    assert (run_directory.staging / "seeds.jsonl").exists()  # a resumed run goes on from here
    assert "Stopped at generate" in (run_directory.path / "report.html").read_text()


def test_before_the_first_stage_ended_nothing_is_worth_keeping(run_directory: RunDirectory) -> None:
    log = RunLog(RunConfig())
    log.stage = "extract"
    note_interrupt(KeyboardInterrupt(), run_directory, log)
    assert not run_directory.staging.exists()
    assert json.loads((run_directory.path / "run.json").read_text())["halted_at"] == "extract"


def test_a_verdict_is_not_overwritten(run_directory: RunDirectory) -> None:
    log = RunLog(RunConfig())
    gate = GateRecord(name="leak", figure=3, threshold=0, verdict="fail")
    run_directory.halt(log.halted(gate))
    note_interrupt(KeyboardInterrupt(), run_directory, log)
    assert json.loads((run_directory.path / "run.json").read_text())["halted_at"] == "leak"


def conversations(count: int) -> str:
    turns = [{"role": "customer", "text": f"hi, this is {NAME}, my order is late"}, {"role": "agent", "text": "oh"}]
    return "".join(json.dumps({"id": f"c{n}", "domain": "support", "turns": turns}) + "\n" for n in range(count))


def start(tmp_path: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "OPENAI_API_KEY": "none", "PREFECT_HOME": str(tmp_path / "prefect")}
    command = [sys.executable, "-m", "flows", *arguments, "--json"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 240
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def end(process: subprocess.Popen[str], number: signal.Signals, *, group: bool = False) -> tuple[float, Any, str]:
    """Seconds until the process was gone, its last line of JSON and what it said on stderr."""
    began = time.monotonic()
    (os.killpg if group else os.kill)(process.pid, number)
    printed, told = process.communicate(timeout=120)
    assert process.returncode == 128 + number, (process.returncode, told)
    assert "Traceback" not in told
    assert NAME.split()[0] not in printed + told
    return time.monotonic() - began, json.loads(printed.splitlines()[-1]), told


VERBS = {"detect": signal.SIGTERM, "deidentify": signal.SIGINT, "seed": signal.SIGTERM}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_that_is_ended_while_it_writes_leaves_nothing(tmp_path: Path, verb: str) -> None:
    number, source, out = VERBS[verb], tmp_path / "in.jsonl", tmp_path / "out"
    source.write_text(conversations(20_000))
    (tmp_path / "semilla.toml").write_text('[detector]\nengine = "regex"\n')
    out.mkdir()
    config = str(tmp_path / "semilla.toml")
    process = start(tmp_path, verb, str(source), "-o", str(out / "result.jsonl"), "--config", config)
    wait_for(lambda: any(out.iterdir()), process)
    _, payload, told = end(process, number)
    assert payload["exit_code"] == 128 + number
    assert number.name in told
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_generation_ends_at_once_though_the_provider_keeps_it_waiting(tmp_path: Path, number: signal.Signals) -> None:
    seeds, out = tmp_path / "seeds.jsonl", tmp_path / "out"
    write_records(seeds, [support_seed(4).model_copy(update={"id": f"seed-{i:06d}"}) for i in range(1, 13)])
    out.mkdir()
    left = iter(range(3))

    def slow(messages: list[dict[str, str]]) -> str:
        if next(left, None) is None:
            time.sleep(60)
        return follow_plan(messages)

    with Provider(slow) as provider:
        (tmp_path / "semilla.toml").write_text(
            f'[generator]\nmodel = "openai/x"\napi_base = "{provider.base}"\nconcurrency = 1\n'
        )
        config = str(tmp_path / "semilla.toml")
        process = start(tmp_path, "generate", str(seeds), "-o", str(out / "synthetic.jsonl"), "--config", config)
        wait_for(lambda: len(provider.sent) > 3, process)
        assert any(out.iterdir())
        seconds, _, _ = end(process, number)
    assert seconds < 15
    assert list(out.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "group"), [(signal.SIGTERM, False), (signal.SIGINT, True)], ids=["SIGTERM", "Ctrl-C of a terminal"]
)
def test_a_run_that_is_ended_says_so_and_can_be_resumed(tmp_path: Path, number: signal.Signals, group: bool) -> None:
    (tmp_path / "in.jsonl").write_text(conversations(6))
    left = iter(range(2))

    def slow(messages: list[dict[str, str]]) -> str:
        if next(left, None) is None:
            time.sleep(60)
        return follow_plan(messages)

    with Provider(slow) as provider:
        (tmp_path / "semilla.toml").write_text(
            f'[detector]\nengine = "regex"\n[generator]\nmodel = "openai/x"\napi_base = "{provider.base}"\n'
            "concurrency = 1\n"
        )
        arguments = ("--input", str(tmp_path / "in.jsonl"), "--config", str(tmp_path / "semilla.toml"))
        process = start(tmp_path, "run", *arguments, "--out", str(tmp_path / "out"))
        wait_for(lambda: len(provider.sent) > 2, process)
        seconds, payload, _ = end(process, number, group=group)
    assert payload["exit_code"] == 128 + number
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (record["status"], record["halted_at"], record["exit_code"]) == ("halted", "generate", 128 + number)
    staged = {item.name for item in (tmp_path / ".out.staging").iterdir()}
    assert "seeds.jsonl" in staged
    assert not [name for name in staged if name.endswith(".part")]
    assert seconds < 30
