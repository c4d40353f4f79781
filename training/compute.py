"""Where the arithmetic runs: device and precision of the matrix products."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Literal

Precision = Literal["auto", "float32", "bfloat16"]


def device() -> Any:
    """The first GPU, where there is one, else the processor."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def lower_products(precision: Precision) -> bool:
    """Whether products run in bfloat16; `auto` does where the device has instructions for it."""
    import torch

    if precision == "auto":
        return device().type == "cuda" or bool(torch.cpu._is_avx512_bf16_supported())
    return precision == "bfloat16"


def products(precision: Precision) -> AbstractContextManager[Any]:
    """A context in which matrix products run in the chosen precision; sums, norms and softmax stay float32.

    `auto` is bfloat16 where the processor has instructions for it, for there alone it is faster.
    """
    import torch

    return torch.autocast(device().type, dtype=torch.bfloat16, enabled=lower_products(precision))


def product_dtype(values: Any) -> Any:
    """The type that a product of these values is computed in here: autocast's, else their own."""
    import torch

    kind = values.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else values.dtype


def lower_weights(model: Any, precision: Precision) -> Any:
    """The model with the frozen weights of its products in the precision that they are computed in anyway.

    Autocast would convert them anew for every batch; the results are the same bit for bit, and half the memory.
    """
    import torch

    if lower_products(precision):
        for name, module in model.named_modules():
            frozen = isinstance(module, torch.nn.Linear) and not module.weight.requires_grad
            if frozen and not name.endswith("lm_head"):
                module.weight.data = module.weight.data.to(torch.bfloat16)
    return model
