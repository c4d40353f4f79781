"""Rendering: a synthetic conversation with a surrogate in the place of every marker."""

from __future__ import annotations

import re
from collections.abc import Callable

from generator.errors import SurrogateError
from generator.grammar_gender import genders
from generator.surrogates import SurrogateMaker
from seed_engine.conversation import Boundary, Conversation, Turn
from seed_engine.markers import Marker, iter_markers

# A source holds a fair share of all first names, hardly all of their pairs; after so many misses something is wrong.
_TRIES = 200
_WORD = re.compile(r"\w+")
_BORN = re.compile(
    r"\b(?:(?:date of birth|birth ?date|birthday|dob)\b[^.?!]{0,12}|born (?:on )?"
    r"|fecha de nacimiento\b[^.?!]{0,12}|(?:nací|nació|nacido|nacida)(?: el)? )$",
    re.IGNORECASE,
)


class Surrogate(Boundary):
    """Where a surrogate stands: half-open span in code points of the rendered turn, and the marker it stands for."""

    turn: int
    start: int
    end: int
    marker: str


class Rendered(Conversation):
    """A conversation whose markers are filled.

    Attributes:
        surrogates: every filled place, in reading order.
    """

    surrogates: tuple[Surrogate, ...] = ()


def render(conversation: Conversation, *, seed: int, forbidden: Callable[[str], bool], later: int = 0) -> Rendered:
    """Fill every marker, the same marker always with the same value.

    Args:
        conversation: a synthetic conversation.
        seed: random seed; the same seed gives the same surrogates.
        forbidden: whether a value occurs in the source; such a value is never used.
        later: years by which dates are moved on: with ten thousand people in a source, every day of some years is one
            of theirs.

    Raises:
        SurrogateError: no free value for a marker was found.
    """
    values = _values(conversation, seed, forbidden, later)
    turns: list[Turn] = []
    surrogates: list[Surrogate] = []
    for index, turn in enumerate(conversation.turns):
        text, at = "", 0
        for start, end, marker in iter_markers(turn.text):
            text += turn.text[at:start]
            at = end
            value = values[marker]
            place = Surrogate(turn=index, start=len(text), end=len(text) + len(value), marker=str(marker))
            surrogates.append(place)
            text += value
        turns.append(turn.model_copy(update={"text": text + turn.text[at:]}))
    record = conversation.model_dump() | {"turns": tuple(turns), "surrogates": tuple(surrogates)}
    return Rendered(**record)


def _values(conversation: Conversation, seed: int, forbidden: Callable[[str], bool], later: int) -> dict[Marker, str]:
    maker = SurrogateMaker(
        conversation.language or "en",
        f"{seed}/{conversation.id}",
        genders=genders(conversation),
        births=_births(conversation),
        later=later,
    )
    found = {marker for turn in conversation.turns for _, _, marker in iter_markers(turn.text)}
    roles = list(dict.fromkeys(turn.role.upper() for turn in conversation.turns))
    # The one who asks first comes first, so that the mail address fits that name.
    order = sorted(found, key=lambda m: (roles.index(m.kind) if m.kind in roles else len(roles), m))
    values: dict[Marker, str] = {}
    for position, marker in enumerate(order):
        values[marker] = _free(maker, marker, forbidden, set(values.values()))
        if position == 0 and marker.kind in roles and not marker.relation:
            maker.name_owner(values[marker])
    return values


def _births(conversation: Conversation) -> frozenset[Marker]:
    """Dates that stand right behind the words "date of birth", or the like."""
    return frozenset(
        marker
        for turn in conversation.turns
        for start, _, marker in iter_markers(turn.text)
        if marker.kind == "DATE" and _BORN.search(turn.text[:start])
    )


def _free(maker: SurrogateMaker, marker: Marker, forbidden: Callable[[str], bool], taken: set[str]) -> str:
    """A value that is not the source's; for half of the tries, one that shares no word with a value of it either.

    With many thousand people in a source every common surname is one of theirs, so that the second is a wish only.
    """
    for number in range(_TRIES):
        value = maker.draw(marker)
        parts = _WORD.findall(value) if number < _TRIES // 2 else []
        if value not in taken and not any(map(forbidden, (value, *parts))):
            return value
    raise SurrogateError(f"no free surrogate of kind {marker.kind}")
