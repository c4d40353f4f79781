"""What `semilla doctor` tells: whether every model is the pinned one, and what would leave this machine."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from flows.config import RunConfig
from flows.destinations import destinations
from flows.labelling import labeller_destination
from flows.models_used import detector_files
from flows.runlog import ENGINES
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
    """All checks, and what would leave this machine.

    Attributes:
        rows: in the order to be shown.
        leaves: what is sent and to whom; empty by default.
        stays: the same for what is sent to this machine itself.
    """

    rows: tuple[Check, ...]
    leaves: tuple[str, ...]
    stays: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether every check is as it should be."""
        return all(row.ok for row in self.rows)


def diagnose(config: RunConfig) -> Diagnosis:
    """Look at versions, models and addresses; loads no model."""
    rows = [_engine(name) for name in ENGINES] + [_model(name) for name in MODELS] + [_detector()]
    labels = labeller_destination(config.seeds, config.generator)
    sent = (*((labels,) if labels else ()), *destinations(config.generator))
    leaves, stays = (tuple(f"{d.what}, to {d.where}" for d in sent if d.here == here) for here in (False, True))
    return Diagnosis(tuple(rows), leaves, stays)


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


def _detector() -> Check:
    try:
        digests = detector_files()
    except ModelError as error:
        return Check("model detector", str(error), False)
    return Check("model detector", f"detector.onnx {digests['detector/detector.onnx'][:16]} as it was trained", True)
