"""The loss of a record, the mean over its own tokens; logits come a few rows at a time and are never kept.

The head is frozen, so the slope of each row's loss follows from that row alone and can be taken on the way forward: the
same products as otherwise, without the three tables of rows x vocabulary that dominate a small model's memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from training.compute import device, product_dtype

# Rows of logits at once: 128 rows of a vocabulary of 49,152 are 24 MiB in float32.
HEAD_ROWS = 128


def record_loss(model: Any) -> Any:
    """A module over `model` (PEFT): token ids Int64[n, t] and lengths Int64[n] to losses Float32[n], nats.

    Neither padding nor another record changes a record's loss or gradient.
    """
    import torch

    head_loss = _head_loss()

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
            losses = head_loss.apply(hidden[:, :-1][own], causal.lm_head.weight, ids[:, 1:][own])
            rows = own.nonzero()[:, 0]
            sums = torch.zeros(len(ids), device=ids.device).index_add(0, rows, losses)
            return sums / (lengths - 1)

    return RecordLoss()


def padded(windows: Sequence[tuple[int, ...]]) -> tuple[Any, Any]:
    """Token ids Int64[n, longest], padded on the right with 0, and lengths Int64[n], on the device."""
    import torch

    lengths = torch.tensor([len(window) for window in windows])
    ids = torch.zeros((len(windows), int(lengths.max())), dtype=torch.long)
    for row, window in enumerate(windows):
        ids[row, : len(window)] = torch.tensor(window)
    return ids.to(device()), lengths.to(device())


def _head_loss() -> Any:
    import torch

    class HeadLoss(torch.autograd.Function):
        """Cross-entropy of rows Float[m, d] under a frozen head [v, d] for targets Int64[m]: Float32[m]."""

        @staticmethod
        def forward(ctx: Any, rows: Any, head: Any, targets: Any) -> Any:
            dtype = product_dtype(rows)
            head, losses, slopes = head.to(dtype), rows.new_empty(len(rows), dtype=torch.float32), []
            for start in range(0, len(rows), HEAD_ROWS):
                part = slice(start, start + HEAD_ROWS)
                log_p = (rows[part].to(dtype) @ head.T).float().log_softmax(dim=-1)
                own = targets[part, None]
                losses[part] = -log_p.gather(1, own)[:, 0]
                # d loss / d logits = p - 1 at the target.
                slope = log_p.exp_().scatter_add_(1, own, torch.full_like(own, -1, dtype=torch.float32))
                slopes.append((slope.to(dtype) @ head).to(rows.dtype))
            ctx.save_for_backward(torch.cat(slopes))
            return losses

        @staticmethod
        def backward(ctx: Any, slope: Any) -> Any:
            (slopes,) = ctx.saved_tensors
            return slopes * slope[:, None].to(slopes.dtype), None, None

    return HeadLoss
