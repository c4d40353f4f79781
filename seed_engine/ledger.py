"""The ledger of a source: every differentially private release of it, booked before the source is read.

One JSON file a source. An entry holds a noise multiplier, epsilon, delta, a time and a keyed fingerprint of which
inputs were named; no text, no file name. No entry is ever removed: a run that stopped halfway may have shown something.

Guarantees:
    All releases that `book` let through cost together, composed in Renyi differential privacy (Mironov 2017,
    Proposition 1), at most the ceiling at the given delta, for anybody who sees all of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from seed_engine.atomic import atomic_text
from seed_engine.conversation import Boundary
from seed_engine.errors import BudgetError, InputError
from seed_engine.release_accounting import composed_epsilon


class Entry(Boundary):
    """One release.

    Attributes:
        at: ISO 8601, UTC; when it was booked.
        inputs: keyed fingerprint of the inputs' names, hex.
        noise_multiplier: standard deviation of the noise over the sensitivity, > 0.
        epsilon: of this release alone, > 0.
        delta: in (0, 1).
    """

    at: str
    inputs: str = Field(pattern="^[0-9a-f]{64}$")
    noise_multiplier: float = Field(gt=0)
    epsilon: float = Field(gt=0)
    delta: float = Field(gt=0, lt=1)


class Ledger(Boundary):
    """The file.

    Attributes:
        unit: what epsilon protects; neighbours differ in one of them, added or removed.
        entries: in the order they were booked.
    """

    schema_version: Literal["1"] = "1"
    unit: Literal["subject"] = "subject"
    entries: tuple[Entry, ...] = ()


def book(path: Path, inputs: str, noise_multiplier: float, epsilon: float, delta: float, ceiling: float) -> float:
    """Book a release before its source is read; two processes cannot both take the last of the budget.

    Args:
        path: the source's ledger, `~` allowed; made, readable by its owner alone, where there is none.
        inputs: see `fingerprint`.
        noise_multiplier: of the release.
        epsilon: of the release alone.
        delta: in (0, 1); the smallest delta of all releases is the one that they are composed at.
        ceiling: epsilon that all releases together may cost.

    Returns:
        Epsilon of all releases so far, this one included.

    Raises:
        BudgetError: it would overspend; nothing is booked.
        InputError: the file is no ledger.
    """
    entry = Entry(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        inputs=inputs,
        noise_multiplier=noise_multiplier,
        epsilon=epsilon,
        delta=delta,
    )
    # However the ledger is named, it has one lock: a link would else be booked beside its target.
    path = path.expanduser().resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(path):
        ledger = read_ledger(path)
        at = min([delta, *(earlier.delta for earlier in ledger.entries)])
        spent = composed_epsilon((earlier.noise_multiplier for earlier in ledger.entries), at)
        total = composed_epsilon((item.noise_multiplier for item in (*ledger.entries, entry)), at)
        if total > ceiling:
            raise BudgetError(spent, epsilon, total, ceiling)
        booked = ledger.model_copy(update={"entries": (*ledger.entries, entry)})
        atomic_text(path, booked.model_dump_json(indent=1) + "\n")
    return total


def read_ledger(path: Path) -> Ledger:
    """The ledger in a file; an empty one where there is no file.

    Raises:
        InputError: the file is no ledger. Nothing may be released on a ledger that cannot be read.
    """
    if not path.exists():
        return Ledger()
    try:
        return Ledger.model_validate_json(path.read_bytes(), strict=True)
    except ValidationError:
        pass
    raise InputError(str(path), None, "not a privacy ledger; no budget can be told from it")


def fingerprint(names: Sequence[str], key: bytes) -> str:
    """Hex HMAC-SHA256 of names in any order; without the key it says nothing about them.

    Args:
        names: for example absolute paths.
        key: at least 16 random bytes that stay with the user.
    """
    return hmac.new(key, json.dumps(sorted(set(names))).encode(), hashlib.sha256).hexdigest()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the ledger's lock, a file beside it: the ledger itself is replaced, and a lock on it would be lost."""
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
