"""Embeds the texts of a synthetic set on the run's engine, shard by shard; what was embedded once is remembered.

Never texts of a source: vectors of those would tell what they say.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flows.shard_marks import embedding
from seed_engine.conversation import Conversation, Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from evaluator.embedding import Embed
    from flows.spreading import Spread

# About three seconds of work. A text's vector depends in its last digits on the texts beside it, so that this is no
# setting: every run must cut the same.
_SHARD = 512


def embedding_on(spread: Spread, stage: str) -> Embed:
    """The evaluator's embedding, on a run's engine.

    Args:
        spread: the run's.
        stage: who asks, for errors.
    """

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        # By length, so that little is computed for padding; by text, so that the order of asking changes nothing.
        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), texts[place]))
        said = [Conversation(id="text", turns=(Turn(role="text", text=texts[place]),)) for place in order]
        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        for place, item in zip(order, spread.map(stage, embedding(), said, size=_SHARD), strict=True):
            vectors[place] = np.frombuffer(b64decode(item), dtype="<f4")
        return vectors

    return embed
