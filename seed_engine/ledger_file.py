"""A ledger as a file: read whole, changed under a lock, replaced at once; what it counts is its owner's matter.

Guarantees:
    Of two processes that change one ledger, however they name it, the second sees what the first wrote. A process that
    dies leaves the ledger as it was or as it was to be.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from seed_engine.atomic import atomic_text
from seed_engine.conversation import Boundary
from seed_engine.errors import InputError
from seed_engine.strict_json import strict_json

Ledger = TypeVar("Ledger", bound=Boundary)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[Path]:
    """Hold the lock of a ledger, and get its one name.

    Args:
        path: `~` and links allowed; its folder is made, readable by its owner alone, where there is none.
    """
    # However the ledger is named, it has one lock: a link would else be booked beside its target.
    path = path.expanduser().resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A file beside it: the ledger itself is replaced, and a lock on it would be lost.
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield path
    finally:
        os.close(descriptor)


def read(path: Path, kind: type[Ledger]) -> Ledger:
    """The ledger in a file; an empty one where there is no file.

    Raises:
        InputError: the file is no such ledger. Nothing may be spent on a ledger that cannot be read.
    """
    if not path.exists():
        return kind()
    try:
        # Of two equal keys a common reader keeps the last: an empty list of entries would hide the true one.
        return kind.model_validate_json(json.dumps(strict_json(path.read_bytes())), strict=True)
    except (ValidationError, ValueError):
        pass
    raise InputError(str(path), None, "not a privacy ledger of this kind; no budget can be told from it")


def replace(path: Path, ledger: Boundary) -> None:
    """Write the whole ledger, readable by its owner alone."""
    atomic_text(path, ledger.model_dump_json(indent=1) + "\n")
