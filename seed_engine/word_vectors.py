"""Word vectors: the word table of the shipped sentence embedding averaged, at a hundredth of its cost.

Segmentation asks of every message whether it stays with its neighbours' subject, so a message may cost 0.1 ms, not 10.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.models import model_path

Vectors = NDArray[np.float32]
_TABLE = "embeddings.word_embeddings.weight"
# A message says what it is about in its first words.
_LONGEST = 48


class WordVectors:
    """Unit vectors of texts from the mean of their word pieces' vectors; the table is mapped, not copied.

    Raises:
        ModelError: at the first call, when the model package is missing or not the pinned one.
    """

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32[len(texts), 384]; zeros for a text without words."""
        table, middle = self._table, self._middle
        vectors = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
        for i, encoding in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            if encoding.ids:
                # What all word vectors have in common would make every pair of texts alike.
                mean = table[encoding.ids].mean(axis=0) - middle
                vectors[i] = mean / (np.linalg.norm(mean) or 1.0)
        return vectors

    @cached_property
    def _middle(self) -> Vectors:
        middle: Vectors = self._table[::16].mean(axis=0)
        return middle

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(model_path("minilm") / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_LONGEST)
        return tokenizer

    @cached_property
    def _table(self) -> Vectors:
        with open(model_path("minilm") / "model.safetensors", "rb") as file:
            view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        size = int.from_bytes(view[:8], "little")
        entry = json.loads(view[8 : 8 + size])[_TABLE]
        start, end = entry["data_offsets"]
        flat = np.frombuffer(view, dtype="<f4", count=(end - start) // 4, offset=8 + size + start)
        return flat.reshape(entry["shape"])
