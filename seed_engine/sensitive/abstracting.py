"""Sensitive attributes as spans of the detector, so that a seed or a text passed on holds `[CONDITION_1]` instead.

What the law protects may stand beside no name at all: "I have diabetes" is personal data of whoever speaks.
"""

from __future__ import annotations

from collections.abc import Sequence

from seed_engine.sensitive.attributes import sensitive_spans
from seed_engine.spans import EntitySpan

# Where somebody belongs by birth or conviction; the rest is somebody's state: health, care, what courts found.
_BELONGING = frozenset({
    "race", "creed", "social_status", "lgbt", "gdpr_racial_ethnic_origin", "gdpr_political_opinions",
    "gdpr_religious_beliefs", "gdpr_trade_union", "gdpr_sex_life",
})  # fmt: skip
GROUP, CONDITION = "SENSITIVE_GROUP", "SENSITIVE_CONDITION"


def with_attributes(
    texts: Sequence[str], languages: Sequence[str], found: Sequence[Sequence[EntitySpan]]
) -> list[tuple[EntitySpan, ...]]:
    """Spans found elsewhere, and with them the sensitive attributes that none of them covers.

    Args:
        texts: the texts that were searched.
        languages: of each, ISO 639-1; `en`, `es` and `ja` have cue words.
        found: what was found in each, sorted.
    """
    return [
        tuple(sorted([*spans, *(new for new in _attributes(text, language) if not any(map(new.overlaps, spans)))]))
        for text, language, spans in zip(texts, languages, found, strict=True)
    ]


def _attributes(text: str, language: str) -> list[EntitySpan]:
    return [
        EntitySpan(s.start, s.end, GROUP if s.category in _BELONGING else CONDITION, s.score, "attributes")
        for s in sensitive_spans(text, language)
    ]
