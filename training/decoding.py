"""Decoding: what a model goes on to say, by beam search or drawn; prefixes of one length at a time."""

from __future__ import annotations

from typing import Any

from training.compute import device


def beam_search(model: Any, starts: list[list[int]], max_new_tokens: int, width: int) -> list[list[list[int]]]:
    """The `width` best completions of each start, the best first; width 1 is greedy.

    Args:
        model: PEFT model, in evaluation mode.
        starts: n lists of token ids of one length.
        max_new_tokens: longest completion.
        width: beams kept, >= 1.

    Returns:
        n lists of `width` lists of token ids, up to and with the end token, where there is one.
    """
    import torch

    causal = model.get_base_model()
    end = int(causal.config.eos_token_id)
    if width == 1:
        return _greedy(causal, starts, max_new_tokens)
    log_p, cache = _step(causal, torch.tensor(starts, device=device()), None)
    scores, best = log_p.topk(width, dim=-1)
    cache.batch_repeat_interleave(width)
    said = best.reshape(-1, 1)
    for _ in range(max_new_tokens - 1):
        ended = said[:, -1] == end
        if bool(ended.all()):
            break
        log_p, cache = _step(causal, said[:, -1:], cache)
        # An ended beam stays as it is: it says its end again, at no cost.
        log_p[ended] = -torch.inf
        log_p[ended, end] = 0.0
        whole = (scores.reshape(-1, 1) + log_p).reshape(len(starts), -1)
        scores, places = whole.topk(width, dim=-1)
        first = torch.arange(len(starts), device=device())[:, None] * width
        beams = (first + places // log_p.shape[-1]).reshape(-1)
        said = torch.cat([said[beams], (places % log_p.shape[-1]).reshape(-1, 1)], dim=1)
        cache.reorder_cache(beams)
    return said.reshape(len(starts), width, -1).tolist()  # type: ignore[no-any-return]


def draw(model: Any, starts: list[list[int]], max_new_tokens: int, drawing: Any) -> list[list[list[int]]]:
    """One completion of each start, drawn at temperature 1 by a generator of the processor."""
    import torch

    causal = model.get_base_model()
    ids, cache, said = torch.tensor(starts, device=device()), None, []
    for _ in range(max_new_tokens):
        log_p, cache = _step(causal, ids, cache)
        ids = torch.multinomial(log_p.exp().cpu(), 1, generator=drawing).to(device())
        said.append(ids)
    return [[tokens] for tokens in torch.cat(said, dim=1).tolist()]


def _greedy(causal: Any, starts: list[list[int]], max_new_tokens: int) -> list[list[list[int]]]:
    import torch

    ids, cache, said = torch.tensor(starts, device=device()), None, []
    ended = torch.zeros(len(starts), dtype=torch.bool, device=device())
    for _ in range(max_new_tokens):
        output = causal.model(input_ids=ids, cache=cache, use_cache=True)
        cache = output.past_key_values
        # The likeliest token needs no probabilities.
        ids = causal.lm_head(output.last_hidden_state[:, -1]).argmax(-1, keepdim=True)
        said.append(ids)
        ended |= ids[:, 0] == int(causal.config.eos_token_id)
        if bool(ended.all()):
            break
    return [[tokens] for tokens in torch.cat(said, dim=1).tolist()]


def _step(causal: Any, ids: Any, cache: Any) -> tuple[Any, Any]:
    """Log probabilities Float32[n, vocabulary] of the next token, and the cache."""
    output = causal.model(input_ids=ids, cache=cache, use_cache=True)
    logits = causal.lm_head(output.last_hidden_state[:, -1]).float()
    return logits.log_softmax(dim=-1), output.past_key_values
