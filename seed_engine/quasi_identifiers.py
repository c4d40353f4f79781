"""Which labels of a seed could single somebody out together, as somebody who knows the person would know them.

A quasi-identifier is what a conversation was about and who took part: domain, language, objective, tone, roles, age
band, topics, and of the mentions those that describe a person (`TELLING`) with everything a marker adds to its kind:
relations, place kinds, distances between dates; and whether there are two or more of them. How the talk went
(dialogue acts, order, length) is none: nobody knows it of somebody else without having heard the conversation.
Differential privacy covers that too; k-anonymity does not.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from seed_engine.markers import Marker, parse_marker
from seed_engine.seed import Seed
from seed_engine.vocabulary import vocabulary

# Mentions that describe a person, their part in the talk or their health; "an e-mail address was given" describes
# nobody. A role's marker tells the role, in the talk of whoever had a nurse.
TELLING = frozenset((
    "symptom", "severity", "body_part", "medication", "test", "diagnosis", "subject_matter", "legal_matter",
    "account_type", "vehicle_model", "RELATIVE", "AGE", "LOCATION", "ORGANIZATION", "GROUP", "OCCUPATION", "CONDITION",
    "INSURANCE", "NATIONAL_ID", "PASSPORT", "DRIVER_LICENSE", "VEHICLE",
    *(role.upper() for role in vocabulary().roles),
))  # fmt: skip

# Every domain's topic of taking leave, which is not what a conversation was about.
CLOSING = "closing"

Combination = tuple[str, ...]


def combination(seed: Seed) -> Combination:
    """Everything that could single the seed's subject out, sorted; seeds with equal combinations cannot be told apart.

    Args:
        seed: a valid seed.
    """
    return (seed.domain, seed.language, *sorted(attributes(seed)))


def attributes(seed: Seed) -> frozenset[str]:
    """The combination without domain and language, each attribute as `name=value`, once."""
    found = {f"objective={seed.objective}", f"tone={seed.tone}", f"roles={' '.join(sorted(seed.roles))}"}
    found |= {f"{name}={band}" for name, band in seed.facts.items()}
    found |= {f"topic={step.topic}" for step in seed.flow if step.topic != CLOSING}
    labels = {slot for step in seed.flow for slot in step.slots if not slot.startswith("[")}
    found |= {f"mention={sort}" for slot in labels for sort in mention_sorts(slot)}
    counts = Counter(sort for marker in things(seed) for sort in mention_sorts(str(marker)))
    found |= {f"mention={sort}" for sort in counts}
    found |= {f"mention={twice(sort)}" for sort, count in counts.items() if count > 1}
    return frozenset(found)


def things(seed: Seed) -> tuple[Marker, ...]:
    """Whoever and whatever is marked, each once as it is first marked, in order of mention."""
    slots = (slot for step in seed.flow for slot in step.slots if slot.startswith("["))
    return tuple(dict.fromkeys(map(parse_marker, slots)))


def twice(sort: str) -> str:
    """The label of two or more things of a sort; how many more is never written."""
    return f"{sort} twice"


@lru_cache(maxsize=4096)
def mention_sorts(slot: str) -> tuple[str, ...]:
    """What a slot tells, the most general first; empty when it describes nobody.

    >>> mention_sorts("[RELATIVE_1: daughter]"), mention_sorts("[DATE_2: DATE_1 + 3 weeks]"), mention_sorts("amount")
    (('RELATIVE', 'RELATIVE: daughter'), ('DATE: + 3 weeks',), ())
    """
    if not slot.startswith("["):
        return (slot,) if slot in TELLING else ()
    marker = parse_marker(slot)
    thing = _thing(marker)
    general = (thing,) if marker.relation or marker.kind in TELLING else ()
    note = marker.distance or marker.note
    return (*general, f"{thing}: {note}") if note else general


def _thing(marker: Marker) -> str:
    return f"{marker.kind}.{marker.relation}" if marker.relation else marker.kind
