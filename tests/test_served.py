"""The schedule, for real: `semilla serve` with a server of its own, a short cron, three drops, one of which leaks."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import pytest

from flows.spent import spent_over_time
from flows.verify import verify
from tests.chaos.world import NAME, ROOT, SMALL, SWEEP, booked
from tests.provider import Provider, follow_plan

CONFIG = (
    """
[generator]
model = "openai/double"
api_base = "{base}"
timeout_s = 20
concurrency = 1
"""
    + SMALL
)


def drop(folder: Path, number: int, domain: str, subject: str) -> None:
    roles = ("customer", "agent") if domain == "support" else ("patient", "doctor")
    turns = [
        {"role": roles[0], "text": f"Hello, my name is {subject}. I have a question about my bill."},
        {"role": roles[1], "text": "Of course. When did you get it?"},
        {"role": roles[0], "text": "Last week. Write to ploddington@example.org please."},
        {"role": roles[1], "text": "Will do. Goodbye."},
    ]
    records = [{"id": f"c{number}-{i}", "domain": domain, "turns": turns} for i in range(3)]
    (folder / f"{number}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))


def leaks_in_medicine(messages: list[dict[str, str]]) -> str:
    """A provider that has seen a source: what it says of medicine holds the name of the second drop's customer."""
    reply: dict[str, Any] = json.loads(follow_plan(messages))
    if "medical" in messages[-1]["content"]:
        reply["turns"][1]["text"] += f" {NAME.lower()}ham"
    return json.dumps(reply)


def call(address: str, path: str, **body: Any) -> Any:
    request = urllib.request.Request(f"{address}/{path}", json.dumps(body).encode() if body else None)
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.loads(reply.read())


def notify_on_halt(address: str, url: str) -> None:
    """The automation that the README gives: a webhook is called when a night has failed."""
    (kind,) = call(address, "block_types/filter", block_types={"slug": {"any_": ["webhook"]}})
    (schema,) = call(address, "block_schemas/filter", block_schemas={"block_type_id": {"any_": [kind["id"]]}})
    data = {"method": "POST", "url": url, "allow_private_urls": True}
    ids = {"block_type_id": kind["id"], "block_schema_id": schema["id"]}
    block = call(address, "block_documents/", name="halts", data=data, **ids)
    trigger = {
        "type": "event", "posture": "Reactive", "threshold": 1, "within": 0, "expect": ["prefect.flow-run.Failed"],
        "match": {"prefect.resource.id": "prefect.flow-run.*"},
        "match_related": {"prefect.resource.name": "semilla-nightly", "prefect.resource.role": "flow"},
    }  # fmt: skip
    action = {"type": "call-webhook", "block_document_id": block["id"], "payload": "{{ flow_run.state.message }}"}
    call(address, "automations/", name="halted", trigger=trigger, actions=[action])


@dataclass
class Served:
    """`semilla serve` with a cron of every minute.

    Attributes:
        folder: drops and settings are in it.
        world: all that is written and printed is below it.
    """

    folder: Path
    config: Path

    def __post_init__(self) -> None:
        self.drops, self.world = self.folder / "drops", self.folder / "world"
        self.runs, self.log = self.world / "runs", self.world / "log"
        for folder in (self.drops, self.world, self.world / "tmp"):
            folder.mkdir()

    def drop(self, number: int, domain: str, subject: str) -> None:
        drop(self.drops, number, domain, subject)
        os.utime(self.drops / f"{number}.jsonl", (time.time() - 3600,) * 2)

    @contextlib.contextmanager
    def process(self) -> Iterator[subprocess.Popen[bytes]]:
        places = {"HOME": "home", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache"}
        places |= {"PREFECT_HOME": "prefect"}
        environment = {**os.environ, **{name: str(self.world / place) for name, place in places.items()}}
        environment |= {"OPENAI_API_KEY": "none", "PYTHONPATH": str(ROOT)}
        environment.pop("PREFECT_API_URL", None)
        files = ("--drops", self.drops, "--runs", self.runs, "--config", self.config)
        command = [sys.executable, "-m", "flows", "serve", *map(str, files), "--nightly", "* * * * *"]
        # Into a file: a pipe that nobody empties would stop the server when it is full.
        with self.log.open("wb") as file:
            printed = {"stdout": file, "stderr": file}
            process = subprocess.Popen(command, env=environment, cwd=self.world, start_new_session=True, **printed)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(600)

    def wait(self, process: subprocess.Popen[bytes], condition: Callable[[], bool]) -> None:
        until = time.monotonic() + 3000
        while not condition():
            assert process.poll() is None, self.log.read_text()[-2000:]
            assert time.monotonic() < until, self.log.read_text()[-2000:]
            time.sleep(0.5)

    def address(self, process: subprocess.Popen[bytes]) -> str:
        """Prefect's address, as soon as `semilla serve` has told it."""
        told = re.compile(r"Prefect server: (\S+)\n")
        self.wait(process, lambda: told.search(self.log.read_text()) is not None)
        return str(told.findall(self.log.read_text())[0])

    def assert_clean(self) -> None:
        """Nobody's name stands in anything that was written or printed, Prefect's database among it."""
        assert list(self.world.rglob("prefect.db"))
        assert SWEEP.below(self.world) == []

    def finished(self) -> list[dict[str, Any]]:
        records = [json.loads(path.read_text()) for path in self.runs.glob("drop-*/run.json")]
        return [record for record in records if record["exit_code"] is not None]


@pytest.mark.slow
def test_three_drops_two_certificates_one_halt_and_a_notification(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bytes] = []
    served, ledger = Served(tmp_path, tmp_path / "semilla.toml"), tmp_path / "ledger.json"
    for number, domain in enumerate(("support", "medical", "support")):
        served.drop(number, domain, f"{NAME}{'' if number else 'ham'}")
    with Provider(leaks_in_medicine) as provider, Listener(told) as listener:
        served.config.write_text(booked(CONFIG.format(base=provider.base), ledger))
        with served.process() as process:
            notify_on_halt(served.address(process), listener.url)
            served.wait(process, lambda: len(served.finished()) == 3 and bool(told))
    records = served.finished()
    assert sorted(record["status"] for record in records) == ["certified", "certified", "halted"]
    assert [record["halted_at"] for record in records if record["status"] == "halted"] == ["leak"]
    assert any(b"Halted: 1 of 3" in body for body in told)
    certified = [path.parent for path in served.runs.glob("*/certificate.json")]
    assert len(certified) == 2
    # What halted was never trained on, so the ledger holds the two that were, in the order that they were trained in.
    spent = sorted(json.loads((run / "adapter/training.json").read_text())["epsilon_spent"] for run in certified)
    assert [epsilon for _, epsilon in spent_over_time(ledger)] == pytest.approx(spent)
    assert 0 < spent[0] < spent[1]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(served.world / "config"))
    assert all(verify(run).ok for run in certified)
    served.assert_clean()
    assert not SWEEP.holds(b"".join(told))


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["the run", "the machine"])
def test_a_worker_that_is_lost_costs_one_night(tmp_path: Path, lost: str) -> None:
    """SIGKILL to the process that works, or to all at once: a later night goes on, and no reply is asked for twice."""
    served, answered, held = Served(tmp_path, tmp_path / "semilla.toml"), list[str](), threading.Event()
    served.drop(0, "medical", f"{NAME}ham")

    def answer(messages: list[dict[str, str]]) -> str:
        if len(answered) == 2 and not held.is_set():
            held.wait(600)
            raise ConnectionAbortedError
        answered.append(messages[-1]["content"])
        return leaks_in_medicine(messages)

    with Provider(answer) as provider:
        served.config.write_text(CONFIG.format(base=provider.base).replace("timeout_s = 20", "timeout_s = 600"))
        with served.process() as process:
            served.wait(process, lambda: len(answered) == 2)
            for number in below(process.pid):
                if lost == "the machine" or b"prefect.engine" in Path(f"/proc/{number}/cmdline").read_bytes():
                    os.kill(number, signal.SIGKILL)
            if lost == "the machine":
                process.kill()
            held.set()
            if lost == "the run":
                served.wait(process, lambda: bool(served.finished()))
        if lost == "the machine":
            with served.process() as process:
                served.wait(process, lambda: bool(served.finished()))
    (record,) = served.finished()
    assert (record["status"], record["halted_at"]) == ("halted", "leak")
    assert len(answered) == 3
    served.assert_clean()


def below(process: int) -> list[int]:
    """All that a process has started, and what those have started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [number for child in map(int, children) for number in (child, *below(child))]


class Listener:
    """Takes notifications on loopback."""

    def __init__(self, told: list[bytes]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
