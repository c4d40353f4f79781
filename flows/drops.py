"""Data drops: files that somebody puts into a folder, each certified once, in a run named by its content.

The run's own directory is the record of what was done: no list could be lost or disagree with it. Its name is a keyed
hash, so that neither a file's name nor its bare digest, which somebody with the file could test for, stands anywhere.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.certificate import read_object
from flows.errors import CertificateError
from flows.rundir import RunDirectory
from flows.signing import user_key
from seed_engine.ledger import fingerprint
from seed_engine.models import file_sha256

_UNFINISHED = (".part", ".tmp", ".crdownload")


@dataclass(frozen=True, slots=True)
class Drop:
    """A file that is to be certified.

    Attributes:
        path: the file.
        run: the directory of its run.
        resume: an earlier night was interrupted in it.
    """

    path: Path
    run: Path
    resume: bool


def pending(drops: Path, runs: Path, settle_s: float = 60) -> tuple[Drop, ...]:
    """The files whose content no run has decided on, in order of their names; of equal files the first.

    Args:
        drops: the folder; hidden files, links and folders in it are left alone.
        runs: where runs are kept.
        settle_s: seconds that a file must have been left unchanged; a copy under way is half a file.
    """
    key = user_key("ledger.key")
    found: dict[Path, Drop] = {}
    for path in sorted(drops.iterdir()):
        # On either side: a clock that was set back must not keep a file from the future waiting until then.
        if not _is_drop(path) or abs(time.time() - path.stat().st_mtime) < settle_s:
            continue
        run = runs / f"drop-{fingerprint(b'drop:' + file_sha256(path).encode(), key)[:24]}"
        if not decided(run):
            found.setdefault(run, Drop(path, run, resume=RunDirectory(run).begun))
    return tuple(found.values())


def decided(run: Path) -> bool:
    """Whether a run has ended in a verdict; one that a fault or a signal has ended goes on the next night."""
    return run_status(run).get("exit_code") in (0, 1, 3)


def run_status(run: Path) -> dict[str, Any]:
    """run.json of a run; empty where it has none yet."""
    try:
        return read_object(run / "run.json")
    except CertificateError:
        return {}


def _is_drop(path: Path) -> bool:
    hidden = path.name.startswith(".") or path.name.endswith(_UNFINISHED)
    return not hidden and not path.is_symlink() and path.is_file()
