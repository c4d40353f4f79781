"""What a training asserts of itself while it runs: the promises that the accountant takes for granted.

Each looks at what was done, not at what was asked for, and none publishes a figure. A check that fails is a fault of
the program: nothing of the training is published.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from training.clipping import NO_CLIPPING, Clipping
from training.errors import TrainingCheckError

# Public texts' token counts: short and long, so that padding and a batch's mean would both show.
PROBE_LENGTHS = (6, 23, 9)
# Products in bfloat16 of other shapes differ by 1%; a loss over the batch's tokens changes a gradient by a factor.
PROBE_TOLERANCE = 0.1
# chi-square of n squares lies within this many standard deviations of n: 3e-12 a step for the normal limit.
NOISE_SIGMAS = 7.0


def check_only_lora(model: Any) -> None:
    """Only LoRA matrices are trainable, and they hold float32: noise in 8 bits of mantissa would be on a coarse grid.

    Raises:
        TrainingCheckError: something else is, or nothing, or in another precision.
    """
    import torch

    trainable = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    if not trainable or any("lora_" not in name for name in trainable):
        raise TrainingCheckError("the trainable parameters are not the LoRA matrices alone")
    if any(p.dtype != torch.float32 for p in model.parameters() if p.requires_grad):
        raise TrainingCheckError("the trainable parameters are not float32")


def check_isolated(clipping: Clipping) -> None:
    """A record's gradient is its own: batched with others or each alone, they add up to the same.

    Taken on arbitrary tokens before training, so it costs no privacy; without clipping, which would hide a factor.

    Raises:
        TrainingCheckError: others in the batch, or padding, change a record's gradient.
    """
    probes = [tuple(3 + (7 * place + 5 * length) % 60 for place in range(length)) for length in PROBE_LENGTHS]
    bound, clipping.optimizer.max_grad_norm = clipping.optimizer.max_grad_norm, NO_CLIPPING
    together, alone = _sums(clipping, [probes]), _sums(clipping, [[probe] for probe in probes])
    clipping.optimizer.max_grad_norm = bound
    size = math.sqrt(sum(float(a.square().sum()) for a in alone))
    apart = math.sqrt(sum(float((a - b).square().sum()) for a, b in zip(together, alone, strict=True)))
    if not apart <= PROBE_TOLERANCE * size:
        raise TrainingCheckError("a record's gradient depends on the other records of its batch")


def check_step(optimizer: Any, drawn: int, noise_multiplier: float, max_grad_norm: float) -> None:
    """A step's clipped sum is within its bound, and the noise on it has the variance accounted for.

    Args:
        optimizer: Opacus's, after its step and before its gradients are cleared.
        drawn: records in the logical batch.
        noise_multiplier: as accounted for, > 0.
        max_grad_norm: as accounted for, > 0.

    Raises:
        TrainingCheckError: one of the two does not hold.
    """
    count, clipped, noise = 0, 0.0, 0.0
    for parameter in optimizer.params:
        summed = parameter.summed_grad.view_as(parameter)
        clipped += float(summed.double().square().sum())
        noise += float((parameter.grad * optimizer.expected_batch_size - summed).double().square().sum())
        count += parameter.numel()
    # Float32 sums of many records round; a thousandth is far below what a missing clip does.
    if not math.sqrt(clipped) <= drawn * max_grad_norm * 1.001:
        raise TrainingCheckError("a step's clipped gradients exceed their bound")
    expected = (noise_multiplier * max_grad_norm) ** 2 * count
    if not abs(noise - expected) <= expected * NOISE_SIGMAS * math.sqrt(2 / count):
        raise TrainingCheckError("a step's noise is not the noise accounted for")


def _sums(clipping: Clipping, batches: Sequence[Sequence[tuple[int, ...]]]) -> list[Any]:
    import torch

    optimizer = clipping.optimizer
    for batch in batches:
        clipping.backward(batch)
        # Ghost clipping has clipped already and only adds up.
        (getattr(optimizer, "accumulate", None) or optimizer.clip_and_accumulate)()
        for parameter in optimizer.params:
            parameter.grad_sample = parameter.grad = None
    sums = [torch.clone(parameter.summed_grad) for parameter in optimizer.params]
    for parameter in optimizer.params:
        parameter.summed_grad = None
    return sums
