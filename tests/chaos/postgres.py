"""A PostgreSQL of its own on loopback, for as long as a block lasts; skips where Debian's package is not installed."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Yield the address of an empty database, as psql takes it."""
    programs = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
    if programs is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    # It refuses to be root; the package makes a user for it. Its folder must be reachable for that user.
    who = {"user": "postgres"} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def call(*command: str) -> None:
        quiet = subprocess.DEVNULL
        subprocess.run(command, check=True, cwd=folder, stdout=quiet, stderr=quiet, **who)  # type: ignore[call-overload]

    try:
        if who:
            shutil.chown(folder, "postgres")
        call(f"{programs}/initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "semilla", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        call(f"{programs}/pg_ctl", "-D", f"{folder}/data", "-o", options, "-w", "-l", f"{folder}/log", "start")
        try:
            yield f"semilla@127.0.0.1:{port}/postgres"
        finally:
            call(f"{programs}/pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def dump(address: str) -> bytes:
    """Every row of every table, large objects too."""
    done = subprocess.run(["pg_dump", "--inserts", f"postgresql://{address}"], check=True, capture_output=True)
    return done.stdout
