"""An output that survives its writer: a killed scan goes on where its last checkpoint stands, no line lost or doubled.

Beside the output stand `.NAME.part`, the lines so far, and `.NAME.state`, how many of its bytes count and where in the
input they end. The lines are on disk before the state that counts them is; what stands behind is cut off on return.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from flows.errors import RunExistsError, UsageError
from seed_engine.atomic import atomic_text, flush_folder

# Seconds of work that a kill may cost; a flush to disk takes some milliseconds.
_INTERVAL_S = 2.0


class ResumableFile:
    """A file to append to, published in one rename.

    Args:
        output: the file to become.
        fingerprint: of everything that the lines follow from; another one starts anew.

    Attributes:
        state: what the last checkpoint was given; None at the beginning.

    Raises:
        RunExistsError: another process writes to the same output.
        UsageError: the output is there and is no regular file.
    """

    def __init__(self, output: Path, fingerprint: str) -> None:
        self._output = output.resolve()
        if self._output.exists() and not self._output.is_file():
            raise UsageError(f"{output}: not a regular file, so that a scan could not go on with it")
        self._fingerprint = fingerprint
        self._part = self._output.with_name(f".{self._output.name}.part")
        self._state = self._output.with_name(f".{self._output.name}.state")
        self._last, self._published = time.monotonic(), False
        self.state: dict[str, Any] | None = None

    def __enter__(self) -> Self:
        self._file = open(os.open(self._part, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        if not self._locked():
            self._file.close()
            raise RunExistsError(f"{self._output}: another scan writes there")
        written, self.state = self._kept()
        self._file.truncate(written)
        self._file.seek(written)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Keep what there is for whoever goes on; an output that holds nothing yet leaves nothing."""
        if not self._published and self.state is None:
            self._part.unlink()
        elif not self._published:
            self.checkpoint()
        self._file.close()

    def append(self, lines: bytes, state: dict[str, Any]) -> None:
        """Write whole lines; `state` tells where in the input they end, and is given back to whoever goes on."""
        self._file.write(lines)
        self.state = state
        if time.monotonic() - self._last >= _INTERVAL_S:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Bring everything so far to disk, and then the state that counts it."""
        self._flush()
        record = {"fingerprint": self._fingerprint, "written": self._file.tell(), "state": self.state}
        atomic_text(self._state, json.dumps(record))
        self._last = time.monotonic()

    def publish(self) -> None:
        """Let the lines become the output."""
        self._flush()
        os.replace(self._part, self._output)
        self._published = True
        self._state.unlink(missing_ok=True)
        flush_folder(self._output.parent)

    def _locked(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        # Whoever held it may have published it since it was opened: it is then the output, and not to be touched.
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._part.stat())
        except FileNotFoundError:
            return False

    def _flush(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def _kept(self) -> tuple[int, dict[str, Any] | None]:
        """Bytes that count, and the state of their end."""
        try:
            record = json.loads(self._state.read_text("utf-8"))
            written, state = int(record["written"]), record["state"]
        except (OSError, ValueError, KeyError, TypeError):
            return 0, None
        size = os.fstat(self._file.fileno()).st_size
        if record.get("fingerprint") != self._fingerprint or written > size or not isinstance(state, dict):
            return 0, None
        return written, state
