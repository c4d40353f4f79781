"""What a trained adapter knows: likelihoods and completions, as audit and attacks ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.adapter import load_lora
from training.compute import Precision, device, products

Float64 = NDArray[np.float64]
# Padded tokens a forward pass; measured: more no longer helps on two cores, and costs memory.
TOKENS_AT_ONCE = 2048


class AdapterModel:
    """An adapter on its base; with `reference=True` the base alone.

    Prefix and continuation are tokenised apart, as canaries are in training. Answers keep the order of the questions.
    """

    def __init__(self, model: Any, tokenizer: Any, precision: Precision = "auto") -> None:
        self._model, self._tokenizer, self._precision = model.to(device()).eval(), tokenizer, precision

    def log_likelihoods(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> Float64:
        """Sums of the log probabilities of each continuation's tokens given its prefix: Float64[n], nats."""
        rows = self.token_log_probabilities(prefixes, continuations, reference=reference)
        return np.array([row.sum() for row in rows], dtype=np.float64)

    def token_log_probabilities(
        self, prefixes: Sequence[str], continuations: Sequence[str], *, reference: bool = False
    ) -> list[Float64]:
        """Log probability of each token of each continuation: n arrays Float64[k], nats."""
        return [row[:, 0] for row in self._rows(prefixes, continuations, reference, moments=False)]

    def token_statistics(self, prefixes: Sequence[str], continuations: Sequence[str]) -> list[Float64]:
        """Per continuation Float64[k, 3]: log p of the token, mean and standard deviation of log p under the model."""
        return self._rows(prefixes, continuations, False, moments=True)

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """Greedy completions, without the prefix, of at most `max_new_tokens` tokens."""
        import torch

        starts = [[self._tokenizer.bos_token_id, *self._encode(prefix)] for prefix in prefixes]
        answers: list[str] = [""] * len(starts)
        with torch.inference_mode(), products(self._precision):
            # Prefixes of one length need no padding, and a batch of them one mask less.
            for batch in _batches([len(start) for start in starts], same_length=True):
                tokens = _greedy(self._model, [starts[i] for i in batch], max_new_tokens, self._tokenizer.eos_token_id)
                for i, own in zip(batch, tokens, strict=True):
                    answers[i] = self._tokenizer.decode(own, skip_special_tokens=True)
        return answers

    def _rows(
        self, prefixes: Sequence[str], continuations: Sequence[str], reference: bool, *, moments: bool
    ) -> list[Float64]:
        import torch

        heads = [[self._tokenizer.bos_token_id, *self._encode(prefix)] for prefix in prefixes]
        tails = [self._encode(continuation) for continuation in continuations]
        answers: list[Float64] = [np.empty((0, 3))] * len(heads)
        without: AbstractContextManager[Any] = self._model.disable_adapter() if reference else nullcontext()
        with torch.inference_mode(), without:
            lengths = [len(head) + len(tail) for head, tail in zip(heads, tails, strict=True)]
            for batch in _batches(lengths, same_length=False):
                rows = self._forward([heads[i] for i in batch], [tails[i] for i in batch], moments)
                for i, row in zip(batch, rows, strict=True):
                    answers[i] = row
        return answers

    def _forward(self, heads: list[list[int]], tails: list[list[int]], moments: bool) -> Iterator[Float64]:
        import torch

        longest = max(len(head) + len(tail) for head, tail in zip(heads, tails, strict=True))
        ids = torch.zeros((len(heads), longest), dtype=torch.long)
        wanted = torch.zeros((len(heads), longest), dtype=torch.bool)
        for row, (head, tail) in enumerate(zip(heads, tails, strict=True)):
            ids[row, : len(head) + len(tail)] = torch.tensor(head + tail)
            wanted[row, len(head) : len(head) + len(tail)] = True
        ids, wanted = ids.to(device()), wanted.to(device())
        causal = self._model.get_base_model()
        with products(self._precision):
            hidden = causal.model(input_ids=ids, use_cache=False).last_hidden_state
        # The head in float32, at the wanted places only: a logit in bfloat16 is off by up to 0.06.
        logits = causal.lm_head(hidden[:, :-1][wanted[:, 1:]].float())
        log_p = torch.log_softmax(logits, dim=-1)
        columns = [log_p.gather(1, ids[wanted][:, None])[:, 0]]
        if moments:
            p = log_p.exp()
            mean = (p * log_p).sum(-1)
            spread = ((p * log_p.square()).sum(-1) - mean.square()).clamp(min=0).sqrt()
            columns += [mean, spread]
        flat = torch.stack(columns, dim=1).double().cpu().numpy()
        start = 0
        for tail in tails:
            yield flat[start : start + len(tail)]
            start += len(tail)

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False))


def load_adapter(folder: Path) -> AdapterModel:
    """The adapter in a folder that `training.train` wrote.

    Raises:
        AdapterError: the folder is not an adapter of the base model.
    """
    return AdapterModel(*load_lora(folder))


def _batches(lengths: Sequence[int], *, same_length: bool) -> Iterator[list[int]]:
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        full = (len(batch) + 1) * lengths[i] > TOKENS_AT_ONCE
        if batch and (full or (same_length and lengths[i] != lengths[batch[0]])):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _greedy(model: Any, starts: list[list[int]], max_new_tokens: int, end: int) -> list[list[int]]:
    import torch

    causal = model.get_base_model()
    ids, cache = torch.tensor(starts, device=device()), None
    finished = torch.zeros(len(starts), dtype=torch.bool, device=device())
    tokens: list[list[int]] = [[] for _ in starts]
    for _ in range(max_new_tokens):
        output = causal.model(input_ids=ids, cache=cache, use_cache=True)
        cache = output.past_key_values
        best = causal.lm_head(output.last_hidden_state[:, -1]).argmax(-1)
        finished |= best == end
        if bool(finished.all()):
            break
        for own, token, done in zip(tokens, best.tolist(), finished.tolist(), strict=True):
            if not done:
                own.append(token)
        ids = best[:, None]
    return tokens
