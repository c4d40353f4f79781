"""Decoding: what a model goes on to say, by beam search or drawn; prefixes of all lengths in one batch."""

from __future__ import annotations

from typing import Any

from training.compute import device, product_dtype


def beam_search(model: Any, starts: list[list[int]], max_new_tokens: int, width: int) -> list[list[list[int]]]:
    """The `width` best completions of each start, the best first; width 1 is greedy.

    Args:
        model: PEFT model, in evaluation mode.
        starts: n lists of token ids, none of them empty; like lengths cost least.
        max_new_tokens: longest completion.
        width: beams kept, >= 1.

    Returns:
        n lists of `width` lists of token ids, up to and with the end token, where there is one.
    """
    import torch

    causal = model.get_base_model()
    end = int(causal.config.eos_token_id)
    reader = _Reader(causal, starts)
    if width == 1:
        return _greedy(reader, max_new_tokens, end)
    log_p = reader.log_probabilities(reader.starts)
    scores, best = log_p.topk(width, dim=-1)
    reader.repeat(width)
    said = best.reshape(-1, 1)
    for _ in range(max_new_tokens - 1):
        ended = said[:, -1] == end
        if bool(ended.all()):
            break
        log_p = reader.log_probabilities(said[:, -1:])
        # An ended beam stays as it is: it says its end again, at no cost.
        log_p[ended] = -torch.inf
        log_p[ended, end] = 0.0
        whole = (scores.reshape(-1, 1) + log_p).reshape(len(starts), -1)
        scores, places = whole.topk(width, dim=-1)
        first = torch.arange(len(starts), device=device())[:, None] * width
        beams = (first + places // log_p.shape[-1]).reshape(-1)
        said = torch.cat([said[beams], (places % log_p.shape[-1]).reshape(-1, 1)], dim=1)
        reader.reorder(beams)
    return said.reshape(len(starts), width, -1).tolist()  # type: ignore[no-any-return]


def draw(model: Any, starts: list[list[int]], max_new_tokens: int, drawing: Any) -> list[list[list[int]]]:
    """One completion of each start, drawn at temperature 1 by a generator of the processor."""
    import torch

    reader = _Reader(model.get_base_model(), starts)
    ids, said = reader.starts, []
    for _ in range(max_new_tokens):
        log_p = reader.log_probabilities(ids)
        ids = torch.multinomial(log_p.exp().cpu(), 1, generator=drawing).to(device())
        said.append(ids)
    return [[tokens] for tokens in torch.cat(said, dim=1).tolist()]


def _greedy(reader: _Reader, max_new_tokens: int, end: int) -> list[list[list[int]]]:
    import torch

    ids, said = reader.starts, []
    ended = torch.zeros(len(ids), dtype=torch.bool, device=device())
    for _ in range(max_new_tokens):
        # The likeliest token needs no probabilities.
        ids = reader.logits(ids).argmax(-1, keepdim=True)
        said.append(ids)
        ended |= ids[:, 0] == end
        if bool(ended.all()):
            break
    return [[tokens] for tokens in torch.cat(said, dim=1).tolist()]


class _Reader:
    """A model that reads n sequences on; what it has read is kept, and shorter starts are padded at their left."""

    def __init__(self, causal: Any, starts: list[list[int]]) -> None:
        import torch

        longest = max(map(len, starts))
        padded = [[0] * (longest - len(start)) + start for start in starts]
        self.starts = torch.tensor(padded, device=device())
        places = torch.arange(longest, device=device())
        missing = torch.tensor([longest - len(start) for start in starts], device=device())
        # Without padding there is no mask, which the model's attention is faster without.
        self._mask: Any = (places >= missing[:, None]).long() if bool(missing.any()) else None
        self._causal = causal
        self._cache: Any = None
        self._head: Any = None

    def logits(self, ids: Any) -> Any:
        """Those of the token after `ids`, Int64[n, k], which follow what was read before: [n, vocabulary]."""
        import torch

        if self._mask is not None and self._cache is not None:
            self._mask = torch.cat([self._mask, torch.ones_like(ids)], dim=1)
        # Rotary positions are relative: padding shifts a whole sequence, which changes nothing.
        output = self._causal.model(input_ids=ids, attention_mask=self._mask, cache=self._cache, use_cache=True)
        self._cache = output.past_key_values
        last = output.last_hidden_state[:, -1]
        if self._head is None:
            # Autocast would convert the head anew for every token.
            self._head = self._causal.lm_head.weight.to(product_dtype(last))
        return last.to(self._head.dtype) @ self._head.T

    def log_probabilities(self, ids: Any) -> Any:
        """Of the token after `ids`: Float32[n, vocabulary]; see `logits`."""
        return self.logits(ids).float().log_softmax(dim=-1)

    def repeat(self, width: int) -> None:
        """Every sequence `width` times, one after another."""
        self._cache.batch_repeat_interleave(width)
        self._mask = None if self._mask is None else self._mask.repeat_interleave(width, dim=0)

    def reorder(self, beams: Any) -> None:
        """The sequences at these places; each stays with its own start, so the mask stays as it is."""
        self._cache.reorder_cache(beams)
