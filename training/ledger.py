"""The ledger of trainings on one data set: booked before they begin, composed, and refused before they overspend.

One file is one data set, as the user says by naming it: every entry in it counts. No entry is ever removed; a training
that stopped halfway may have been seen, and one that is gone on with finds its own entry and is not charged twice.

Guarantees:
    All trainings that `book` let through cost together at most the ceiling, at the smallest delta among them. Each
    accountant composes the whole list of mechanisms; see `training.accounting` for which figure is claimed.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from seed_engine.conversation import Boundary
from seed_engine.errors import BudgetError
from seed_engine.ledger_file import locked, read, replace
from training.accountants import Mechanism, epsilons
from training.accounting import claimed_epsilon
from training.errors import CheckpointError


class Entry(Boundary):
    """One training.

    Attributes:
        id: 32 hex digits; drawn when the training was first begun.
        at: ISO 8601, UTC; when it was booked.
        noise_multiplier: > 0.
        sample_rate: in (0, 1].
        steps: >= 1.
        delta: in (0, 1).
    """

    id: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    at: str
    noise_multiplier: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    sample_rate: Annotated[float, Field(gt=0, le=1)]
    steps: Annotated[int, Field(ge=1)]
    delta: Annotated[float, Field(gt=0, lt=1)]

    @property
    def mechanism(self) -> Mechanism:
        """What was booked."""
        return Mechanism(self.noise_multiplier, self.sample_rate, self.steps)


class TrainingLedger(Boundary):
    """The file: entries in the order they were booked."""

    schema_version: Literal["1"] = "1"
    entries: tuple[Entry, ...] = ()


def book(path: Path, own: str, mechanism: Mechanism, delta: float, ceiling: float) -> float:
    """Book a training before its first step; two processes cannot both take the last of the budget.

    Args:
        path: the ledger; made, readable by its owner alone, where there is none.
        own: the training's id; the same after a crash.
        mechanism: what it will do.
        delta: of its claim.
        ceiling: epsilon that all trainings in the ledger together may cost.

    Returns:
        Epsilon of all trainings booked, this one included.

    Raises:
        BudgetError: it would overspend; nothing is booked.
        InputError: the file is no ledger.
        CheckpointError: this id stands for another mechanism.
    """
    with locked(path) as file:
        entries = read_ledger(file).entries
        mine = [entry for entry in entries if entry.id == own]
        if mine and (mine[0].mechanism, mine[0].delta) != (mechanism, delta):
            raise CheckpointError("the interrupted training was booked with another schedule")
        if mine:
            return _epsilon(entries)
        entry = Entry(
            id=own,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            noise_multiplier=mechanism.noise_multiplier,
            sample_rate=mechanism.sample_rate,
            steps=mechanism.steps,
            delta=delta,
        )
        total = _epsilon((*entries, entry))
        if total > ceiling:
            raise BudgetError(_epsilon(entries), _epsilon((entry,)), total, ceiling)
        replace(file, TrainingLedger(entries=(*entries, entry)))
    return total


def read_ledger(path: Path) -> TrainingLedger:
    """The ledger in a file; an empty one where there is no file.

    Raises:
        InputError: the file is no ledger. Nothing may be trained on a ledger that cannot be read.
    """
    return read(path, TrainingLedger)


def _epsilon(entries: tuple[Entry, ...]) -> float:
    if not entries:
        return 0.0
    return claimed_epsilon(epsilons([entry.mechanism for entry in entries], min(entry.delta for entry in entries)))
