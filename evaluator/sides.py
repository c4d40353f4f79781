"""Sides: who serves and who is served in a conversation, read from the speakers' labels."""

from __future__ import annotations

import re
from functools import cache

from seed_engine.fold import fold
from seed_engine.vocabulary import vocabulary

# Roles of the vocabulary, and words of labels that data sets use besides.
_SERVING = "agent doctor nurse tutor advisor lawyer seller manager assistant system bot clinician teacher"
_SERVED = "customer client patient relative student parent user human caller family"
_ROLES = {role: 1.0 for role in _SERVING.split()} | {role: -1.0 for role in _SERVED.split()}
_WORD = re.compile(r"[a-z]+")


def side(label: str) -> float:
    """1.0 for a speaker who serves (agent, doctor, tutor), -1.0 for one who is served, 0.0 when the label says neither.

    Examples:
        >>> side("Doctor_2"), side("guest_family"), side("speaker A")
        (1.0, -1.0, 0.0)
    """
    folded = fold(label).strip()
    # A label's own words go before the profiles, which file some labels under the nearest role that they have.
    found = {_ROLES[word] for word in _WORD.findall(folded) if word in _ROLES}
    if found:
        return found.pop() if len(found) == 1 else 0.0
    return _labels().get(folded, 0.0)


@cache
def _labels() -> dict[str, float]:
    votes: dict[str, set[float]] = {}
    for profile in vocabulary().domains.values():
        for role, labels in profile.speakers.items():
            for label in labels:
                votes.setdefault(fold(label), set()).add(_ROLES.get(role, 0.0))
    return {label: found.pop() for label, found in votes.items() if len(found) == 1}
