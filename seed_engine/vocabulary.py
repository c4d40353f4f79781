"""The closed alphabet of a seed: every string in a seed is one of these labels or a role marker.

The labels are data (`data/vocabulary.json`, one file a domain in `data/domains/`), versioned and published, so that
an auditor can hold a seed against them. Dialogue acts are the communicative functions of ISO 24617-2:2020.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from seed_engine.domain_file import VARIABLE, DomainFile, open_labels, own_domains
from seed_engine.errors import InputError, UnknownNameError
from seed_engine.fold import fold


@dataclass(frozen=True, slots=True)
class DomainProfile:
    """What conversations of a domain are made of.

    Attributes:
        name: `support`, `medical`, ...
        roles: roles that speak, the one who asks first.
        speakers: spellings of speaker labels (case-folded) by role.
        topics: what a turn can be about.
        objectives: what a conversation can be for; the last is the domain's fallback.
        own: whether a user added it.
        spoken: how an own profile's topics are called in a sentence, by language and topic.
        examples: sentences that show an own profile's objectives.
    """

    name: str
    roles: tuple[str, ...]
    speakers: dict[str, tuple[str, ...]]
    topics: tuple[str, ...]
    objectives: tuple[str, ...]
    own: bool = False
    spoken: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that the profile adds to the vocabulary."""
        return (self.name, *self.topics, *self.objectives)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Every label a seed may hold; `domains` by name, the rest in published order."""

    version: str
    languages: tuple[str, ...]
    roles: tuple[str, ...]
    tones: tuple[str, ...]
    dialogue_acts: tuple[str, ...]
    slots: tuple[str, ...]
    marker_kinds: tuple[str, ...]
    age_bands: tuple[str, ...]
    turn_bands: tuple[str, ...]
    domains: dict[str, DomainProfile]

    def domain(self, name: str) -> DomainProfile:
        """The profile of a domain.

        Raises:
            UnknownNameError: no such domain; the message lists the known ones.
        """
        if name not in self.domains:
            raise UnknownNameError("domain", self.domains)
        return self.domains[name]


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary that ships with the project, and the domain profiles that `SEMILLA_DOMAINS` names.

    Raises:
        InputError: an own profile is faulty, or takes a name that is taken.
    """
    data = files("seed_engine") / "data"
    raw = json.loads((data / "vocabulary.json").read_text("utf-8"))
    lists = {key: tuple(value) for key, value in raw.items() if isinstance(value, list)}
    profiles = [_profile(json.loads(file.read_text("utf-8"))) for file in (data / "domains").iterdir()]
    domains = {profile.name: profile for profile in sorted(profiles, key=lambda profile: profile.name)}
    for file in own_domains():
        faults = open_labels(file, roles=lists["roles"], slots=lists["slots"])
        if file.name in domains:
            faults = ("name",)
        if faults:
            raise InputError(VARIABLE, None, f"{faults[0]} of an own profile: taken, or not in the vocabulary")
        domains[file.name] = _own_profile(file)
    return Vocabulary(version=raw["version"], domains=domains, **lists)


def band(count: int, bands: tuple[str, ...]) -> str:
    """The band `low-high` or `low+` that holds a count, >= 0; the first for what lies below it, the last above."""
    return next((name for name in reversed(bands) if int(name.rstrip("+").partition("-")[0]) <= count), bands[0])


@cache
def speaker_labels() -> frozenset[str]:
    """Every label that a domain has for a speaker, folded: a display name that is one names nobody."""
    profiles = vocabulary().domains.values()
    return frozenset(fold(label) for profile in profiles for labels in profile.speakers.values() for label in labels)


def _own_profile(file: DomainFile) -> DomainProfile:
    return DomainProfile(
        name=file.name,
        roles=file.roles,
        speakers={role: tuple(name.casefold() for name in (role, *file.speakers.get(role, ()))) for role in file.roles},
        topics=file.topics,
        objectives=file.objectives,
        own=True,
        spoken=file.spoken,
        examples=file.examples,
    )


def _profile(raw: dict[str, object]) -> DomainProfile:
    speakers = raw["speakers"]
    assert isinstance(speakers, dict)
    return DomainProfile(
        name=str(raw["name"]),
        roles=_labels(raw["roles"]),
        speakers={role: _labels(names) for role, names in speakers.items()},
        topics=_labels(raw["topics"]),
        objectives=_labels(raw["objectives"]),
    )


def _labels(value: object) -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(str(item) for item in value)
