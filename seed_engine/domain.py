"""Which domain profile and which language a conversation belongs to."""

from __future__ import annotations

import re
from collections import Counter

from seed_engine.conversation import Conversation
from seed_engine.fold import fold
from seed_engine.language import detect_language
from seed_engine.rules import domain_rules, hits
from seed_engine.vocabulary import DomainProfile, vocabulary

_FALLBACK = "general"
# Enough to tell what a conversation is about, however long it is.
_TURNS, _CHARACTERS = 24, 500
# Roles that only one domain's people have; "user" or "cliente" say nothing.
_TELLING_ROLES = {
    "medical": {"patient", "doctor", "nurse"},
    "tutoring": {"student", "tutor"},
    "support": {"customer", "agent"},
}
_COMMON_LABELS = frozenset({"user", "assistant", "system", "human", "gpt", "bot", "client", "cliente", "usuario"})
_WORD = re.compile(r"[a-z]+")


def find_domain(conversation: Conversation) -> DomainProfile:
    """The profile that the input names, or that its name maps to, else the one whose words the text uses most."""
    known = vocabulary().domains
    named = _named(conversation.domain)
    if named is not None:
        return known[named]
    votes: Counter[str] = Counter()
    labels = {turn.role.strip().casefold() for turn in conversation.turns[:_TURNS]} - _COMMON_LABELS
    for name, roles in _TELLING_ROLES.items():
        spelled = {label for role in roles for label in known[name].speakers[role]}
        votes[name] += 6 * len(labels & spelled)
    text = fold("\n".join(turn.text[:_CHARACTERS] for turn in conversation.turns[:_TURNS]))
    for name, rules in domain_rules().items():
        votes[name] += sum(hits(rules.topics, text).values())
    best = max(known, key=lambda name: (votes[name], name == _FALLBACK))
    return known[best if votes[best] > 1 else _FALLBACK]


def conversation_language(conversation: Conversation) -> str:
    """ISO 639-1 of the input's language tag, else of the language that the first turns are written in."""
    if conversation.language:
        return re.split(r"[-_]", conversation.language.strip().casefold())[0]
    return detect_language(" ".join(turn.text[:_CHARACTERS] for turn in conversation.turns[:_TURNS]))


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
