"""Domain profiles of the user's own: one JSON file each, checked as strictly as a seed.

`SEMILLA_DOMAINS` names the files, separated as in PATH. A profile is vocabulary: it must be written beforehand, out of
what is known about a trade, never out of the conversations. What can be checked of that is checked: labels are short
and closed, and `extract` refuses a profile one of whose labels turns out to be a value of the source.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from seed_engine.conversation import Boundary
from seed_engine.errors import InputError
from seed_engine.strict_json import strict_json

VARIABLE = "SEMILLA_DOMAINS"
_LABEL = re.compile(r"[a-z]{2,20}(?:_[a-z]{1,20}){0,3}")
_LONGEST_LABEL = 32
Words = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=80)], ...], Field(max_length=400)]


class DomainWords(Boundary):
    """Keywords of a profile, `*` at a word's end for any ending; only labels of the profile as keys.

    Attributes:
        inputs: words by which inputs call the domain.
        topics: by topic.
        objectives: by objective.
        slots: by slot label of the vocabulary.
        leads: the objective that a topic speaks for when it opens a conversation, by topic.
    """

    inputs: Words = ()
    topics: dict[str, Words] = Field(default_factory=dict)
    objectives: dict[str, Words] = Field(default_factory=dict)
    slots: dict[str, Words] = Field(default_factory=dict)
    leads: dict[str, str] = Field(default_factory=dict)


class DomainFile(Boundary):
    """A domain profile as a user writes it.

    Attributes:
        name: a label that no shipped profile has.
        roles: two to six roles of the vocabulary, the one who asks first.
        speakers: spellings of speaker labels by role.
        topics: one to 40 labels.
        objectives: one to 40 labels; the last is the fallback.
        rules: keywords.
        spoken: how a topic is called in a sentence, by language and topic; its label in words without.
        examples: sentences that show an objective, for the sentence embedding.
    """

    name: str
    roles: Annotated[tuple[str, ...], Field(min_length=2, max_length=6)]
    speakers: dict[str, Words] = Field(default_factory=dict)
    topics: Annotated[tuple[str, ...], Field(min_length=1, max_length=40)]
    objectives: Annotated[tuple[str, ...], Field(min_length=1, max_length=40)]
    rules: DomainWords = DomainWords()
    spoken: dict[str, dict[str, Words]] = Field(default_factory=dict)
    examples: dict[str, Words] = Field(default_factory=dict)


@cache
def own_domains() -> tuple[DomainFile, ...]:
    """The profiles that `SEMILLA_DOMAINS` names, in its order; read once a process.

    Raises:
        InputError: a file cannot be read, or is no profile.
    """
    paths = [part for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    return tuple(read_domain(Path(part)) for part in paths)


def read_domain(path: Path) -> DomainFile:
    """Read one profile.

    Raises:
        InputError: unreadable, not JSON, of another form, or with a label that is not short snake_case; the field is
            named, what stands there is not.
    """
    fault = "unreadable"
    try:
        record = DomainFile.model_validate(strict_json(path.read_bytes()))
        fault = next(_label_faults(record), "")
        if not fault:
            return record
    except OSError:
        pass
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        fault = f"{first['loc'][0] if first['loc'] else 'file'}: {first['type']}"
    except ValueError as error:
        fault = str(error)
    raise InputError(str(path), None, fault if fault.split(":")[0] in _FIELDS else f"not a domain profile ({fault})")


def open_labels(profile: DomainFile, *, roles: Collection[str], slots: Collection[str]) -> tuple[str, ...]:
    """Fields that name a role or slot which the vocabulary does not have."""
    faults = ["roles"] * (not set(profile.roles) <= set(roles))
    return (*faults, *["rules.slots"] * (not set(profile.rules.slots) <= set(slots)))


_FIELDS = frozenset(DomainFile.model_fields)


def _label_faults(record: DomainFile) -> Iterator[str]:
    for field, labels in (("name", (record.name,)), ("topics", record.topics), ("objectives", record.objectives)):
        if any(_LABEL.fullmatch(label) is None or len(label) > _LONGEST_LABEL for label in labels):
            yield f"{field}: a label is one to four short lower-case words, joined by underscores"
        if len(set(labels)) != len(labels):
            yield f"{field}: a label stands twice"
    if len(set(record.roles)) != len(record.roles):
        yield "roles: a role stands twice"
    rules = record.rules
    keys: list[tuple[str, Collection[str], Collection[str]]] = [
        ("speakers", record.speakers, record.roles),
        ("rules", rules.topics, record.topics),
        ("rules", rules.objectives, record.objectives),
        ("rules", rules.leads, record.topics),
        ("rules", rules.leads.values(), record.objectives),
        ("examples", record.examples, record.objectives),
        *(("spoken", named, record.topics) for named in record.spoken.values()),
    ]
    for field, names, allowed in keys:
        if not set(names) <= set(allowed):
            yield f"{field}: a key that is no label of the profile"
    # A regular expression of a stranger can take hours over a long turn.
    parts = (rules.topics, rules.objectives, rules.slots)
    if any(word.startswith("re:") for part in parts for words in part.values() for word in words):
        yield "rules: regular expressions are for shipped profiles"
