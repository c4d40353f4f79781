"""A llama of two layers and a tokenizer of single characters: small enough to train in a second."""

from __future__ import annotations

import re
from typing import Any

import torch


class CharTokenizer:
    """One token a character; 0 is never used, 1 begins, 2 ends."""

    bos_token_id = 1
    eos_token_id = 2
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 :\n.,?![]_'"

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        assert not add_special_tokens
        marks = {"<|im_start|>": self.bos_token_id, "<|im_end|>": self.eos_token_id}
        return [marks.get(c) or 3 + self.alphabet.index(c) for c in re.findall(r"<\|\w+\|>|.", text, re.DOTALL)]

    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        return "".join(self.alphabet[i - 3] for i in ids if i >= 3)


def tiny_base(seed: int = 0) -> tuple[Any, CharTokenizer]:
    from transformers import LlamaConfig, LlamaForCausalLM

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = LlamaConfig(
            vocab_size=3 + len(CharTokenizer.alphabet),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=256,
            initializer_range=0.3,
            tie_word_embeddings=True,
            bos_token_id=1,
            eos_token_id=2,
        )
        return LlamaForCausalLM(config).eval(), CharTokenizer()
