"""Settings of the seed engine's stages."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from seed_engine.conversation import Boundary

Engine = Literal["hybrid", "fast", "presidio", "regex", "ner", "classifier"]


class DetectorConfig(Boundary):
    """How personal data is found.

    Attributes:
        engine: which recognizers run. `hybrid` is patterns and the own classifier; `fast` is patterns and spaCy; the
            others are one family alone, for comparison.
        threshold: least confidence of a span that is kept, in [0, 1]; lower finds more and is wrong more often.
        marked_threshold: the same for a conversation that holds role markers, in [0, 1]; it was searched once, and what
            is found in the rest must be surer, else replacing finds by markers would never come to an end.
        pattern_weight: trust in a pattern recognizer, in [0, 1]; 0.7 after the HybridPII paper.
        classifier_weight: trust in the own classifier, in [0, 1]; as high as a pattern's, since its scores are
            probabilities.
        propagate: search each found value through the whole conversation.
    """

    engine: Engine = "hybrid"
    threshold: float = Field(0.35, ge=0, le=1)
    marked_threshold: float = Field(0.48, ge=0, le=1)
    pattern_weight: float = Field(0.7, ge=0, le=1)
    classifier_weight: float = Field(0.7, ge=0, le=1)
    propagate: bool = True
