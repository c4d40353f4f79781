"""A training's state on disk: what a killed run goes on from, with the same steps and the same epsilon.

The state holds LoRA matrices, Adam's moments, steps done and, for seeded runs, the generator. It is private: it is kept
beside the staged adapter, readable by its owner alone, and removed when the adapter is published.

Guarantees:
    Every step of the finished training was taken once, on a batch and noise of its own. A step that was under way when
    the process died left nothing behind; it is taken again with fresh randomness (seeded runs: the same, for the same
    batch), so that nobody sees two outcomes of it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seed_engine.atomic import atomic_path
from training.dataset import Record
from training.errors import CheckpointError
from training.sampling import Entropy
from training.state import CHECKPOINT

# A save may take this share of the time since the last one.
SHARE = 0.02


@dataclass(slots=True)
class Progress:
    """How far a training has come.

    Attributes:
        steps: noisy steps taken.
        tokens: trained on.
        seconds: spent in the loop, over all processes that worked on it.
        losses: (step, nats a token) on public texts, steps rising.
    """

    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0
    losses: list[tuple[int, float]] = field(default_factory=list)


class Checkpoints:
    """Saves and restores one training; without a folder it does neither.

    Args:
        folder: where the state is kept; exists.
        identity: of data and settings, see `identity`.
    """

    def __init__(self, folder: Path | None, identity: str) -> None:
        self._file = None if folder is None else folder / CHECKPOINT
        self._identity = identity
        self._saved_at, self._cost = 0.0, 0.0

    def restore(self, parameters: Sequence[Any], adam: Any, entropy: Entropy) -> Progress:
        """Put everything back as it was saved; a fresh start where nothing was.

        Raises:
            CheckpointError: the state is of other data or settings, or damaged.
        """
        if self._file is None or not self._file.exists():
            return Progress()
        tensors, told = _read(self._file)
        if told.get("identity") != self._identity:
            raise CheckpointError("the interrupted training that is kept was of other data, settings or base model")
        for place, parameter in enumerate(parameters):
            parameter.data.copy_(tensors[f"weight.{place}"])
            if told["steps"]:
                adam.state[parameter] = {
                    "step": tensors["step"].clone(),
                    "exp_avg": tensors[f"exp_avg.{place}"].to(parameter.device),
                    "exp_avg_sq": tensors[f"exp_avg_sq.{place}"].to(parameter.device),
                }
        entropy.restore(told["entropy"])
        losses = [(step, loss) for step, loss in told["losses"]]
        return Progress(told["steps"], told["tokens"], told["seconds"], losses)

    def save(self, progress: Progress, parameters: Sequence[Any], adam: Any, entropy: Entropy, *, last: bool) -> None:
        """Save after a whole step: the first, the last, and others as often as they cost little."""
        started = time.monotonic()
        if self._file is None or (not last and started - self._saved_at < self._cost / SHARE):
            return
        import torch
        from safetensors.torch import save_file

        tensors = {"step": torch.tensor(float(progress.steps))}
        for place, parameter in enumerate(parameters):
            tensors[f"weight.{place}"] = parameter.detach().cpu()
            for name in ("exp_avg", "exp_avg_sq"):
                tensors[f"{name}.{place}"] = adam.state[parameter][name].cpu()
        told = {
            "identity": self._identity,
            "steps": progress.steps,
            "tokens": progress.tokens,
            "seconds": progress.seconds,
            "losses": progress.losses,
            "entropy": entropy.state(),
        }
        with atomic_path(self._file) as path:
            save_file(tensors, path, metadata={"training": json.dumps(told)})
        self._saved_at = time.monotonic()
        self._cost = self._saved_at - started


def identity(records: Sequence[Record], *settings: object) -> str:
    """SHA-256 over the windows of all records and everything else that the training follows from."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for record in records:
        digest.update(json.dumps(record.windows).encode())
    return digest.hexdigest()


def _read(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="pt") as opened:
            told = json.loads(opened.metadata()["training"])
            return {name: opened.get_tensor(name) for name in opened.keys()}, told  # noqa: SIM118
    except (OSError, SafetensorError, ValueError, KeyError, TypeError):
        pass
    raise CheckpointError("the interrupted training that is kept cannot be read")
