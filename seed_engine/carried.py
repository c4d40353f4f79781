"""Everything a source carries beside what is said: ids, subjects, speaker labels and other fields, as known secrets.

None of it enters a seed, and the leak gate looks for it like for any value that the detector found. What says nothing
about anybody is left out: plain role words, the vocabulary's own labels, numbers of up to three digits, and ids that
the house itself makes of a position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from seed_engine.conversation import Conversation
from seed_engine.extract import Secret
from seed_engine.fold import fold
from seed_engine.vocabulary import vocabulary

# Words for who speaks that no domain of the vocabulary has.
_WORDS = """
moderator interviewer interviewee host guest speaker participant person teacher instructor learner pupil professor
therapist counselor counsellor coach manager seller buyer caller callee operator visitor narrator facilitator
candidate recruiter employee employer human bot chatbot ai gpt model system tool function developer document
moderador moderadora entrevistador entrevistadora entrevistado entrevistada invitado invitada hablante participante
persona profesor profesora maestro maestra terapeuta vendedor vendedora comprador comprador operadora narrador
"""
_ROLE_WORDS = frozenset(_WORDS.split())
_NUMBERED = re.compile(r"[\s_#-]*\d{1,3}$")
_SHORT_NUMBER = re.compile(r"\d{1,3}")
# `seed-000001-0` and `line-7` are made of positions, so that two sources of strangers share them.
_POSITION = re.compile(r"seed-\d{6}(?:-\d{1,4})?|line-\d+")
_FILE_NUMBER = re.compile(r"^\d+/")


def carried(conversation: Conversation) -> tuple[Secret, ...]:
    """Every string of a source beside its texts that may tell who somebody is, each once.

    Types are `ID` for ids, `PERSON` for subjects, speaker labels and display names, `METADATA` for other fields.
    """
    found: dict[Secret, None] = {}
    for value, entity_type in _strings(conversation):
        value = value.strip()
        if value and not says_nothing(value):
            found[Secret(value, entity_type)] = None
    return tuple(found)


def says_nothing(value: str) -> bool:
    """Whether a field's value is one that anybody's conversation could carry."""
    folded = fold(value.strip())
    if _SHORT_NUMBER.fullmatch(folded) or _POSITION.fullmatch(folded):
        return True
    return folded in _plain() or _NUMBERED.sub("", folded) in _plain()


def _strings(conversation: Conversation) -> Iterator[tuple[str, str]]:
    yield conversation.id, "ID"
    # Of an id that the reader made of a file's name and number, the name alone comes from outside.
    yield _FILE_NUMBER.sub("", conversation.id), "ID"
    if conversation.subject is not None:
        yield conversation.subject, "PERSON"
    for turn in conversation.turns:
        yield turn.role, "PERSON"
        if turn.name is not None:
            yield turn.name, "PERSON"
    for value in (conversation.language, conversation.domain, *conversation.metadata):
        if value is not None:
            yield value, "METADATA"


@cache
def _plain() -> frozenset[str]:
    known = vocabulary()
    labels = {*known.languages, *known.roles, *known.tones, *known.dialogue_acts, *known.slots, *known.marker_kinds}
    labels |= {*known.age_bands, *known.turn_bands, *known.domains}
    for profile in known.domains.values():
        labels |= {*profile.topics, *profile.objectives, *profile.roles}
        labels |= {name for names in profile.speakers.values() for name in names}
    return _ROLE_WORDS | {fold(label) for label in labels}
