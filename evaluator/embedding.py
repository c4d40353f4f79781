"""Sentence embedding: the evaluator's one door to transformers and torch (all-MiniLM-L6-v2, pinned)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.models import model_path

# Texts to unit vectors, float32[texts, 384].
Embed = Callable[[Sequence[str]], NDArray[np.float32]]

# Turns are short; what stands beyond 64 word pieces changes their meaning little and costs most of the time.
LONGEST = 64
BATCH = 64


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of texts, float32[len(texts), 384]; deterministic, no network, about 170 turns a second a core.

    Raises:
        ModelError: the model package is missing or not the pinned one.
    """
    import torch

    tokenizer, model = _loaded()
    vectors = np.zeros((len(texts), 384), dtype=np.float32)
    # Texts of like length share a batch, so that little is computed for padding.
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    for begin in range(0, len(order), BATCH):
        chosen = order[begin : begin + BATCH]
        batch = tokenizer(
            [texts[index] for index in chosen], padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        )
        with torch.inference_mode():
            states = model(**batch).last_hidden_state
        mask = batch["attention_mask"].unsqueeze(-1)
        mean = (states * mask).sum(1) / mask.sum(1)
        vectors[chosen] = torch.nn.functional.normalize(mean, dim=-1).numpy()
    return vectors


def embed_alone(texts: Sequence[str]) -> NDArray[np.float32]:
    """As `embed`, on one thread whatever the machine has: the same numbers in every process of a run."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return embed(texts)
    finally:
        torch.set_num_threads(threads)


def remembering(embed: Embed) -> Embed:
    """An embedding that works out each text once, since several measures read the same turns."""
    known: dict[str, NDArray[np.float32]] = {}

    def remembered(texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embed(new), strict=True))
        return np.stack([known[text] for text in texts])

    return remembered


@cache
def _loaded() -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    path = str(model_path("minilm"))
    model = AutoModel.from_pretrained(path, local_files_only=True)
    return AutoTokenizer.from_pretrained(path, local_files_only=True), model.eval()
