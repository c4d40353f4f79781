"""The schedule, for real: `semilla serve` with a server of its own, a short cron, three drops, one of which leaks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import pytest

from flows.verify import verify
from tests.chaos.world import NAME, SMALL
from tests.provider import Provider, follow_plan

CONFIG = (
    """
[generator]
model = "openai/double"
api_base = "{base}"
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
    """A provider that has seen a source: what it says of medicine holds a name of the second drop."""
    reply: dict[str, Any] = json.loads(follow_plan(messages))
    if "medical" in messages[-1]["content"]:
        reply["turns"][1]["text"] += " quenvarius"
    return json.dumps(reply)


def finished(runs: Path) -> list[dict[str, Any]]:
    records = [json.loads(path.read_text()) for path in runs.glob("drop-*/run.json")]
    return [record for record in records if record["exit_code"] is not None]


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
    action = {"type": "call-webhook", "block_document_id": block["id"], "payload": "{{ flow_run.state.name }}"}
    call(address, "automations/", name="halted", trigger=trigger, actions=[action])


@pytest.mark.slow
def test_three_drops_two_certificates_one_halt_and_a_notification(tmp_path: Path) -> None:
    drops, runs = tmp_path / "drops", tmp_path / "runs"
    told: list[bytes] = []
    drops.mkdir()
    for number, domain in enumerate(("support", "medical", "support")):
        drop(drops, number, domain, f"{NAME}{'' if number else 'ham'}")
        os.utime(drops / f"{number}.jsonl", (time.time() - 3600,) * 2)
    environment = {
        **os.environ,
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "OPENAI_API_KEY": "none",
    }
    environment.pop("PREFECT_API_URL", None)
    with Provider(leaks_in_medicine) as provider, Listener(told) as listener:
        config = tmp_path / "semilla.toml"
        config.write_text(CONFIG.format(base=provider.base))
        command = [sys.executable, "-m", "flows", "serve", "--drops", drops, "--runs", runs, "--config", config]
        process = subprocess.Popen(
            [*map(str, command), "--nightly", "* * * * *"], env=environment, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stderr is not None
            address = next(line for line in process.stderr if "/api" in line).split()[-1]
            notify_on_halt(address, listener.url)
            until = time.monotonic() + 3000
            while time.monotonic() < until and process.poll() is None and len(finished(runs)) < 3:
                time.sleep(2)
            while time.monotonic() < until and not told:
                time.sleep(1)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
    records = finished(runs)
    assert sorted(record["status"] for record in records) == ["certified", "certified", "halted"]
    (halted,) = (record for record in records if record["status"] == "halted")
    assert halted["halted_at"] in {"leak", "privacy_score"}
    assert any(b"Halted: 1 of 3" in body for body in told)
    certified = [path.parent for path in runs.glob("*/certificate.json")]
    assert len(certified) == 2
    os.environ["XDG_CONFIG_HOME"], before = str(tmp_path / "config"), os.environ["XDG_CONFIG_HOME"]
    try:
        assert all(verify(run).ok for run in certified)
    finally:
        os.environ["XDG_CONFIG_HOME"] = before
    for path in (tmp_path / "prefect").rglob("*"):
        assert not path.is_file() or b"uenvarius" not in path.read_bytes()


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
