"""Japanese text cut into words, for the classifiers that read words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from seed_engine.japanese import JapaneseTagger


def spaced_words(texts: Sequence[str]) -> list[str]:
    """Each text with blanks between its words."""
    tagger = _tagger()
    return [" ".join(tagger.surfaces(text)) for text in texts]


@cache
def _tagger() -> JapaneseTagger:
    return JapaneseTagger()
