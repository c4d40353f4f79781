"""The door to a transformer classifier: loaded from a local folder, or built with random weights to time its shape."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.errors import SensitiveModelError

Floats = NDArray[np.float64]

# ModernBERT-310M for Japanese: 25 layers of 768 and a vocabulary of 102,400.
SHAPE = {
    "vocab_size": 102_400,
    "hidden_size": 768,
    "num_hidden_layers": 25,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
}
# 500 Japanese characters are about this many word pieces of such a vocabulary.
_PIECES = 300
_LONGEST = 512


class Transformer:
    """A sequence classifier with two labels, the second one SCPI.

    Args:
        folder: of a Hugging Face model with its tokenizer, on this machine.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "config.json").is_file():
            raise SensitiveModelError(f"{folder}: no transformer there (config.json missing)")
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self._model: Any = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True).eval()

    def score(self, texts: Sequence[str]) -> Floats:
        """Of each text, in [0, 1], higher = more likely SCPI; what lies behind 512 word pieces is not read."""
        import torch

        scores = []
        with torch.inference_mode():
            for text in texts:
                pieces = self._tokenizer(text, truncation=True, max_length=_LONGEST, return_tensors="pt")
                scores.append(float(self._model(**pieces).logits.softmax(-1)[0, 1]))
        return np.array(scores)


def shape_rate(texts: int = 2) -> float:
    """Texts of 500 characters per CPU-second of one core that a transformer of `SHAPE` reads, weights random.

    Args:
        texts: how many are timed, after one that is not, >= 1.
    """
    import torch
    from transformers import ModernBertConfig, ModernBertModel

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model = ModernBertModel(ModernBertConfig(**SHAPE, pad_token_id=0)).eval()
        pieces = torch.randint(1, SHAPE["vocab_size"], (1, _PIECES))
        with torch.inference_mode():
            model(pieces)
            begun = time.process_time()
            for _ in range(texts):
                model(pieces)
        return texts / (time.process_time() - begun)
    finally:
        torch.set_num_threads(threads)
