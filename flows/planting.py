"""Plants invented values in copies of source conversations and sends those through seeding; see `attacks.echo`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flows.progress import Advance
from generator.config import GeneratorConfig
from seed_engine.conversation import Conversation

if TYPE_CHECKING:
    from attacks.source_canaries import SourceCanary
    from generator.completion import CompletionRequest
    from seed_engine.detect import Detector

# A stretch is enough to say something in; whole conversations would cost three times as much.
_TURNS = 4


def released_with(
    canaries: Sequence[SourceCanary], sources: Sequence[Conversation], detector: Detector, seed: int, advance: Advance
) -> tuple[list[SourceCanary], list[str]]:
    """The canaries whose conversation could be seeded, and everything that was made of each.

    Args:
        canaries: one a copy.
        sources: conversations to copy stretches of, drawn with replacement.
        detector: the run's.
        seed: of the draw.
        advance: progress, in copies.

    Returns:
        Canaries, and for each the seed as JSON and the text that the house's own templates make of it; whatever model
        writes instead is told the seed and nothing else.
    """
    from generator.generate import generate
    from seed_engine.embedding import MiniLM
    from seed_engine.extract import extract

    rng = random.Random(f"planting {seed}")
    copies = [_planted(rng.choice(sources), canary, f"copy-{i}", rng) for i, canary in enumerate(canaries)]
    embed, writer = MiniLM(), GeneratorConfig(strategy="template", redraws=0, seed=seed)
    kept, released = [], []
    found = detector.detect_conversations(copies)
    for done, (canary, copy, spans) in enumerate(zip(canaries, copies, found, strict=True), 1):
        made = extract(copy, spans, f"seed-{done:06d}", embed).seed
        if made is not None:
            text = generate(made, writer, _no_model).conversation
            said = "\n".join(turn.text for turn in text.turns) if text is not None else ""
            kept.append(canary)
            released.append(f"{made.model_dump_json()}\n{said}")
        advance(done, len(copies))
    return kept, released


def _planted(source: Conversation, canary: SourceCanary, name: str, rng: random.Random) -> Conversation:
    """A stretch of a conversation, one turn of which also says the value."""
    start = rng.randrange(max(1, len(source.turns) - _TURNS + 1))
    turns = list(source.turns[start : start + _TURNS])
    place = rng.randrange(len(turns))
    said = f"{turns[place].text} {canary.said(source.language)}"
    turns[place] = turns[place].model_copy(update={"text": said})
    return source.model_copy(update={"id": name, "subject": None, "turns": tuple(turns), "metadata": ()})


def _no_model(request: CompletionRequest) -> str:
    raise AssertionError("templates ask no model")
