"""What privacy costs in what is learned: perplexity of real conversations under the base and two adapters.

The adapters are trained on the same synthetic conversations with the same settings, one with the configured epsilon and
one without privacy. The real conversations are looked at for these figures only and train nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seed_engine.conversation import Conversation
from training.adapter import attach_lora, load_base
from training.config import TrainingConfig
from training.dataset import conversation_text, make_records
from training.dpsgd import fit
from training.scoring import AdapterModel
from training.train import plan


@dataclass(frozen=True, slots=True)
class Learned:
    """One model on the held-out conversations.

    Attributes:
        name: `base`, `epsilon 8`, `no privacy`.
        perplexity: exp of the mean negative log likelihood a token, >= 1, lower is better.
        tokens: scored; longer conversations are cut at `max_length` tokens' worth of characters.
        steps: noisy steps trained; 0 for the base.
    """

    name: str
    perplexity: float
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
    for name, epsilon in ((f"epsilon {config.epsilon:g}", config.epsilon), ("no privacy", math.inf)):
        model, tokenizer = load_base()
        records = make_records(synthetic, [], tokenizer, config.max_length)
        settings = config.model_copy(update={"epsilon": epsilon})
        schedule, _ = plan(len(records), settings)
        adapted = attach_lora(model, settings)
        fit(adapted, records, schedule, settings, progress)
        scored = AdapterModel(adapted, tokenizer, settings.precision)
        if not rows:
            rows.append(_learned("base", scored, texts, 0, reference=True))
        rows.append(_learned(name, scored, texts, schedule.steps, reference=False))
    return rows


def _learned(name: str, model: AdapterModel, texts: list[str], steps: int, *, reference: bool) -> Learned:
    scores = model.token_log_probabilities([""] * len(texts), texts, reference=reference)
    tokens = sum(len(row) for row in scores)
    return Learned(name, math.exp(-sum(float(row.sum()) for row in scores) / tokens), tokens, steps)


def _cut(text: str, tokens: int) -> str:
    # About four characters a token.
    return text[: 4 * tokens]
