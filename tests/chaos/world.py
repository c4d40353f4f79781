"""A small run that can be ended at any moment: its input, its settings, its processes, and what it leaves."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from tests.sweep import Sweep

ROOT = Path(__file__).resolve().parents[2]
NAME = "Quenvarius Ploddington"
SWEEP = Sweep(NAME.split())

# As few canaries as the gates can see anything with: what is tested is the run, not the power of its attacks.
SMALL = """
[training]
canaries = 120
canary_controls = 80
max_length = 64

[attacks]
threshold = 0.2
auc_limit = 0.9
exposure_canaries = 0
prompt_samples = 0

[certificate]
max_attack_rate = 0.2
"""

# The fastest settings that still pass through every stage and end in a certificate.
CONFIG = f"""
[detector]
engine = "regex"

[generator]
strategy = "template"
{SMALL}"""

# Published files that follow from input and seed alone.
SEEDED = ("seeds.jsonl", "synthetic.jsonl", "rendered.jsonl", "scores.json")
# The rest of them, and what in them no two runs have in common; a test says so by comparing the lists.
UNSEEDED = {
    "run.json": "id, times, memory",
    "release.json": "time of the release",
    "certificate.json": "salt of the commitment, times, signature",
    "attacks.json": "scores of an adapter that is unseeded",
    "report.html": "made of the above",
    "adapter": "noise, batches and coins come from the operating system: a seed would let anybody subtract the noise",
}


def booked(config: str, ledger: Path) -> str:
    """The settings, with every training booked in one ledger that has room for all."""
    return config.replace("[training]", f'[training]\nledger = "{ledger}"\nceiling = 1000.0')


def conversations(count: int = 8) -> str:
    """Support calls of a customer whose name and address are canaries."""
    mail = NAME.lower().replace(" ", ".")
    lines = []
    for number in range(count):
        texts = (
            f"Hello, I am {NAME} and I ordered a lamp that is late. My mail is {mail}{number}@example.org.",
            "Sorry to hear that. When did you order it?",
            "Last week. Can I have my money back?",
            "Of course. Anything else?",
            "No, thank you. Goodbye.",
            "Goodbye.",
        )
        turns = [{"role": ("customer", "agent")[i % 2], "text": text} for i, text in enumerate(texts)]
        lines.append(json.dumps({"id": f"call-{number}", "domain": "support", "turns": turns}) + "\n")
    return "".join(lines)


@dataclass
class World:
    """One directory for everything that a run writes, the input outside of it.

    Attributes:
        folder: home, temp and Prefect folders, and the runs.
        private: input and configuration.
        api: Prefect server's address; None lets each run start its own.
        printed: of all ended runs.
    """

    folder: Path
    private: Path
    api: str | None = None
    printed: str = ""

    @classmethod
    def make(cls, root: Path, config: str = CONFIG, count: int = 8) -> Self:
        world = cls(root / "world", root / "private")
        for folder in (world.folder, world.private, world.folder / "tmp"):
            folder.mkdir()
        (world.private / "in.jsonl").write_text(conversations(count))
        (world.private / "semilla.toml").write_text(config)
        return world

    def start(self, out: Path, *more: str) -> subprocess.Popen[str]:
        places = {"HOME": "home", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache"}
        environment = {**os.environ, **{name: str(self.folder / place) for name, place in places.items()}}
        environment |= {"PREFECT_HOME": str(self.folder / "prefect"), "OPENAI_API_KEY": "none"}
        environment.pop("PREFECT_API_URL", None)
        if self.api is not None:
            environment["PREFECT_API_URL"] = self.api
        files = ("--input", str(self.private / "in.jsonl"), "--config", str(self.private / "semilla.toml"))
        command = [sys.executable, "-m", "tests.chaos.tiny_run", "run", *files, "--out", str(out), *more, "--json"]
        pipe = subprocess.PIPE
        environment["PYTHONPATH"] = str(ROOT)
        # A core dump, were one made, would lie where the run works: in the world, which is searched.
        where: dict[str, Any] = {"env": environment, "cwd": self.folder, "stdout": pipe, "stderr": pipe}
        return subprocess.Popen(command, text=True, start_new_session=True, preexec_fn=allow_core_dumps, **where)

    def finish(self, process: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
        printed, told = process.communicate(timeout=1800)
        self.printed += printed + told
        last = printed.splitlines()[-1:] or ["{}"]
        return process.returncode, json.loads(last[0])

    def run(self, out: Path, *more: str) -> tuple[int, dict[str, Any]]:
        return self.finish(self.start(out, *more))

    def kill(self, process: subprocess.Popen[str]) -> None:
        """SIGKILL to the run and to every process that it has started."""
        with contextlib.suppress(ProcessLookupError):  # it was faster
            os.killpg(process.pid, signal.SIGKILL)
        self.printed += "".join(process.communicate())

    def assert_clean(self) -> None:
        """Nobody's name stands in anything that was written or printed."""
        assert not SWEEP.holds(self.printed.encode())
        assert SWEEP.below(self.folder) == []


def allow_core_dumps() -> None:
    """As a shell's `ulimit -c unlimited`."""
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)


class Server:
    """A Prefect server that may be ended and started again at the same address, on the same database.

    All that it writes and prints is below `home`, and is searched when it has ended.
    """

    def __init__(self, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.home, self.address = home, f"http://127.0.0.1:{self.port}/api"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.kill()
        assert kind is not None or SWEEP.below(self.home) == []

    def start(self) -> None:
        command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(self.port)]
        (self.home / "tmp").mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "PREFECT_HOME": str(self.home), "TMPDIR": str(self.home / "tmp")}
        with (self.home / "printed").open("ab") as file:
            self._process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
        until = time.monotonic() + 900  # on a machine that is busy with other tests
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.5)
        self.kill()
        raise AssertionError("the Prefect server did not start")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def seeded(out: Path) -> dict[str, bytes]:
    """What two runs must have in common, byte for byte."""
    return {name: (out / name).read_bytes() for name in SEEDED}
