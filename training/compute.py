"""Where the arithmetic runs: device and precision of the matrix products."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Literal

Precision = Literal["auto", "float32", "bfloat16"]


def device() -> Any:
    """The first GPU, where there is one, else the processor."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def products(precision: Precision) -> AbstractContextManager[Any]:
    """A context in which matrix products run in the chosen precision; sums, norms and softmax stay float32.

    `auto` is bfloat16 where the processor has instructions for it, for there alone it is faster.
    """
    import torch

    where = device()
    if precision == "auto":
        fast = where.type == "cuda" or bool(torch.cpu._is_avx512_bf16_supported())
        precision = "bfloat16" if fast else "float32"
    return torch.autocast(where.type, dtype=torch.bfloat16, enabled=precision == "bfloat16")
