"""What every test gets: no network but loopback, no telemetry, and a home of its own."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.offline import stay_offline

stay_offline()


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """Refuse every connection and name look-up that would leave this machine."""
    connect, lookup = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            assert _is_loopback(address[0]), "a test tried to leave this machine"
        return connect(self, address)

    def guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
        assert host is None or _is_loopback(host), "a test tried to look up a name"
        return lookup(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket, "getaddrinfo", guarded_lookup)
        yield


@pytest.fixture(autouse=True, scope="session")
def signals_as_at_a_terminal() -> Iterator[None]:
    """Undo what `nohup` and a shell's `&` leave behind: children would inherit that Ctrl-C and SIGHUP are ignored."""
    before = {signal.SIGINT: signal.default_int_handler, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in before.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True, scope="session")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the user's Prefect database, signing key and caches out of the tests."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setenv("PREFECT_HOME", str(home / "prefect"))
        yield home


def _is_loopback(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    return name in {"localhost", "::1", ""} or name.startswith("127.")
