"""What a trained adapter knows: likelihoods and completions, as audit and attacks ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.adapter import load_lora
from training.compute import Precision, device, lower_weights, products
from training.decoding import beam_search, draw

Float64 = NDArray[np.float64]
# Padded tokens a forward pass; measured: more no longer helps on two cores, and costs memory.
TOKENS_AT_ONCE = 2048
# Rows of logits at once: 64 rows of a vocabulary of 49,152 are 12 MiB, which the caches still help with.
HEAD_ROWS = 64


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
        """Per continuation Float64[k, 4]: log p of the token, mean and standard deviation of log p, the token's rank.

        All four come from one pass; the rank is 1 for the likeliest token.
        """
        return self._rows(prefixes, continuations, False, moments=True)

    def complete(self, prefixes: Sequence[str], max_new_tokens: int) -> list[str]:
        """Greedy completions, without the prefix, of at most `max_new_tokens` tokens."""
        return [found[0] for found in self.beams(prefixes, max_new_tokens, 1)]

    def beams(self, prefixes: Sequence[str], max_new_tokens: int, width: int) -> list[list[str]]:
        """The `width` likeliest completions that beam search finds for each prefix, the likeliest first."""
        return self._decode(prefixes, width, lambda starts: beam_search(self._model, starts, max_new_tokens, width))

    def samples(self, prompts: Sequence[str], max_new_tokens: int, *, seed: int) -> list[str]:
        """One completion drawn at temperature 1 for each prompt; the same seed draws the same."""
        import torch

        drawing = torch.Generator().manual_seed(seed)
        found = self._decode(prompts, 1, lambda starts: draw(self._model, starts, max_new_tokens, drawing))
        return [own[0] for own in found]

    def shortened(self, text: str, tokens: int) -> str:
        """The text's first tokens, at most so many."""
        return str(self._tokenizer.decode(self._encode(text)[:tokens], skip_special_tokens=True))

    def _decode(
        self, prefixes: Sequence[str], width: int, search: Callable[[list[list[int]]], list[list[list[int]]]]
    ) -> list[list[str]]:
        import torch

        starts = [[self._tokenizer.bos_token_id, *self._encode(prefix)] for prefix in prefixes]
        answers: list[list[str]] = [[""]] * len(starts)
        with torch.inference_mode(), products(self._precision):
            for batch in _batches([len(start) * width for start in starts]):
                found = search([starts[i] for i in batch])
                for i, sequences in zip(batch, found, strict=True):
                    answers[i] = [self._text(tokens) for tokens in sequences]
        return answers

    def _text(self, tokens: list[int]) -> str:
        end = self._tokenizer.eos_token_id
        kept = tokens[: tokens.index(end)] if end in tokens else tokens
        return str(self._tokenizer.decode(kept, skip_special_tokens=True))

    def _rows(
        self, prefixes: Sequence[str], continuations: Sequence[str], reference: bool, *, moments: bool
    ) -> list[Float64]:
        import torch

        heads = [[self._tokenizer.bos_token_id, *self._encode(prefix)] for prefix in prefixes]
        tails = [self._encode(continuation) for continuation in continuations]
        answers: list[Float64] = [np.empty((0, 4))] * len(heads)
        without: AbstractContextManager[Any] = self._model.disable_adapter() if reference else nullcontext()
        with torch.inference_mode(), without:
            lengths = [len(head) + len(tail) for head, tail in zip(heads, tails, strict=True)]
            for batch in _batches(lengths):
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
        rows = hidden[:, :-1][wanted[:, 1:]].float()
        flat = np.concatenate(list(_token_rows(rows, causal.lm_head.weight.float(), ids[wanted], moments)))
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
    model, tokenizer = load_lora(folder)
    return AdapterModel(lower_weights(model, "auto"), tokenizer)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and (len(batch) + 1) * lengths[i] > TOKENS_AT_ONCE:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _token_rows(rows: Any, head: Any, tokens: Any, moments: bool) -> Iterator[Float64]:
    """Log probability of each token and, on demand, moments and rank; `HEAD_ROWS` rows of logits at a time."""
    import torch

    for start in range(0, len(rows), HEAD_ROWS):
        logits = rows[start : start + HEAD_ROWS] @ head.T
        own = logits.gather(1, tokens[start : start + HEAD_ROWS, None])
        columns = [own[:, 0]]
        if moments:
            columns.append((logits > own).sum(-1) + 1.0)
        highest = logits.max(dim=-1, keepdim=True).values
        below = logits.sub_(highest)
        weights = below.exp()
        total = weights.sum(-1)
        columns[0] = columns[0] - highest[:, 0] - total.log()
        if moments:
            first = torch.linalg.vecdot(weights, below) / total
            second = torch.linalg.vecdot(weights.mul_(below), below) / total
            spread = (second - first.square()).clamp(min=0).sqrt()
            columns = [columns[0], first - total.log(), spread, columns[1]]
        yield torch.stack(columns, dim=1).double().cpu().numpy()
