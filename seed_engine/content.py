"""What a conversation is about: topic and slots of a turn, objective and tone of the whole, by the domain's rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from seed_engine.fold import fold
from seed_engine.rules import Rules, hits
from seed_engine.vocabulary import DomainProfile

# Enough of a turn to name its topic; longer ones are read at both ends.
_HEAD, _TAIL = 1500, 500
_CLOSING_ACTS = frozenset({"thanking", "acceptThanking", "initialGoodbye", "returnGoodbye"})
# What a conversation is for is said in its first turns.
_OPENING_TURNS = 4

_TONES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "frustrated",
        re.compile(
            r"\b(?:frustrat\w+|ridiculous|unacceptable|angry|annoy\w+|fed up|third time|again and again|"
            r"still (?:not|hasn't|waiting)|ugh|terrible|awful|worst|waste of|"
            r"inaceptable|hart[oa]|enfadad[oa]|molest[oa]|vergüenza|verguenza|ridiculo|otra vez|"
            r"es el colmo|indignad[oa]|cansad[oa] de)\b"
        ),
    ),
    (
        "anxious",
        re.compile(
            r"\b(?:worried|worry\w*|anxious|scared|afraid|nervous|panic\w*|freaking|stress\w*|terrified|"
            r"concerned|preocup\w+|miedo|asustad[oa]|nervios\w*|angustia\w*|agobiad[oa])\b"
        ),
    ),
    (
        "grateful",
        re.compile(
            r"\b(?:thank you so much|thanks so much|thanks a lot|really appreciate|so grateful|"
            r"lifesaver|mil gracias|muchisimas gracias|muchas gracias|le agradezco|te agradezco)\b"
        ),
    ),
    (
        "formal",
        re.compile(
            r"\b(?:sir|madam|ma'am|kindly|dear|regards|sincerely|would it be possible|usted|estimad[oa]|"
            r"atentamente|le ruego|señor|senor|senora)\b"
        ),
    ),
    (
        "friendly",
        re.compile(
            r"\b(?:hey|haha|lol|awesome|cool|no worries|great job|yay|jaja|genial|que bien|guay|"
            r"perfecto|animo)\b|:\)|😊|😀|😂|🎉|👍"
        ),
    ),
)
_TONE_NEEDS = {"frustrated": 1, "anxious": 1, "grateful": 1, "formal": 2, "friendly": 2}


def ends(text: str) -> str:
    """The folded start and end of a text, at most 2,000 characters."""
    return fold(text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]} {text[-_TAIL:]}").replace("’", "'")


def turn_topic(folded: str, act: str, previous: str, profile: DomainProfile, rules: Rules) -> str:
    """The topic that most keywords of a turn speak for; without any, the topic goes on, or closes with a goodbye."""
    found = hits(rules.topics, folded)
    if act in _CLOSING_ACTS and max(found.values(), default=0) < 2 and "closing" in profile.topics:
        return "closing"
    if not found:
        return previous
    return max(found, key=lambda topic: (found[topic], topic == previous, -profile.topics.index(topic)))


def turn_slots(folded: str, rules: Rules) -> tuple[str, ...]:
    """Slot labels that a turn's words speak for, in published order."""
    return tuple(slot for slot, pattern in rules.slots.items() if pattern.search(folded))


def find_objective(folded: Sequence[str], profile: DomainProfile, rules: Rules) -> str:
    """The objective that the opening turns speak for, then the whole; the domain's fallback when nothing does."""
    votes: Counter[str] = Counter()
    for i, text in enumerate(folded[: _OPENING_TURNS * 6]):
        weight = 3 if i < _OPENING_TURNS else 1
        for label, count in hits(rules.objectives, text).items():
            votes[label] += weight * min(count, 3)
    if not votes:
        return profile.objectives[-1]
    return max(votes, key=lambda label: (votes[label], -profile.objectives.index(label)))


def find_tone(folded: Sequence[str]) -> str:
    """The first tone, strongest first, that enough turns show; `neutral` when none do."""
    for tone, pattern in _TONES:
        if sum(1 for text in folded if pattern.search(text)) >= _TONE_NEEDS[tone]:
            return tone
    return "neutral"
