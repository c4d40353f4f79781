"""Which domain profile and which language a conversation belongs to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache

from seed_engine.conversation import Conversation
from seed_engine.fold import fold
from seed_engine.language import detect_language
from seed_engine.rules import domain_rules, matches
from seed_engine.vocabulary import DomainProfile, vocabulary

_FALLBACK = "general"
# Enough to tell what a conversation is about, however long it is.
_TURNS, _CHARACTERS = 24, 500
# A label that only one domain spells ("abogada") outweighs some words; customers and agents are everywhere.
_TELLING, _HINTING = 6, 3
# Below this much of a domain's own words a conversation is of no domain.
_LEAST = 0.9
_COMMON_LABELS = frozenset({"user", "assistant", "system", "human", "gpt", "bot", "client", "cliente", "usuario"})
_WORD = re.compile(r"[a-z]+")


def find_domain(conversation: Conversation) -> DomainProfile:
    """The profile that the input names, or that its name maps to, else the one whose words the text uses most."""
    known = vocabulary().domains
    named = _named(conversation.domain)
    if named is not None:
        return known[named]
    votes: defaultdict[str, float] = defaultdict(float)
    labels = {turn.role.strip().casefold() for turn in conversation.turns[:_TURNS]} - _COMMON_LABELS
    telling = _telling_labels()
    for name in known:
        votes[name] += _TELLING * len(labels & telling[name])
    votes["support"] += _HINTING * len(labels & {"customer", "agent", "agente"})
    text = fold("\n".join(turn.text[:_CHARACTERS] for turn in conversation.turns[:_TURNS]))
    found = {name: matches(rules.topics, text) for name, rules in domain_rules().items()}
    shared = Counter(word for words in found.values() for word in words)
    # "tarifa" is said everywhere: a word that several domains know counts for each of them that much less.
    for name, words in found.items():
        votes[name] += sum(1 / shared[word] for word in words)
    best = max(known, key=lambda name: (votes[name], name == _FALLBACK))
    return known[best if votes[best] > _LEAST else _FALLBACK]


def conversation_language(conversation: Conversation) -> str:
    """ISO 639-1 of the input's language tag, else of the language that the first turns are written in."""
    if conversation.language:
        return re.split(r"[-_]", conversation.language.strip().casefold())[0]
    return detect_language(" ".join(turn.text[:_CHARACTERS] for turn in conversation.turns[:_TURNS]))


@cache
def _telling_labels() -> dict[str, frozenset[str]]:
    """Spellings of speaker labels that one domain has alone."""
    spelled = {
        name: {label for labels in profile.speakers.values() for label in labels}
        for name, profile in vocabulary().domains.items()
    }
    counts = Counter(label for labels in spelled.values() for label in labels)
    # Mothers and sons come along to doctors and lawyers alike, so a label of two domains tells nothing.
    return {name: frozenset(label for label in labels if counts[label] == 1) for name, labels in spelled.items()}


def _named(label: str | None) -> str | None:
    if label is None:
        return None
    words = set(_WORD.findall(fold(label)))
    known = vocabulary().domains
    if label in known:
        return label
    # "task-oriented/homes" is open-domain whatever comes after the stroke.
    if "oriented" in words:
        return _FALLBACK
    return next((name for name, rules in domain_rules().items() if words & (rules.inputs | {name})), None)
