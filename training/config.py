"""What can be set in training."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from seed_engine.conversation import Boundary

# Settings that change memory and time and not the result: an interrupted training may go on with others.
MEMORY_ONLY = frozenset({"physical_batch_tokens", "gradient_checkpointing"})


class TrainingConfig(Boundary):
    """DP-SGD LoRA; the defaults are sized for a laptop of two cores and a hundred conversations.

    Attributes:
        epsilon: largest privacy loss to spend, add-or-remove-one unit; > 0. 8 is the customary ceiling for DP-SGD.
            `inf` trains without clipping and noise, for comparison only: never certified.
        delta: probability with which the epsilon may not hold; in (0, 1) and below 1 / units, else training is refused.
            None takes 1e-5, or a tenth of 1 / units where there are so many units that 1e-5 would be too large.
        epochs: expected visits per unit, > 0. Under a fixed epsilon more visits mean more noise each. One keeps the
            sample run within two minutes on two cores; chosen for time, not tuned.
        batch_size: expected units a step (the logical batch), >= 1. Under DP large batches and few steps learn most.
        physical_batch_tokens: padded tokens that are in memory at once, >= 1; changes memory and speed, not the result.
            1,024 keeps a run below 4 GB; below 512 the matrix products are too small for the processor.
        max_length: longest window of a record, tokens, >= 16. Longer conversations are cut at turn boundaries into
            windows, of which one is drawn at each visit, so nothing is thrown away and a unit still counts once.
        r: rank of the LoRA matrices, >= 1. Noise grows with the number of parameters; 8 is PEFT's default.
        lora_alpha: LoRA scale (alpha / r multiplies the update), > 0; twice the rank, as is usual.
        target_modules: linear layers that get LoRA matrices; the attention projections, as in the LoRA paper.
        clipping: how each record's gradient is found: `fused` takes per-sample gradients in place of the summed ones,
            `hooks` is Opacus's way, `ghost` Opacus's norms-only way (float32 always); one result, the default fastest.
        gradient_checkpointing: compute activations once more on the way back instead of keeping them. A record of 2,048
            tokens took 1.6 GB in place of 3.0, and 44% more time; shorter pieces need it less. With `fused` only:
            Opacus's hooks would see each forward pass twice.
        max_grad_norm: L2 bound of one unit's gradient over all LoRA matrices, > 0. Noise grows with it; Adam is
            invariant to the common scale, so 1, the customary value, needs no tuning on private data.
        learning_rate: of Adam, > 0. The few steps that privacy allows call for a larger one than plain LoRA's 2e-4;
            not tuned on any private data.
        seed: of the canaries' texts, LoRA initialisation and, without `secure_rng`, everything else.
        secure_rng: draw the canaries' coins, batches and noise from the operating system's generator. With False all
            follow from `seed`, which training.json tells, and anyone can subtract the noise: for tests, not certified.
        canaries: how many canaries a coin is flipped for, >= 0; half become members. 1,450 give at least 650 members
            in 99.99% of runs, which the attack gate needs to see 1%. 0 leaves out audit and gate.
        canary_controls: further canaries that are never members, >= 0; with the tails of the coins they are the
            non-members by which attacks fix a false-positive rate.
        canary_repeats: how often a member canary stands in the data, >= 1. More than 1 breaks the claimed epsilon
            (the canary counts as several units) and is refused unless epsilon is `inf`.
        ledger: file in which trainings on one data set are booked before they begin; None books nothing. Whoever trains
            again on the same people names the same file, and what it cannot pay for is refused.
        ceiling: epsilon that all trainings in the ledger may cost together, > 0; one training of the customary size.
        audit_confidence: of the audit's lower bound on epsilon, in (0.5, 1).
        precision: `auto` takes bfloat16 products where the processor has them (2.2 times as fast as float32);
            norms, clipping, noise and updates are float32 always.
    """

    epsilon: Annotated[float, Field(gt=0.0, allow_inf_nan=True)] = 8.0
    delta: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    epochs: Annotated[float, Field(gt=0.0, le=1000.0)] = 1.0
    batch_size: Annotated[int, Field(ge=1)] = 64
    physical_batch_tokens: Annotated[int, Field(ge=1)] = 1024
    max_length: Annotated[int, Field(ge=16, le=8192)] = 128
    r: Annotated[int, Field(ge=1, le=256)] = 8
    lora_alpha: Annotated[float, Field(gt=0.0)] = 16.0
    target_modules: Annotated[tuple[str, ...], Field(min_length=1)] = ("q_proj", "k_proj", "v_proj", "o_proj")
    clipping: Literal["fused", "hooks", "ghost"] = "fused"
    gradient_checkpointing: bool = False
    max_grad_norm: Annotated[float, Field(gt=0.0)] = 1.0
    learning_rate: Annotated[float, Field(gt=0.0)] = 2e-3
    seed: int = 0
    secure_rng: bool = True
    canaries: Annotated[int, Field(ge=0)] = 1450
    canary_controls: Annotated[int, Field(ge=0)] = 1000
    canary_repeats: Annotated[int, Field(ge=1)] = 1
    ledger: Path | None = None
    ceiling: Annotated[float, Field(gt=0.0, allow_inf_nan=False)] = 8.0
    audit_confidence: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    precision: Literal["auto", "float32", "bfloat16"] = "auto"

    @model_validator(mode="after")
    def _fused_alone(self) -> Self:
        if self.gradient_checkpointing and self.clipping != "fused":
            raise ValueError("gradient_checkpointing goes with clipping = 'fused' only")
        return self

    @property
    def private(self) -> bool:
        """Whether this training clips and adds noise at all."""
        return math.isfinite(self.epsilon)

    def told(self, apart: frozenset[str] = frozenset()) -> dict[str, object]:
        """Every setting but the ledger's, for training.json: a path would tell of this machine."""
        return self.model_dump(mode="json", exclude={"ledger", "ceiling", *apart})
