"""Who speaks: the speaker labels of a conversation as roles of its domain, never the labels themselves."""

from __future__ import annotations

from seed_engine.conversation import Conversation
from seed_engine.role_nouns import label_role
from seed_engine.vocabulary import DomainProfile


def turn_roles(conversation: Conversation, profile: DomainProfile) -> tuple[str, ...]:
    """One role of the domain per turn.

    A label that the profile spells, or a noun of office or kinship ("psicóloga", "mother"), is its role. The others,
    in order of first turn, take the domain's roles that nobody has yet, the one who asks first; when none is left they
    share the second role.
    """
    spelled = {name: role for role, names in profile.speakers.items() for name in names}
    roles: dict[str, str] = {}
    labels = list(dict.fromkeys(turn.role.strip().casefold() for turn in conversation.turns))
    for label in labels:
        if label in spelled:
            roles[label] = spelled[label]
        elif (known := label_role(label, profile.name)) is not None:
            roles[label] = known
    for label in labels:
        if label not in roles:
            free = (role for role in profile.roles if role not in roles.values())
            roles[label] = next(free, profile.roles[min(1, len(profile.roles) - 1)])
    return tuple(roles[turn.role.strip().casefold()] for turn in conversation.turns)
