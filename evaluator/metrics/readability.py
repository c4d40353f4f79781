"""Readability: LIX, which asks for no dictionary of syllables and means the same in every European language.

Björnsson 1968: words a sentence plus the percentage of words of more than six letters. Under 30 reads like a chat or a
children's book, 40 like a newspaper, above 50 like a form.
"""

from __future__ import annotations

import re

from evaluator.metrics.metric import Metric

_SENTENCE = re.compile(r"[.!?:]+(?=\s|$)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
LONG = 6
HIGHEST = 200.0


def lix(texts: list[str]) -> float | None:
    """LIX of turns together, [0, 200]; every turn ends a sentence. None without words."""
    words = [word for text in texts for word in _WORD.findall(text)]
    if not words:
        return None
    sentences = sum(max(1, len([part for part in _SENTENCE.split(text) if part.strip()])) for text in texts)
    return min(HIGHEST, len(words) / sentences + 100 * sum(len(word) > LONG for word in words) / len(words))


READABILITY = Metric(
    "readability_lix",
    (0.0, HIGHEST),
    "lower",
    lambda evidence: lix([turn.text for conversation in evidence.conversations for turn in conversation.turns]),
)
