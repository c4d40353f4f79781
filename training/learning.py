"""What privacy costs in what is learned: perplexity of real conversations under the base and two adapters.

The adapters are trained on the same synthetic conversations with the same settings, one with the configured epsilon and
one without privacy. The real conversations are looked at for these figures only and train nothing. The marks of the
chat template are left out of the first figure: any adapter learns them in a few steps, and they say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.conversation import Conversation
from training.adapter import attach_lora, load_base
from training.config import TrainingConfig
from training.dataset import conversation_text, make_records
from training.dpsgd import fit
from training.scoring import AdapterModel, Float64
from training.train import plan


@dataclass(frozen=True, slots=True)
class Learned:
    """One model on the held-out conversations.

    Attributes:
        name: `base`, `epsilon 8`, `no privacy`.
        perplexity: exp of the mean negative log likelihood a token of what is said, >= 1, lower is better.
        with_marks: the same over all tokens, roles and ends of turns included.
        lower: held-out conversations that it finds likelier than the base does; 0 for the base.
        conversations: held out.
        tokens: of what is said; longer conversations are cut at `max_length` tokens' worth of characters.
        steps: noisy steps trained; 0 for the base.
    """

    name: str
    perplexity: float
    with_marks: float
    lower: int
    conversations: int
    tokens: int
    steps: int


def compare(
    synthetic: Sequence[Conversation],
    held_out: Sequence[Conversation],
    config: TrainingConfig,
    progress: Callable[[int, int], None] | None = None,
) -> list[Learned]:
    """Base, adapter with privacy, adapter without, on the same held-out conversations.

    Args:
        synthetic: what the adapters learn from.
        held_out: what they are judged by.
        config: of both trainings; no canaries are planted.
        progress: called with steps done and in all, of each training.
    """
    texts = [_cut(conversation_text(conversation), config.max_length) for conversation in held_out]
    rows: list[Learned] = []
    base: list[float] = []
    for name, epsilon in ((f"epsilon {config.epsilon:g}", config.epsilon), ("no privacy", math.inf)):
        model, tokenizer = load_base()
        records = make_records(synthetic, [], tokenizer, config.max_length)
        settings = config.model_copy(update={"epsilon": epsilon})
        schedule, _ = plan(len(records), settings)
        adapted = attach_lora(model, settings)
        fit(adapted, records, schedule, settings, progress)
        scored = AdapterModel(adapted, tokenizer, settings.precision)
        said = [_said(tokenizer, text) for text in texts]
        if not rows:
            row, base = _learned("base", scored.token_log_probabilities([""] * len(texts), texts, reference=True), said)
            rows.append(row)
        row, own = _learned(name, scored.token_log_probabilities([""] * len(texts), texts), said)
        lower = sum(mine > theirs for mine, theirs in zip(own, base, strict=True))
        rows.append(replace(row, lower=lower, steps=schedule.steps))
    return rows


def _learned(name: str, scores: list[Float64], said: list[NDArray[np.bool_]]) -> tuple[Learned, list[float]]:
    """The row without what compares it with the base, and each conversation's log likelihood."""
    likelihoods = [float(row[own].sum()) for row, own in zip(scores, said, strict=True)]
    words, tokens = sum(int(own.sum()) for own in said), sum(len(row) for row in scores)
    perplexity = math.exp(-sum(likelihoods) / words)
    with_marks = math.exp(-sum(float(row.sum()) for row in scores) / tokens)
    return Learned(name, perplexity, with_marks, 0, len(scores), words, 0), likelihoods


def _said(tokenizer: Any, text: str) -> NDArray[np.bool_]:
    """Which tokens of a text, written as `conversation_text` writes it, are said by somebody: Bool[n]."""
    said, inside, heading = [], False, False
    (newline,) = tokenizer.encode("\n", add_special_tokens=False)
    for token in tokenizer.encode(text, add_special_tokens=False):
        if token in (tokenizer.bos_token_id, tokenizer.eos_token_id):
            inside, heading = False, token == tokenizer.bos_token_id
        said.append(inside)
        if heading and token == newline:
            inside, heading = True, False
    return np.array(said, dtype=np.bool_)


def _cut(text: str, tokens: int) -> str:
    # About four characters a token.
    return text[: 4 * tokens]
