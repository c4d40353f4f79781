"""Serves the deployments on one machine: a Prefect server on loopback where none is configured, and a runner.

For more machines there is prefect.yaml, with a work pool.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flows.errors import UsageError

_START_S = 180


def serve_deployments(
    drops: Path,
    runs: Path,
    config: Path | None,
    nightly_cron: str,
    weekly_cron: str,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the nightly, weekly-attack and on-demand deployments until interrupted; one run at a time.

    Args:
        drops: folder that files are put into.
        runs: folder of run directories.
        config: semilla.toml; None for the defaults.
        nightly_cron: when to look for drops, cron syntax in UTC.
        weekly_cron: when to attack what was certified.
        ready: told the server's address when it answers.

    Raises:
        UsageError: the server did not start, or a cron string is none.
    """
    with local_server() as address:
        ready(address)
        from prefect import serve
        from prefect.types.entrypoint import EntrypointType

        from flows.nightly import nightly, weekly_attack
        from flows.pipeline import pipeline

        paths = {"runs": str(runs.absolute()), "config_path": str(config.absolute()) if config else None}
        # By module: an installed package has no path beside the working directory.
        # No `concurrency_limit`: a slot that was held when the power failed would be held for good, and no night come.
        how: dict[str, Any] = {"entrypoint_type": EntrypointType.MODULE_PATH}
        night = {"drops": str(drops.absolute()), **paths}
        deployments: Any
        try:
            deployments = (
                nightly.to_deployment("nightly", cron=nightly_cron, parameters=night, **how),
                weekly_attack.to_deployment("weekly-attack", cron=weekly_cron, parameters=paths, **how),
                pipeline.to_deployment("on-demand", **how),
            )
        except ValueError:
            deployments = None
        if deployments is None:
            raise UsageError("not a cron string of five fields")
        # Two runs at once would share cores and memory that one is measured to need.
        serve(*deployments, limit=1, print_starting_message=False)


@contextlib.contextmanager
def local_server() -> Iterator[str]:
    """A Prefect server for as long as the block lasts, unless the environment names one; yields its address.

    Its database is in PREFECT_HOME; `PREFECT_SERVER_DATABASE_CONNECTION_URL` puts it into PostgreSQL.

    Raises:
        UsageError: it did not answer in time.
    """
    named = os.environ.get("PREFECT_API_URL")
    if named:
        yield named
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/api"
    try:
        _wait(server, address)
        os.environ["PREFECT_API_URL"] = address
        yield address
    finally:
        os.environ.pop("PREFECT_API_URL", None)
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(20)
        server.kill()


def _wait(server: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until and server.poll() is None:
        with (
            contextlib.suppress(urllib.error.URLError, OSError),
            urllib.request.urlopen(f"{address}/health", timeout=2),
        ):
            return
        time.sleep(0.5)
    raise UsageError("the Prefect server did not start")
