"""The tutoring profile: inside mathematics numbers need evidence, and people of word problems are left alone.

Outside the mathematical segments of a lesson no number, place or age is touched. A name that anybody in the room bears
is hidden everywhere, found by the recognizers or not; in doubt a name is hidden.
"""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from seed_engine.fold import fold
from seed_engine.name_lexicon import is_first_name
from seed_engine.names import name_tokens
from seed_engine.numeric_context import drop_numbers, numeric_profile
from seed_engine.ordinary import is_ordinary
from seed_engine.room_people import is_in_problem, is_in_room, mention_at, mentions
from seed_engine.segments import Vectors, inside, math_segments
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]

# Finds that hold parts of a name of somebody in the room.
_TELLING = frozenset({"EMAIL_ADDRESS", "USERNAME"})
_JOINTS = frozenset({"and", "y", "e", "or", "o", "u"})
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_NAME = re.compile(r"(?<![\w@./-])[^\W\d_]{3,20}(?![\w@]|\.\w|'[^s])")
# Types that a bare first name is taken for.
_MISTAKEN = frozenset({"LOCATION", "ORGANIZATION", "NRP"})
_SCORE = 0.6
_AROUND, _ANSWER = 60, 48
_BARE = re.compile(r"\W{0,4}\d[\d.,/ ]{0,8}\W{0,4}")
_DIGIT = re.compile(r"\d")
_AT_HOME = re.compile(
    r"\b(?:(?:i|we|you|u|my \w+)(?:'m|'re|m)?(?: am| are| is| just| used to| also)* (?:lives?|living|lived|moved|stay|from|in|at|born|go to|attend)"
    r"|(?:my|our|your) (?:new |home |old )?(?:address|home|house|street|town|city|school|class|zip|college|state|country)"
    r"|(?:i'?m|i am|this is|my name is) \w+(?: \w+)?,? (?:and i'?m )?(?:from|at|in)|live at|live in|live on|vivo|vivimos|soy|naci|mi (?:direccion|casa|calle|cole|colegio|escuela|instituto|pueblo|ciudad))\b"
)
_YEAR = re.compile(r"(?:19|20)\d{2}\b|\d[/.-]\d{1,2}[/.-]\d{2}\b")
_HOUSE = re.compile(r"^\d{1,6}[a-z]? [A-Z]")
# "so im 11" and "my brother is 7"; "my age is four times yours" is a riddle.
_AGED = re.compile(
    r"\b(?:(?:i|we|you|u)(?:'m|m|'re|r| am| are| turn(?:ed)?| was| just turned)|my [^\W\d_]+(?: [^\W\d_]+)? (?:is|turned|just turned|turns)|tengo|cumplo|cumpli|mi \w+ tiene|age[sd]?:?)\s*(?:only |about |already |like )?_"
)

_WHERE = re.compile(
    r"\bwhere (?:are you|do you|you|r u|is your)|\bw(?:hat|hich) (?:school|city|town|country|state)|\byour (?:address|school|city|town|college)"
    r"|\bde donde|\bdonde (?:vives|estas|estudias)|\ben que (?:colegio|escuela|ciudad|pueblo)|\btu (?:direccion|colegio|escuela|ciudad)"
)
_ASKED = {
    "AGE": re.compile(r"\bhow old (?:are|r) (?:you|u)|\byour age|\bcuantos anos tienes|\btu edad"),
    "LOCATION": _WHERE,
    "ORGANIZATION": _WHERE,
    "DATE_TIME": re.compile(
        r"\byour (?:birthday|date of birth|dob|bday)|\bborn|\bwhen (?:is|was) (?:your|the)|\bcumpleanos|\bnaciste"
    ),
}


def apply_tutoring(
    texts: Sequence[str], found: Sequence[Spans], speakers: Iterable[str], vectors: Vectors
) -> list[Spans]:
    """The finds of a lesson without its arithmetic and its word problems' people, and with who is called by name.

    Args:
        texts: the turns.
        found: finds of each turn, sorted and apart.
        speakers: labels and display names of the speakers.
        vectors: see `segments.math_segments`.
    """
    called = [_with_called(text, spans) for text, spans in zip(texts, found, strict=True)]
    flags = inside(math_segments(texts, vectors), len(texts)) if any(called) else ()
    if not any(flags):
        return called
    characters = _characters(texts, called, speakers)
    rest = [
        tuple(span for span in spans if not _is_character(text, span, characters))
        for text, spans in zip(texts, called, strict=True)
    ]
    flags = tuple(_with_answers(texts, flags))
    asked = [_question(*pair) for pair in zip(("", *texts), texts, strict=False)]
    turns = list(zip(texts, rest, asked, flags, strict=True))
    kept = [_personal(text, spans, before) if flag else spans for text, spans, before, flag in turns]
    explained = _values(texts, rest, flags) - _values(texts, kept, flags)
    turns = list(zip(texts, kept, asked, flags, strict=True))
    return [spans if flag else _less(text, spans, explained, before) for text, spans, before, flag in turns]


def _with_called(text: str, spans: Spans) -> Spans:
    """The finds, and names that somebody is called by and that no recognizer took for one: "see you Monday, brian"."""
    kept = list(spans)
    for match in _NAME.finditer(text):
        word = fold(match[0])
        if not is_first_name(word) or is_ordinary(word):
            continue
        start, end = match.span()
        there = [span for span in spans if span.start < end and start < span.end]
        taken_for_place = [span for span in there if span.entity_type in _MISTAKEN and span.end <= end]
        if there == taken_for_place and is_in_room(mention_at(text, start, end)):
            kept = [span for span in kept if span not in taken_for_place]
            kept.append(EntitySpan(start, end, "PERSON", _SCORE, "called"))
    return tuple(sorted(kept))


def _characters(texts: Sequence[str], found: Sequence[Spans], speakers: Iterable[str]) -> frozenset[str]:
    """Folded names that only word problems use."""
    names: set[str] = set()
    told = {fold(word) for label in speakers for word in _LETTERS.findall(label)}
    for text, spans in zip(texts, found, strict=True):
        for span in spans:
            value = text[span.start : span.end]
            if span.entity_type == "PERSON":
                names.update(name_tokens(value))
            elif span.entity_type in _TELLING:
                told.update(fold(word) for word in _LETTERS.findall(value))
    places = mentions(texts, names - told - _JOINTS)
    return frozenset(
        token for token, said in places.items() if any(map(is_in_problem, said)) and not any(map(is_in_room, said))
    )


def _is_character(text: str, span: EntitySpan, characters: frozenset[str]) -> bool:
    if span.entity_type != "PERSON":
        return False
    tokens = [token for token in name_tokens(text[span.start : span.end]) if token not in _JOINTS]
    # A surname beside a first name is hidden with it, and the other way round.
    return bool(tokens) and all(token in characters for token in tokens)


def _with_answers(texts: Sequence[str], flags: Sequence[bool]) -> list[bool]:
    """The flags, and a turn that is a number alone after mathematics with them: it is the result."""
    joined = list(flags)
    for i in range(1, len(texts)):
        joined[i] = joined[i] or (joined[i - 1] and _BARE.fullmatch(texts[i]) is not None)
    return joined


def _question(before: str, text: str) -> str:
    """The end of the turn before, when a turn is so short that it answers it; what has its number has its answer."""
    return _DIGIT.split(before[-_AROUND:])[-1] if len(text.strip()) <= _ANSWER else ""


def _personal(text: str, spans: Spans, asked: str) -> Spans:
    """Of finds inside mathematics those that are somebody's in the room."""
    rest = drop_numbers(text, spans, numeric_profile("tutoring"), everywhere=True, asked=asked)
    return tuple(span for span in rest if _is_ours(text, span, asked))


def _values(texts: Sequence[str], found: Sequence[Spans], flags: Sequence[bool]) -> set[str]:
    """Folded values found inside mathematics, people's names apart."""
    return {
        fold(text[span.start : span.end])
        for text, spans, flag in zip(texts, found, flags, strict=True)
        for span in spans
        if flag and span.entity_type != "PERSON"
    }


def _less(text: str, spans: Spans, explained: set[str], asked: str) -> Spans:
    """Finds outside mathematics less those of values that it explains: "200-90-45" is no number to call there either."""
    doubtful = tuple(span for span in spans if fold(text[span.start : span.end]) in explained)
    personal = _personal(text, doubtful, asked) if doubtful else ()
    return tuple(span for span in spans if span not in doubtful or span in personal)


def _is_ours(text: str, span: EntitySpan, asked: str) -> bool:
    kind, value = span.entity_type, text[span.start : span.end]
    if kind in _ASKED and _ASKED[kind].search(fold(asked)):
        return True
    before = fold(text[max(0, span.start - _AROUND) : span.start])
    if kind == "AGE":
        return _AGED.search(before + "_") is not None and any(map(str.isdigit, value))
    if kind in ("LOCATION", "ORGANIZATION"):
        return _HOUSE.search(value) is not None or _AT_HOME.search(before) is not None
    if kind in ("DATE_TIME", "DATE"):
        around = f"{before} _ {fold(text[span.end : span.end + _AROUND // 2])}"
        return (
            _YEAR.search(value) is not None or numeric_profile("tutoring").cues["DATE_TIME"].search(around) is not None
        )
    return True
