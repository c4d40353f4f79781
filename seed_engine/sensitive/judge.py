"""The door to judges: the starter model, or a folder that `semilla sensitive train` wrote."""

from __future__ import annotations

from pathlib import Path

from seed_engine.sensitive.errors import SensitiveModelError
from seed_engine.sensitive.records import Judge


def load_judge(path: Path | None = None) -> Judge:
    """Load a judge.

    Args:
        path: folder of a trained model; None for the starter model that ships.

    Raises:
        SensitiveModelError: a file is missing, altered or of another version.
    """
    raise SensitiveModelError("the starter model is not trained yet")
