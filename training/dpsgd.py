"""The door to Opacus: LoRA matrices are trained by DP-SGD, one clipped gradient a unit.

Guarantees:
    Each step adds Gaussian noise of standard deviation `noise_multiplier * max_grad_norm` to the sum of the gradients
    of a Poisson sample of units, each clipped to `max_grad_norm` over all LoRA matrices together, in float32. A unit's
    loss is the mean over its own tokens, so neither padding nor another unit changes its gradient.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from training.adapter import parameter_digest
from training.compute import device, products
from training.config import TrainingConfig
from training.dataset import Record
from training.errors import TrainingCheckError
from training.sampling import Entropy, PhysicalBatches, PoissonSampler, check_poisson, make_loader

# Without privacy nothing is clipped; a finite bound keeps "bound times no noise" at zero.
NO_CLIPPING = 1e9


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
        tokens: trained on, padding not counted.
        seconds: of the loop.
        frozen_sha256: of the base's parameters, the same before and after.
    """

    sampler: str
    noise_generator: str
    tokens: int
    seconds: float
    frozen_sha256: str


def fit(
    model: Any,
    records: Sequence[Record],
    schedule: Schedule,
    config: TrainingConfig,
    progress: Callable[[int, int], None] | None,
) -> Fitted:
    """Train the LoRA matrices of `model` in place.

    Args:
        model: PEFT model; every parameter that requires a gradient is a LoRA matrix.
        records: one a unit, sorted by length.
        schedule: sampling and noise, as accounted for.
        config: sizes, learning rate, clipping bound.
        progress: called with steps done and in all.

    Raises:
        TrainingCheckError: the sampler is not Poisson, something but LoRA is trainable, the base changed, or LoRA did
            not move.
    """
    import torch
    from opacus import GradSampleModule

    _check_only_lora(model)
    frozen, before = (parameter_digest(model, trainable=trainable) for trainable in (False, True))
    model.to(device()).train()
    entropy = Entropy(None if config.secure_rng else config.seed)
    wrapped = GradSampleModule(_record_loss(model), loss_reduction="sum")
    adam = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=config.learning_rate)
    optimizer = _noisy(adam, schedule, config, entropy)
    sampler = PoissonSampler(len(records), schedule.sample_rate, schedule.steps, entropy)
    loader = make_loader(
        records, PhysicalBatches(sampler, records, config.physical_batch_tokens, optimizer), config.seed
    )
    name = check_poisson(loader, len(records), schedule.sample_rate, schedule.steps)
    started = time.perf_counter()
    tokens = _loop(wrapped, optimizer, loader, schedule.steps, config, progress)
    seconds = time.perf_counter() - started
    # Hooks would go on collecting gradients of whatever is scored afterwards.
    wrapped.remove_hooks()
    model.to("cpu").eval()
    if parameter_digest(model, trainable=False) != frozen:
        raise TrainingCheckError("the base model changed in training")
    if parameter_digest(model, trainable=True) == before:
        raise TrainingCheckError("the LoRA matrices did not move in training")
    return Fitted(name, entropy.name, tokens, seconds, frozen)


def _loop(
    wrapped: Any,
    optimizer: Any,
    loader: Any,
    steps: int,
    config: TrainingConfig,
    progress: Callable[[int, int], None] | None,
) -> int:
    done = tokens = 0
    for windows in loader:
        _backward(wrapped, windows, config)
        tokens += sum(len(window) for window in windows)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        # A step that was only a piece of a logical batch is no step of the accountant's.
        if not optimizer._is_last_step_skipped:
            done += 1
            if progress is not None:
                progress(done, steps)
    if done != steps:
        raise TrainingCheckError(f"{done} steps were taken, {steps} accounted for")
    return tokens


def _backward(wrapped: Any, windows: Sequence[tuple[int, ...]], config: TrainingConfig) -> None:
    if not windows:
        # An empty Poisson batch: no gradients, but the step and its noise must happen.
        for parameter in wrapped.parameters():
            if parameter.requires_grad:
                parameter.grad_sample = parameter.new_zeros((0, *parameter.shape))
        return
    with products(config.precision):
        losses = wrapped(*padded(windows))
    with warnings.catch_warnings():
        # Token ids need no gradient, so the first hooks see none for their input; they do not use it.
        warnings.filterwarnings("ignore", message="Full backward hook is firing", category=UserWarning)
        losses.sum().backward()


def padded(windows: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
    """Token ids Int64[n, longest], padded on the right with 0, and lengths Int64[n], on the device."""
    import torch

    lengths = torch.tensor([len(window) for window in windows])
    ids = torch.zeros((len(windows), int(lengths.max())), dtype=torch.long)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = torch.tensor(window)
    return ids.to(device()), lengths.to(device())


def _record_loss(model: Any) -> Any:
    import torch
    from torch.nn.functional import cross_entropy

    class RecordLoss(torch.nn.Module):
        """Mean negative log likelihood of each record's own tokens: Float32[n], nats."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, lengths: Any) -> Any:
            causal = self.model.get_base_model()
            # No attention mask: tokens look back only, and padding stands behind.
            hidden = causal.model(input_ids=ids, use_cache=False).last_hidden_state
            own = torch.arange(ids.shape[1] - 1, device=ids.device) < (lengths - 1)[:, None]
            logits = causal.lm_head(hidden[:, :-1][own])
            losses = cross_entropy(logits.float(), ids[:, 1:][own], reduction="none")
            rows = own.nonzero()[:, 0]
            sums = torch.zeros(len(ids), device=ids.device).index_add(0, rows, losses)
            return sums / (lengths - 1)

    return RecordLoss()


def _noisy(adam: Any, schedule: Schedule, config: TrainingConfig, entropy: Entropy) -> Any:
    import torch
    from opacus.optimizers import DPOptimizer

    class Noisy(DPOptimizer):  # type: ignore[misc]  # Opacus ships no types
        """Opacus's optimizer with float32 norms under bfloat16 products, and noise from the chosen generator."""

        def _get_flat_grad_sample(self, p: Any) -> Any:
            # Norms taken in bfloat16 err by 0.4%, and the clipped sum would exceed its bound.
            return super()._get_flat_grad_sample(p).float()

        def add_noise(self) -> None:
            std = self.noise_multiplier * self.max_grad_norm
            for p in self.params:
                p.grad = p.summed_grad.view_as(p)
                if std > 0:
                    # The mean of four hides the floating-point lattice of each (Holohan and Braghin 2021, n = 2).
                    noise = sum(entropy.normal(p.numel()) for _ in range(4)) * (std / 2)
                    p.grad = p.grad + torch.as_tensor(noise, dtype=p.dtype, device=p.device).view_as(p)

    return Noisy(
        adam,
        noise_multiplier=schedule.noise_multiplier,
        max_grad_norm=config.max_grad_norm if config.private else NO_CLIPPING,
        expected_batch_size=config.batch_size,
        loss_reduction="mean",
    )


def _check_only_lora(model: Any) -> None:
    trainable = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    if not trainable or any("lora_" not in name for name in trainable):
        raise TrainingCheckError("the trainable parameters are not the LoRA matrices alone")
