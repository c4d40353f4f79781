"""The ledger: every differentially private release, booked before its source is read for it.

An entry holds a noise multiplier, epsilon, delta, a time and keyed fingerprints of the inputs' names and contents; no
text, no file name. No entry is ever removed: a run that stopped halfway may have shown something.

Guarantees:
    All releases that `book` let through and that share an input, by its name or its content, cost together, composed
    in Renyi differential privacy (Mironov 2017, Proposition 1), at most the ceiling at the given delta.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from seed_engine.conversation import Boundary
from seed_engine.errors import BudgetError
from seed_engine.ledger_file import locked, read, replace
from seed_engine.release_accounting import composed_epsilon


class Entry(Boundary):
    """One release.

    Attributes:
        at: ISO 8601, UTC; when it was booked.
        inputs: see `fingerprint`; one for each name and content that it was booked under.
        noise_multiplier: standard deviation of the noise over the sensitivity, > 0.
        epsilon: of this release alone, > 0.
        delta: in (0, 1).
    """

    at: str
    inputs: tuple[Annotated[str, Field(pattern="^[0-9a-f]{64}$")], ...]
    # Beyond these an entry would count for nothing, or for more than a number can hold.
    noise_multiplier: float = Field(ge=1e-3, le=1e6)
    epsilon: float = Field(gt=0, le=1e6)
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


def book(
    path: Path,
    inputs: Sequence[str],
    noise_multiplier: float,
    epsilon: float,
    delta: float,
    ceiling: float,
    every: bool = True,
) -> float:
    """Book a release before its source is read; two processes cannot both take the last of the budget.

    Args:
        path: the ledger, `~` allowed; made, readable by its owner alone, where there is none.
        inputs: fingerprints of each input's name and content.
        noise_multiplier: of the release.
        epsilon: of the release alone.
        delta: in (0, 1); the smallest delta of all releases is the one that they are composed at.
        ceiling: epsilon that all releases together may cost.
        every: count every entry, whatever its inputs; else those that share one. A release of two files is charged to
            both, and whoever stands in either is counted once too often rather than not at all.

    Returns:
        Epsilon of all releases that count so far, this one included.

    Raises:
        BudgetError: it would overspend; nothing is booked.
        InputError: the file is no ledger.
    """
    entry = Entry(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        inputs=tuple(dict.fromkeys(inputs)),
        noise_multiplier=noise_multiplier,
        epsilon=epsilon,
        delta=delta,
    )
    with locked(path) as file:
        ledger = read_ledger(file)
        earlier = [item for item in ledger.entries if every or not set(item.inputs).isdisjoint(entry.inputs)]
        at = min([delta, *(item.delta for item in earlier)])
        spent = composed_epsilon((item.noise_multiplier for item in earlier), at)
        total = composed_epsilon((item.noise_multiplier for item in (*earlier, entry)), at)
        if total > ceiling:
            raise BudgetError(spent, epsilon, total, ceiling)
        replace(file, ledger.model_copy(update={"entries": (*ledger.entries, entry)}))
    return total


def read_ledger(path: Path) -> Ledger:
    """The ledger in a file; an empty one where there is no file.

    Raises:
        InputError: the file is no ledger. Nothing may be released on a ledger that cannot be read.
    """
    return read(path, Ledger)


def fingerprint(what: bytes, key: bytes) -> str:
    """Hex HMAC-SHA256 of a name or of a content's digest; without the key it says nothing about either.

    Args:
        what: for example an absolute path.
        key: at least 16 random bytes that stay with the user.
    """
    return hmac.new(key, what, hashlib.sha256).hexdigest()
