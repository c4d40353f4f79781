"""The evaluator's composite as the generator's judge: what would not pass there is drawn again here."""

from __future__ import annotations

from evaluator.config import EvaluatorConfig
from generator.selection import Judge
from seed_engine.conversation import Conversation
from seed_engine.errors import ModelError
from seed_engine.models import model_path
from seed_engine.seed import Seed


def quality_judge(config: EvaluatorConfig) -> Judge | None:
    """A judge by the evaluator's own settings; None where the embedding model is missing, so nothing can be judged."""
    try:
        model_path("minilm")
    except ModelError:
        return None

    def judge(conversation: Conversation, seed: Seed) -> tuple[float, bool]:
        from evaluator.embedding import embed
        from evaluator.metrics.composite import passes
        from evaluator.soundness import soundness

        (judged,) = soundness((conversation,), embed)
        return passes(conversation, seed, judged, config)

    return judge
