"""Which grammatical gender a text gives to the people behind its markers, so that their surrogates agree with it.

A conversation is written before anybody has a name. Where its words already tell a gender ("la doctora [DOCTOR_1]",
"bienvenida, [CUSTOMER_1]", "estoy preocupado" of the one who says it), the name that is drawn later must fit them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from seed_engine.conversation import Conversation
from seed_engine.markers import Marker, iter_markers
from seed_engine.relations import relation_words

_FEMALE = "la señora sra doña doctora dra enfermera abogada profesora alumna clienta gerenta señorita tutora vendedora"
_MALE = "el señor sr don doctor dr enfermero abogado profesor alumno gerente tutor vendedor"
_TITLES: dict[str, dict[str, str]] = {
    "es": dict.fromkeys(_FEMALE.split(), "f") | dict.fromkeys(_MALE.split(), "m"),
    "en": {"mrs": "f", "ms": "f", "miss": "f", "madam": "f", "mr": "m", "sir": "m"},
}
_AGREEING = (
    "preocupad nervios encantad agradecid cansad confundid perdid enfadad segur content list asustad hart tranquil"
)
_ADJECTIVE = re.compile(
    rf"\b(?:estoy|quedo|sigo|ando|me siento|me he quedado)\s+(?:(?:muy|un poco|bastante|algo|ya|tan)\s+)*"
    rf"(?:{'|'.join(_AGREEING.split())})([oa])\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(\w+)[.,]?\s*$")
_GREETED = re.compile(r"(?:bienvenid|tranquil|estimad|querid)([oa])[,:]?\s*$", re.IGNORECASE)


def genders(conversation: Conversation) -> dict[Marker, str]:
    """`f` or `m` by person, as most of the words that tell it say; nobody is in it of whom the text tells nothing."""
    votes: dict[Marker, Counter[str]] = {}
    for marker, gender in _told(conversation):
        votes.setdefault(marker, Counter())[gender] += 1
    return {marker: counts.most_common(1)[0][0] for marker, counts in votes.items()}


def _told(conversation: Conversation) -> Iterator[tuple[Marker, str]]:
    titles = _TITLES.get(conversation.language or "en", {})
    for turn in conversation.turns:
        for start, _, marker in iter_markers(turn.text):
            before = turn.text[:start]
            word, greeted = _BEFORE.search(before), _GREETED.search(before)
            if word and word[1].casefold() in titles:
                yield marker, titles[word[1].casefold()]
            if greeted:
                yield marker, _gender(greeted[1])
            for relation in (marker.relation, marker.note):
                if relation in _of_relations():
                    yield marker, _of_relations()[relation]
        if conversation.language == "es":
            for match in _ADJECTIVE.finditer(turn.text):
                yield Marker(turn.role.upper(), 1), _gender(match[1])


def _gender(ending: str) -> str:
    return "f" if ending.casefold() == "a" else "m"


@cache
def _of_relations() -> dict[str, str]:
    """Relations whose every word has one gender: `daughter`, and not `spouse`."""
    found: dict[str, set[str]] = {}
    for relation in relation_words().values():
        found.setdefault(relation.name, set()).add(relation.gender)
    return {name: told.pop() for name, told in found.items() if len(told) == 1 and told <= {"f", "m"}}
