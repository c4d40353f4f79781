"""Domain profiles of detection: what a lesson, a consultation or a support chat explains of a detector's finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seed_engine.conversation import Conversation
from seed_engine.domain import find_domain
from seed_engine.numeric_context import NUMERIC_DOMAINS, drop_numbers, numeric_profile
from seed_engine.segments import Vectors
from seed_engine.spans import EntitySpan
from seed_engine.tutoring_profile import apply_tutoring

Spans = tuple[EntitySpan, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a conversation is for its profile.

    Attributes:
        domain: one of `NUMERIC_DOMAINS`.
        speakers: labels and display names of its speakers.
    """

    domain: str
    speakers: tuple[str, ...] = ()


def setting_of(conversation: Conversation) -> Setting | None:
    """The setting that a conversation's domain gives; None for documents and for domains without a profile.

    A conversation that names no domain gets that of its words, as extraction does.
    """
    if conversation.form == "document":
        return None
    domain = find_domain(conversation).name
    if domain not in NUMERIC_DOMAINS:
        return None
    labels = (label for turn in conversation.turns for label in (turn.role, turn.name) if label)
    return Setting(domain, tuple(dict.fromkeys(labels)))


def apply_profile(setting: Setting, texts: Sequence[str], found: Sequence[Spans], vectors: Vectors) -> list[Spans]:
    """The finds that the domain does not explain.

    Args:
        setting: of the conversation.
        texts: its turns.
        found: finds of each turn, sorted and apart.
        vectors: word vectors, for segmentation.
    """
    if setting.domain == "tutoring":
        return apply_tutoring(texts, found, setting.speakers, vectors)
    profile = numeric_profile(setting.domain)
    return [drop_numbers(text, spans, profile) for text, spans in zip(texts, found, strict=True)]
