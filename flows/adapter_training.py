"""Trains an adapter beside its place and publishes it by one rename; what a kill leaves can be gone on with.

`.NAME.staging` (0700) beside the adapter holds the checkpoint, the booking and the adapter as it is written. It is gone
once the adapter is published.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flows.errors import UsageError
from flows.progress import Advance
from seed_engine.atomic import atomic_text, flush_folder
from seed_engine.conversation import Conversation
from seed_engine.errors import SeedEngineError
from training.errors import CheckpointError, OutOfMemory, TrainingError
from training.state import BOOKING, CHECKPOINT

if TYPE_CHECKING:
    from training.config import TrainingConfig
    from training.record import TrainingRun

# In the adapter, so that it appears in the same rename: where it stands, what it names was trained to the end.
TRAINED_ON = "trained_on.json"


def train_adapter(
    conversations: Sequence[Conversation],
    settings: TrainingConfig,
    output: Path,
    advance: Advance,
    *,
    resume: bool,
    trained_on: Mapping[str, str] | None = None,
) -> TrainingRun:
    """Train and publish, or go on with what an interrupted training left.

    Args:
        conversations: what to learn from.
        settings: every choice.
        output: the adapter's folder; must not exist.
        advance: progress, in noisy steps.
        resume: go on from `.NAME.staging`, where there is one; without it, one that is there is not touched.
        trained_on: digests by what they are of, published as `trained_on.json`; None publishes none.

    Raises:
        UsageError: the output exists, another process trains it, or an interrupted training is there unasked.
        TrainingError: see `training.train`; what was staged is removed, unless it belongs to other data or settings, or
            only memory ran out.
    """
    output = output.resolve()
    staging = staging_of(output)
    if output.exists():
        raise UsageError(f"{output} exists")
    if staging.exists() and not resume:
        raise UsageError(f"an interrupted training of {output} is kept; give --resume, or remove {staging}")
    (staging / "adapter").mkdir(mode=0o700, parents=True, exist_ok=True)
    staging.chmod(0o700)
    with _held(staging):
        try:
            run = _fit(conversations, settings, staging, advance)
        except (TrainingError, SeedEngineError) as error:
            if not isinstance(error, CheckpointError | OutOfMemory):
                shutil.rmtree(staging)
            raise
        if trained_on is not None:
            atomic_text(staging / "adapter" / TRAINED_ON, json.dumps(dict(trained_on), indent=1) + "\n")
        flush_folder(staging / "adapter")
        # Fails if another process was faster: an adapter is published once.
        (staging / "adapter").rename(output)
        flush_folder(output.parent)
        shutil.rmtree(staging)
    return run


def staging_of(output: Path) -> Path:
    """Where a training is kept until its adapter is published."""
    return output.parent / f".{output.name}.staging"


def _fit(
    conversations: Sequence[Conversation], settings: TrainingConfig, staging: Path, advance: Advance
) -> TrainingRun:
    from training.train import train

    return train(conversations, settings, staging / "adapter", progress=advance, state=staging)


@contextmanager
def _held(staging: Path) -> Iterator[None]:
    descriptor = os.open(staging, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            taken = False
        except OSError:
            taken = True
        if taken:
            raise UsageError(f"another process trains in {staging}")
        yield
    finally:
        os.close(descriptor)
        if not any((staging / name).exists() for name in (BOOKING, CHECKPOINT)):
            shutil.rmtree(staging, ignore_errors=True)  # stopped before there was anything to go on from
