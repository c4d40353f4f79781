"""The embedded language model as a reader: how likely it finds a text; `semilla evaluate --perplexity`."""

from __future__ import annotations

from collections.abc import Sequence

# About four characters a token; what stands beyond this many tokens changes a mean little and costs most of the time.
_LONGEST = 4 * 512


def likelihood(texts: Sequence[str]) -> list[tuple[float, int]]:
    """Log probability (nats) and number of tokens of each text by the pinned base model; its first 512 tokens or so.

    Raises:
        ModelError: the model package is missing or not the pinned one.
    """
    from training.adapter import attach_lora, load_base
    from training.config import TrainingConfig
    from training.scoring import AdapterModel

    base, tokenizer = load_base()
    # The scoring knows adapters only; a fresh one, which is switched off besides, changes nothing.
    reader = AdapterModel(attach_lora(base, TrainingConfig()), tokenizer)
    rows = reader.token_log_probabilities([""] * len(texts), [text[:_LONGEST] for text in texts], reference=True)
    return [(float(row.sum()), len(row)) for row in rows]
