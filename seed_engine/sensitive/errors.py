"""What can go wrong with special-care information, and what the runner does next.

::

    SensitiveError            (a SeedEngineError)
    ├── SensitiveModelError   a model file is missing, altered or of another version; exit 2
    └── TrainingDataError     too few texts, or of one label only; exit 2

No message quotes text: paths, names of files, labels and counts only.
"""

from __future__ import annotations

from seed_engine.errors import SeedEngineError


class SensitiveError(SeedEngineError):
    """Root of this package's errors."""


class SensitiveModelError(SensitiveError):
    """A model file is missing, is not the one that was trained, or is of another version."""


class TrainingDataError(SensitiveError):
    """The texts given cannot train the model that was asked for."""
