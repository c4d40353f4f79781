"""LoRA matrices are trained by DP-SGD: Poisson batches, one clipped gradient a unit, Gaussian noise.

Guarantees:
    Each step adds Gaussian noise of standard deviation `noise_multiplier * max_grad_norm` to the sum of the gradients
    of a Poisson sample of units, each clipped to `max_grad_norm` over all LoRA matrices together, in float32. A unit's
    loss is the mean over its own tokens, so neither padding nor another unit changes its gradient.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from training.adapter import parameter_digest
from training.checkpoint import Checkpoints, Progress
from training.checks import check_isolated, check_only_lora, check_step
from training.clipping import Clipping, clipping_for
from training.compute import Precision, device, lower_weights
from training.config import TrainingConfig
from training.curve import due, public_loss
from training.dataset import Record
from training.errors import TrainingCheckError
from training.sampling import Entropy, PhysicalBatches, PoissonSampler, check_poisson, make_loader

Watch = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How the units are visited and how much noise each step adds.

    Attributes:
        sample_rate: in (0, 1].
        steps: >= 1.
        noise_multiplier: 0 without privacy.
    """

    sample_rate: float
    steps: int
    noise_multiplier: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a training did, beside moving the LoRA matrices.

    Attributes:
        sampler: name of the sampler that was used.
        noise_generator: `os` or `seeded`.
        steps: noisy steps taken, those before an interruption included.
        tokens: trained on, padding not counted.
        seconds: of the loop.
        frozen_sha256: of the base's parameters, in the precision trained on, the same before and after.
        losses: (step, nats a token) on public texts, see `training.curve`; empty without such texts.
    """

    sampler: str
    noise_generator: str
    steps: int
    tokens: int
    seconds: float
    frozen_sha256: str
    losses: tuple[tuple[int, float], ...]


def fit(
    model: Any,
    records: Sequence[Record],
    schedule: Schedule,
    config: TrainingConfig,
    watch: Watch | None = None,
    checkpoints: Checkpoints | None = None,
    public: list[tuple[int, ...]] | None = None,
) -> Fitted:
    """Train the LoRA matrices of `model` in place.

    Args:
        model: PEFT model; every parameter that requires a gradient is a LoRA matrix.
        records: one a unit, sorted by length.
        schedule: sampling and noise, as accounted for.
        config: sizes, learning rate, clipping bound.
        watch: called with steps done and in all.
        checkpoints: where the state is kept and an interrupted training is gone on with.
        public: windows of public texts, whose loss is followed.

    Raises:
        TrainingCheckError: the sampler is not Poisson, something but LoRA is trainable, the base changed, LoRA did
            not move, or a step was not what the accountant takes it for.
        CheckpointError: the state that is kept does not fit.
    """
    import torch

    check_only_lora(model)
    lower_weights(model, "float32" if config.clipping == "ghost" else config.precision)
    frozen, before = (parameter_digest(model, trainable=trainable) for trainable in (False, True))
    model.to(device()).train()
    parameters = [p for p in model.parameters() if p.requires_grad]
    adam = torch.optim.Adam(parameters, lr=config.learning_rate)
    entropy = Entropy(None if config.secure_rng else config.seed)
    clipping = clipping_for(model, adam, schedule.noise_multiplier, config, entropy)
    try:
        check_isolated(clipping)
        curve = _Curve(model, public or [], config.precision)
        training = _Training(clipping, adam, parameters, entropy, checkpoints or Checkpoints(None, ""), watch, curve)
        sampler, progress = training.run(records, schedule, config)
    finally:
        clipping.close()
    model.to("cpu").eval()
    if parameter_digest(model, trainable=False) != frozen:
        raise TrainingCheckError("the base model changed in training")
    if parameter_digest(model, trainable=True) == before:
        raise TrainingCheckError("the LoRA matrices did not move in training")
    losses = tuple(progress.losses)
    return Fitted(sampler, entropy.name, progress.steps, progress.tokens, progress.seconds, frozen, losses)


@dataclass(frozen=True, slots=True)
class _Curve:
    model: Any
    windows: list[tuple[int, ...]]
    precision: Precision

    def follow(self, progress: Progress, steps: int) -> None:
        if self.windows and due(progress.steps, steps):
            progress.losses.append((progress.steps, public_loss(self.model, self.windows, self.precision)))


@dataclass(slots=True)
class _Training:
    clipping: Clipping
    adam: Any
    parameters: Sequence[Any]
    entropy: Entropy
    checkpoints: Checkpoints
    watch: Watch | None
    curve: _Curve

    def run(self, records: Sequence[Record], schedule: Schedule, config: TrainingConfig) -> tuple[str, Progress]:
        progress = self.checkpoints.restore(self.parameters, self.adam, self.entropy)
        rate, steps = schedule.sample_rate, schedule.steps
        if progress.steps == 0:
            self.curve.follow(progress, steps)
        sampler = PoissonSampler(len(records), rate, steps, self.entropy, progress.steps)
        batches = PhysicalBatches(sampler, records, config.physical_batch_tokens, self.clipping.optimizer)
        loader = make_loader(records, batches, self.entropy)
        name = check_poisson(loader, len(records), rate, steps, progress.steps)
        self._loop(loader, schedule, config, progress)
        if progress.steps != steps:
            raise TrainingCheckError(f"{progress.steps} steps were taken, {steps} accounted for")
        return name, progress

    def _loop(self, loader: Any, schedule: Schedule, config: TrainingConfig, progress: Progress) -> None:
        optimizer, drawn, started = self.clipping.optimizer, 0, time.perf_counter() - progress.seconds
        noise = schedule.noise_multiplier
        if noise > 0:
            optimizer.attach_step_hook(lambda stepped: check_step(stepped, drawn, noise, config.max_grad_norm))
        for windows in loader:
            self.clipping.backward(windows)
            drawn += len(windows)
            progress.tokens += sum(len(window) for window in windows)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            # A step that was only a piece of a logical batch is no step of the accountant's.
            if optimizer._is_last_step_skipped:
                continue
            drawn, progress.steps = 0, progress.steps + 1
            progress.seconds = time.perf_counter() - started
            self.curve.follow(progress, schedule.steps)
            last = progress.steps == schedule.steps
            self.checkpoints.save(progress, self.parameters, self.adam, self.entropy, last=last)
            if self.watch is not None:
                self.watch(progress.steps, schedule.steps)
