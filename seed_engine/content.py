"""What a conversation is about: topic and slots of a turn, objective and tone of the whole, by the domain's rules."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from seed_engine.fold import fold
from seed_engine.rules import Rules, hits
from seed_engine.vocabulary import DomainProfile

# Enough of a turn to name its topic; longer ones are read at both ends.
_HEAD, _TAIL = 1500, 500
_CLOSING_ACTS = frozenset({"thanking", "acceptThanking", "initialGoodbye", "returnGoodbye"})
# What a conversation is for is said in its first turns.
_OPENING_TURNS = 4
# A first turn up to this length says hello and no more.
_BARE_GREETING = 12

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


def turn_topic(found: Mapping[str, int], act: str, previous: str, profile: DomainProfile) -> str:
    """The topic that most keywords of a turn speak for; without any, the topic goes on, or closes with a goodbye.

    Args:
        found: how many keywords of each topic stand in the turn.
        act: the turn's dialogue act.
        previous: the topic of the turn before.
        profile: the domain's.
    """
    if act in _CLOSING_ACTS and max(found.values(), default=0) < 2 and "closing" in profile.topics:
        return "closing"
    if not found:
        return previous
    return max(found, key=lambda topic: (found[topic], topic == previous, -profile.topics.index(topic)))


def turn_slots(folded: str, rules: Rules) -> tuple[str, ...]:
    """Slot labels that a turn's words speak for, in published order."""
    return tuple(slot for slot, pattern in rules.slots.items() if pattern.search(folded))


def objective_votes(
    turns: Sequence[tuple[str, str]], found: Sequence[Mapping[str, int]], profile: DomainProfile, rules: Rules
) -> dict[str, float]:
    """How much speaks for each objective: the words of the opening, of the asking side first, then of the rest.

    Args:
        turns: role and folded text of each turn.
        found: how many keywords of each topic stand in each of them.
        profile: the domain's.
        rules: the domain's.
    """
    votes: defaultdict[str, float] = defaultdict(float)
    for i, ((role, text), topics) in enumerate(zip(turns[: _OPENING_TURNS * 6], found, strict=False)):
        opening = i < _OPENING_TURNS
        # Who asks says what for; an agent's "may I have your name?" or "your ride is booked" comes after.
        weight = (3.0 if role == profile.roles[0] or i == 0 else 1.5) if opening else 0.5
        # What was said first is what the rest is about.
        weight += 2.0 if i == 0 and len(text) > _BARE_GREETING else 0.0
        for label, count in hits(rules.objectives, text).items():
            votes[label] += weight * min(count, 2)
        for topic, count in topics.items():
            if topic in rules.leads:
                votes[rules.leads[topic]] += 0.4 * weight * min(count, 2)
    return votes


def best_objective(votes: Mapping[str, float], profile: DomainProfile) -> str:
    """The objective with most votes; the domain's fallback when nothing speaks for any."""
    if not votes:
        return profile.objectives[-1]
    return max(votes, key=lambda label: (votes[label], -profile.objectives.index(label)))


def find_tone(folded: Sequence[str]) -> str:
    """The first tone, strongest first, that enough turns show; `neutral` when none do."""
    for tone, pattern in _TONES:
        if sum(1 for text in folded if pattern.search(text)) >= _TONE_NEEDS[tone]:
            return tone
    return "neutral"
