"""What `semilla doctor` tells: whether every model is the pinned one, and what would leave this machine."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from flows.config import RunConfig
from flows.runlog import ENGINES
from generator.config import EMBEDDED_MODEL
from seed_engine.errors import ModelError
from seed_engine.models import MODELS, model_path


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: its name, what was found, and whether it is as it should be."""

    name: str
    state: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All checks, and where seeds would be sent (empty by default)."""

    rows: tuple[Check, ...]
    leaves: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether every check is as it should be."""
        return all(row.ok for row in self.rows)


def diagnose(config: RunConfig) -> Diagnosis:
    """Look at versions and models; loads no engine."""
    rows = [_engine(name) for name in ENGINES] + [_model(name) for name in MODELS]
    provider = config.generator.model
    leaves = () if provider == EMBEDDED_MODEL else (f"seeds (labels and role markers only), to {provider}",)
    return Diagnosis(tuple(rows), leaves)


def _engine(name: str) -> Check:
    try:
        return Check(name, version(name), True)
    except PackageNotFoundError:
        return Check(name, "missing; run: make run", False)


def _model(name: str) -> Check:
    try:
        model_path(name)
    except ModelError as error:
        return Check(f"model {name}", str(error), False)
    return Check(f"model {name}", f"digests as pinned ({MODELS[name].package})", True)
