"""Sentence embedding: all-MiniLM-L6-v2 (pinned) computed with NumPy alone, so that extraction waits for no torch.

The model is a BERT of six layers (Devlin et al. 2019) whose token states are averaged and scaled to length one
(Reimers & Gurevych 2019). Importing torch and transformers takes longer than extracting a thousand conversations.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from seed_engine.models import model_path

Vectors = NDArray[np.float32]
DIMENSIONS = 384
_HEADS, _LAYERS = 12, 6
# A turn says what it is for at its beginning; the cost grows with the length.
LONGEST = 32
_CLS, _SEP = 101, 102


class Embed(Protocol):
    """Unit vectors of texts, float32[len(texts), 384]; near vectors mean near meanings."""

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Embed texts, in order."""
        ...

    def __hash__(self) -> int:
        """Examples are embedded once for each embedding."""
        ...


class MiniLM:
    """The shipped sentence embedding; weights are read at the first call, after their digest was checked.

    Raises:
        ModelError: at the first call, when the model package is missing or not the pinned one.
    """

    @property
    def loaded(self) -> bool:
        """Whether the weights have been read."""
        return "_weights" in vars(self)

    def __call__(self, texts: Sequence[str], /) -> Vectors:
        """Unit vectors, float32[len(texts), 384]; the first 32 word pieces count. The same text gives the same one."""
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for i, encoding in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            # One text a pass: no padding is computed, and company changes no vector.
            vectors[i] = self._mean([_CLS, *encoding.ids[: LONGEST - 2], _SEP])
        return vectors

    def _mean(self, ids: list[int]) -> Vectors:
        weights = self._weights
        name = "embeddings."
        states = (
            weights[f"{name}word_embeddings.weight"][ids]
            + weights[f"{name}position_embeddings.weight"][: len(ids)]
            + weights[f"{name}token_type_embeddings.weight"][0]
        )
        states = self._norm(states, f"{name}LayerNorm")
        for layer in range(_LAYERS):
            states = self._layer(states, f"encoder.layer.{layer}.")
        mean: Vectors = states.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _layer(self, states: Vectors, name: str) -> Vectors:
        length, width = len(states), DIMENSIONS // _HEADS
        query, key, value = (
            self._linear(states, f"{name}attention.self.{part}").reshape(length, _HEADS, width).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        context = (scores @ value).transpose(1, 0, 2).reshape(length, DIMENSIONS)
        attended = self._linear(context, f"{name}attention.output.dense")
        states = self._norm(states + attended, f"{name}attention.output.LayerNorm")
        inner = _gelu(self._linear(states, f"{name}intermediate.dense"))
        return self._norm(states + self._linear(inner, f"{name}output.dense"), f"{name}output.LayerNorm")

    def _linear(self, states: Vectors, name: str) -> Vectors:
        result: Vectors = states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result

    def _norm(self, states: Vectors, name: str) -> Vectors:
        centred = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        result: Vectors = centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(model_path("minilm") / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(LONGEST)
        return tokenizer

    @cached_property
    def _weights(self) -> dict[str, Vectors]:
        return _read_tensors(str(model_path("minilm") / "model.safetensors"))


def _gelu(values: Vectors) -> Vectors:
    # The tanh form (Hendrycks & Gimpel 2016); it moves no vector by more than a thousandth.
    inner = np.float32(0.7978845608) * values * (1 + np.float32(0.044715) * values * values)
    result: Vectors = np.float32(0.5) * values * (1 + np.tanh(inner))
    return result


def _read_tensors(path: str) -> dict[str, Vectors]:
    """The float32 tensors of a safetensors file: a length, a JSON table of places, and the numbers."""
    with open(path, "rb") as file:
        view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    size = int.from_bytes(view[:8], "little")
    table = json.loads(view[8 : 8 + size])
    tensors = {}
    for name, entry in table.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            flat = np.frombuffer(view, dtype="<f4", count=(end - start) // 4, offset=8 + size + start)
            # Copied, since the file's places are not aligned and every product would copy them again.
            tensors[name] = flat.reshape(entry["shape"]).copy()
    return tensors
