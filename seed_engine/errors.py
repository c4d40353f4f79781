"""What can go wrong in the seed engine, and what the runner does next.

::

    SeedEngineError
    ├── InputError            stop before anything is written; exit 2
    ├── UnknownNameError      a name that is not in an explicit list; exit 2, lists the known ones
    ├── BudgetError           a release would overspend its source's budget; nothing is read, exit 2
    └── ModelError            a model file is missing or is not the one that was measured; exit 2

No message quotes text of an input: paths, line numbers, offsets, types and counts only.
"""

from __future__ import annotations

from collections.abc import Iterable


class SeedEngineError(Exception):
    """Root of the seed engine's errors."""


class InputError(SeedEngineError):
    """An input file cannot be read as conversations.

    Attributes:
        path: the file.
        line: 1-based line number, or None when the fault is of the whole file.
        rule: what is wrong, in words that quote nothing.
    """

    def __init__(self, path: str, line: int | None, rule: str) -> None:
        self.path, self.line, self.rule = path, line, rule
        super().__init__(f"{path}:{line}: {rule}" if line is not None else f"{path}: {rule}")


class UnknownNameError(SeedEngineError):
    """A name is not in one of the house's explicit lists."""

    def __init__(self, kind: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind}; known: {', '.join(sorted(known))}")


class BudgetError(SeedEngineError):
    """A release of seeds would cost more than the source's ledger still allows.

    Attributes:
        spent: epsilon of all releases booked so far, >= 0.
        asked: epsilon of this release alone.
        ceiling: epsilon that all of them together may cost.
    """

    def __init__(self, spent: float, asked: float, total: float, ceiling: float) -> None:
        self.spent, self.asked, self.ceiling = spent, asked, ceiling
        super().__init__(
            f"privacy budget: spent epsilon {spent:.4g}, asked {asked:.4g}, together {total:.4g}, ceiling {ceiling:.4g}"
        )


class ModelError(SeedEngineError):
    """A model file is missing, or its digest is not the pinned one."""
