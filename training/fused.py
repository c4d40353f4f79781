"""Per-sample gradients of LoRA matrices at the cost of the plain ones: they replace the summed gradient, not follow it.

Autograd would compute the gradient of A and B summed over the batch, and Opacus's hooks compute it per sample once
more. Here backward computes it per sample only: one batched product of the same size. LoRA matrices are small (rank x
width), so keeping one gradient a sample costs less than any trick with norms; ghost clipping needs a second backward.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from training.compute import product_dtype


@contextlib.contextmanager
def per_sample_gradients(model: Any) -> Iterator[None]:
    """Within the block, backward leaves `grad_sample` Float32[n, *shape] on every LoRA matrix, and no `grad`.

    Args:
        model: PEFT model whose trainable parameters are the weights of linear layers without bias, each used once.
    """
    linear = _per_sample_linear()
    patched = [module for module in model.modules() if _is_trainable_linear(module)]
    try:
        for module in patched:
            # An attribute of the instance goes before the class's method.
            module.forward = lambda inputs, weight=module.weight: linear.apply(inputs, weight)
        yield
    finally:
        for module in patched:
            del module.forward


def _is_trainable_linear(module: Any) -> bool:
    import torch

    return isinstance(module, torch.nn.Linear) and getattr(module, "bias", None) is None and module.weight.requires_grad


def _per_sample_linear() -> Any:
    import torch

    class PerSampleLinear(torch.autograd.Function):
        """A linear layer without bias, inputs Float[n, t, d], whose backward keeps the weight's gradient per sample."""

        @staticmethod
        def forward(ctx: Any, inputs: Any, weight: Any) -> Any:
            dtype = product_dtype(inputs)
            kept, low = inputs.to(dtype), weight.to(dtype)
            ctx.weight, ctx.dtype = weight, inputs.dtype
            ctx.save_for_backward(kept, low)
            return kept @ low.T

        @staticmethod
        def backward(ctx: Any, slope: Any) -> Any:
            kept, low = ctx.saved_tensors
            # Clipping takes norms and sums of these very values, so their rounding cannot exceed the bound.
            ctx.weight.grad_sample = torch.bmm(slope.transpose(1, 2), kept).float()
            return (slope @ low).to(ctx.dtype) if ctx.needs_input_grad[0] else None, None

    return PerSampleLinear
