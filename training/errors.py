"""What can go wrong in training, and what the runner does next.

::

    TrainingError
    ├── AccountingError       no honest epsilon can be stated (delta too large, accountants disagree); stop, exit 2
    ├── TrainingDataError     too little to train on; stop, exit 2
    ├── AdapterError          an adapter folder is not one that was trained here; exit 2
    ├── CheckpointError       what is left of an interrupted training does not fit this one; train anew without it
    ├── OutOfMemory           a step does not fit; what is kept can be gone on with in smaller pieces (--resume), exit 2
    └── TrainingCheckError    the training broke one of its own promises (base changed, LoRA did not move, a sampler
                              that is not Poisson); publish nothing, and report it as a fault of the program

No message quotes a text: names of parameters, counts and figures only.
"""

from __future__ import annotations


class TrainingError(Exception):
    """Root of the training errors."""


class AccountingError(TrainingError):
    """No honest epsilon can be stated for these parameters."""


class TrainingDataError(TrainingError):
    """The records cannot be trained on."""


class AdapterError(TrainingError):
    """A folder is not an adapter that was trained here, or not for this base model."""


class CheckpointError(TrainingError):
    """The state of an interrupted training is of other data or settings, or damaged."""


class OutOfMemory(TrainingError):  # noqa: N818 - reads as what happened
    """A step needs more memory than there is; what was trained so far is kept."""

    def __init__(self) -> None:
        super().__init__(
            "a step does not fit in memory; set physical_batch_tokens lower (the result stays the same), or "
            "gradient_checkpointing = true, in [training], and run again with --resume"
        )


class TrainingCheckError(TrainingError):
    """A check of the trainer on itself failed; nothing of this training may be published."""
