"""A run's directory: a staging folder beside it, and one rename when every gate has passed.

While a run works, DIR holds only run.json and `.DIR.staging` (0700) beside it everything else. Publication empties DIR
and renames the staging folder onto it: POSIX replaces an empty directory in one step, so a reader sees either the bare
run.json or the whole certified set. After a halt the staging folder is removed, and DIR keeps run.json and figures.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flows.errors import RunExistsError
from flows.records import RunRecord
from seed_engine.atomic import atomic_text, flush_folder, remove_unfinished

FIGURES = ("scores.json", "attacks.json")
# All that a run leaves in DIR before it is published; anything else there is the user's.
OWN = {"run.json", "report.html", *FIGURES}


class RunDirectory:
    """Paths and state transitions of one run.

    Attributes:
        path: DIR, what the user named.
        staging: where stages write; a sibling, so that the last rename stays on one file system.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.staging = self.path.parent / f".{self.path.name}.staging"
        self._fresh = False

    @property
    def begun(self) -> bool:
        """Whether an earlier run has left anything; a kill may leave either of the two."""
        return self.staging.exists() or (self.path.is_dir() and any(self.path.iterdir()))

    @contextlib.contextmanager
    def open(self, *, resume: bool) -> Iterator[None]:
        """Hold the directory for one run; a second process is refused at once.

        Args:
            resume: keep what an interrupted run left in staging; otherwise DIR must be free.

        Raises:
            RunExistsError: DIR holds something and `resume` is not given, or another process holds it.
        """
        if self.path.exists() and not self.path.is_dir():
            raise RunExistsError(f"{self.path} is a file")
        if self.path.is_mount():
            raise RunExistsError(f"{self.path} is a mount point and cannot be replaced; name a folder inside it")
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The lock is on the folder itself, so that nothing is left behind and a killed run frees it.
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            if not _lock(descriptor):
                raise RunExistsError(f"another run works in {self.path}")
            self._prepare(resume)
            yield
        finally:
            os.close(descriptor)
            if not self.staging.exists():
                with contextlib.suppress(OSError):
                    self.path.rmdir()  # only if nothing was ever written into it

    def _prepare(self, resume: bool) -> None:
        if (self.path / "certificate.json").exists():
            raise RunExistsError(f"{self.path} is already certified")
        if not resume and self.begun:
            raise RunExistsError(f"{self.path} is not empty; choose another directory or give --resume")
        # A kill may have come while a file was written: half of one must be neither published nor in the way.
        for folder in (self.path, self.staging):
            remove_unfinished(folder)
        if {item.name for item in self.path.iterdir()} - OWN:
            raise RunExistsError(f"{self.path} holds files that are not of a run; choose another directory")
        self._fresh = not self.staging.exists()
        self.staging.mkdir(mode=0o700, exist_ok=True)

    def discard(self) -> None:
        """Remove the staging folder, if this process made it: what an earlier run left is worth resuming."""
        if self._fresh:
            shutil.rmtree(self.staging, ignore_errors=True)

    def save(self, run: RunRecord) -> None:
        """Write run.json where a reader of DIR finds it, in one rename."""
        write_json(self.path / "run.json", run.model_dump(mode="json"))

    def publish(self) -> None:
        """Make the staged files, run.json and certificate among them, the run's directory, in one rename."""
        for name in OWN:
            (self.path / name).unlink(missing_ok=True)
        self.staging.rename(self.path)
        flush_folder(self.path.parent)

    def interrupt(self, run: RunRecord) -> None:
        """Keep run.json, and of what was staged only what a resumed run can go on from."""
        self.save(run)
        if not run.stages:
            self.discard()

    def halt(self, run: RunRecord) -> None:
        """Keep run.json and the figures that decided; remove everything else that was staged."""
        for name in FIGURES:
            if (self.staging / name).is_file():
                os.replace(self.staging / name, self.path / name)
        self.save(run)
        shutil.rmtree(self.staging)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def write_json(path: Path, value: Any) -> None:
    """Write JSON, as `atomic_text` does.

    Raises:
        ValueError: a figure is infinite or not a number, which JSON cannot say.
    """
    atomic_text(path, json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
