"""What can go wrong in the attack gates, and what the runner does next.

::

    AttackError
    ├── AttackInputError      canaries or texts cannot be used as given; stop, exit 2
    ├── UnknownAttackError    a name that is not in ATTACKS; exit 2, lists the known ones
    └── TargetError           the model under attack failed or answered nonsense; the attack becomes `inconclusive`

A failed gate is a verdict, not an exception. No message quotes a text: names of types, positions and counts only.
"""

from __future__ import annotations

from collections.abc import Iterable


class AttackError(Exception):
    """Root of the attacks' errors."""


class AttackInputError(AttackError):
    """Canaries or texts cannot be used as given."""


class UnknownAttackError(AttackError):
    """A name is not one of the listed attacks."""

    def __init__(self, known: Iterable[str]) -> None:
        super().__init__(f"unknown attack; known: {', '.join(sorted(known))}")


class TargetError(AttackError):
    """The model under attack raised, or returned what cannot be a probability."""
