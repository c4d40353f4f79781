"""Where a Japanese text speaks of a person: names, honorifics, titles, pronouns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seed_engine.japanese import JapaneseTagger

Kind = Literal["name", "title", "pronoun"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A person in a text.

    Attributes:
        start: first code point.
        end: one past the last.
        kind: `name`; `title` (known by what stands beside it: さん, 容疑者); `pronoun` (私, 彼女).
    """

    start: int
    end: int
    kind: Kind


_TAGGER = JapaneseTagger()


def candidates(text: str) -> list[Mention]:
    """Person mentions of a text, sorted and not overlapping; a text without one is no candidate."""
    return [Mention(span.start, span.end, "name") for span in _TAGGER.find(text) if span.entity_type == "PERSON"]
