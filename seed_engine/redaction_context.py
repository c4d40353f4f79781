"""Redactions in context: which hid mathematics or a word problem's person, and what plausibly stood there.

A probe is put in the redaction's place: a number that the lesson then explains as arithmetic, or a name that only a
word problem could bear, was redacted wrongly. The original is solved from its equation, else taken from where the
lesson says the same again; for a person nothing but a name that fits can be given.
"""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from seed_engine.fold import fold
from seed_engine.math_text import expressions
from seed_engine.numeric_context import numeric_profile
from seed_engine.redactions import Redaction, redactions
from seed_engine.room_people import is_in_problem, is_in_room, mention_at
from seed_engine.unknowns import HOLE, equations, solve

# Digits that no expression needs to be whole, and a name that no list of cues holds.
_NUMBER, _NAME = "12", "Alex"
# Names for word problems; the first that the lesson does not hold stands for who was there.
NAMES = ("Alex", "Sam", "Robin", "Jordan", "Casey", "Taylor", "Morgan", "Jamie", "Riley", "Avery")
_OPERATOR_BEFORE = re.compile(
    r"(?:[\d)%]|\b[a-z])\s*(?:[+*/×÷=^<>≤≥−–-]|\bx\b)\s*[($€£-]?\s*$"
    r"|(?:%|\b(?:percent|half|third|quarter|por ciento|mitad)) (?:of|de) $"
    r"|\b(?:equals?|is equal to|plus|minus|times|divided by|multiplied by|square root of|es igual a|mas|menos|por|dividido (?:por|entre))\s+[$€£]?$"
)
_OPERATOR_AFTER = re.compile(
    r"^\s*[)%]?\s*(?:[+*×÷=^<>≤≥]|[/−–-]\s*\d|\bx\s*\d)|^\s*%|^\s+(?:of|de)\s+[$€£]?\d|^\s+(?:equals|plus|minus|times|divided by|multiplied by|percent|es igual a|menos)\b"
)
_TOKEN = re.compile(r"[^\W\d_]+|\d[\d.,]*|[=+*/×÷%$-]")
_COUNTED = (
    re.compile(
        r"\b(?:has|have|had|buys?|bought|gives?|gave|eats?|ate|sells?|sold|costs?|spends?|spent|needs?|makes?|made|are|runs?|ran|reads?|picks?|picked|left|"
        r"with|tiene|tienen|compra|compro|come|comio|gasta|gasto|quedan|hay)\s+$"
    ),
    re.compile(r"^\s+(?:more |fewer |less |red |blue |green |mas )?[a-z]{3,}(?:s|ren|en)\b"),
)
_PERSONAL_TYPES = ("PERSON", "EMAIL_ADDRESS", "URL", "USERNAME", "PASSWORD")
_ASKED_FOR = (
    ("AGE", re.compile(r"\b(?:i am|i'm|im|he is|she is|turned|tengo|cumpli) (?:only )?$"), re.compile(r"^\s*(?:years? old|yo\b|anos|and|,|\.|$)")),
    ("PHONE_NUMBER", re.compile(r"\b(?:phone|cell|call me|text me|number is|telefono|llama\w*)\b[^.!?]{0,25}$"), None),
    ("EMAIL_ADDRESS", re.compile(r"\b(?:e-?mail|correo)\b[^.!?]{0,25}$"), None),
    ("LOCATION", re.compile(r"\b(?:live|lives|living|vivo|moved|am from|i'm from|im from) (?:in|at|on|near|from|en|to)? ?$"), None),
    ("ORGANIZATION", re.compile(r"\b(?:school|colegio|go to|attend|goes to)\b[^.!?]{0,15}$"), None),
    ("DATE_TIME", re.compile(r"\b(?:born|birthday|naci)\b[^.!?]{0,15}$"), None),
    ("USERNAME", re.compile(r"\b(?:username|user name|gamertag|handle|usuario)\b[^.!?]{0,15}$"), None),
    ("URL", re.compile(r"\b(?:link|zoom|join here|join at)\b[^.!?]{0,15}$"), None),
    ("PASSWORD", re.compile(r"\b(?:password|passcode|contrasena)\b[^.!?]{0,15}$"), None),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """What context says of a redaction.

    Attributes:
        is_wrong: whether it hid nobody in the room.
        entity_type: of what it hid, where it is right.
        original: what plausibly stood there, where it is wrong; empty where nothing can be inferred.
        reason: `expression`, `quantity` or `problem` where it is wrong, else `personal`.
        source: how the original came about: `solved`, `repeated`, `invented`; empty without one.
    """

    is_wrong: bool
    entity_type: str
    original: str
    reason: str
    source: str


def judge(texts: Sequence[str], turn: int, mark: Redaction) -> Judged:
    """Judge one redaction.

    Args:
        texts: the turns of its conversation.
        turn: the redaction's turn.
        mark: the redaction.
    """
    text = _others_blank(texts[turn], mark, "?")
    before, after = fold(text[: mark.start]), fold(text[mark.end :])
    if _OPERATOR_BEFORE.search(before[-60:]) or _OPERATOR_AFTER.search(after[:40]):
        return _number(texts, turn, mark, "expression")
    if (
        mark.kind not in _PERSONAL_TYPES
        and _is_asked_for(before, after) is None
        and _explained(text, mark, before, after)
    ):
        return _number(texts, turn, mark, "quantity")
    if mark.kind in ("PERSON", "") and _is_character(texts[turn], mark):
        return _person(texts, mark)
    return Judged(False, mark.kind or _is_asked_for(before, after) or _by_room(text, mark), "", "personal", "")


def _number(texts: Sequence[str], turn: int, mark: Redaction, reason: str) -> Judged:
    text = texts[turn]
    solved = _solved(text, mark)
    if solved is not None:
        return Judged(True, "", solved, reason, "solved")
    repeated = _repeated(texts, text, mark)
    return Judged(True, "", repeated, reason, "repeated" if repeated else "")


def _solved(text: str, mark: Redaction) -> str | None:
    # Another redaction beside it is a second unknown.
    rest = _others_blank(text, mark, "?").replace(HOLE, " ")
    holed = rest[: mark.start] + HOLE + rest[mark.end :]
    return next((found for piece in equations(holed) if (found := solve(piece)) is not None), None)


def _repeated(texts: Sequence[str], text: str, mark: Redaction) -> str:
    """The number that the lesson has elsewhere in the same surroundings; empty where none or several do."""
    left, right = _TOKEN.findall(fold(text[: mark.start])), _TOKEN.findall(fold(text[mark.end :]))
    edges: list[tuple[list[str], list[str]]] = [(left[-3:], [])] if len(left) >= 3 else []
    edges += [(left[-1:], right[:1])] if left and right and left[-1].isalpha() and right[0].isalpha() else []
    for before, after in edges:
        words = [*map(re.escape, before), r"(\d[\d.,/]{0,9}\d|\d)", *map(re.escape, after)]
        pattern = re.compile(r"(?<![^\W_])" + r"\W{0,2}".join(words) + r"(?![^\W_])")
        found = {match[1] for other in texts for match in pattern.finditer(fold(other))}
        if len(found) == 1:
            return found.pop()
    return ""


def _others_blank(text: str, mark: Redaction, filler: str) -> str:
    """The text with every other redaction filled, each as long as it was: their signs are no operators."""
    for other in redactions(text):
        if other != mark:
            size = other.end - other.start
            text = text[: other.start] + (filler * size)[:size] + text[other.end :]
    return text


def _explained(text: str, mark: Redaction, before: str, after: str) -> bool:
    """Whether a number in its place would be part of an expression, or counted, priced or measured."""
    if _COUNTED[0].search(before[-30:]) and _COUNTED[1].search(after[:30]):
        return True
    probe = text[: mark.start] + _NUMBER + text[mark.end :]
    end = mark.start + len(_NUMBER)
    places = (*expressions(probe), *(match.span() for match in numeric_profile("tutoring").harmless.finditer(probe)))
    return any(start <= mark.start and end <= stop and (start, stop) != (mark.start, end) for start, stop in places)


def _is_character(text: str, mark: Redaction) -> bool:
    # Beside it may stand other people who were redacted: "[NAME] and [NAME] share 24 marbles".
    shown = _others_blank(text, mark, _NAME)
    probe = shown[: mark.start] + _NAME + shown[mark.end :]
    mention = mention_at(probe, mark.start, mark.start + len(_NAME))
    return is_in_problem(mention) and not is_in_room(mention)


def _person(texts: Sequence[str], mark: Redaction) -> Judged:
    said = {fold(word) for text in texts for word in re.findall(r"[^\W\d_]+", text)}
    free = [name for name in NAMES if fold(name) not in said] or list(NAMES)
    place = int(mark.number) - 1 if mark.number.isdigit() else ord(mark.number or "A") - ord("A")
    return Judged(True, "", free[place % len(free)], "problem", "invented")


def _is_asked_for(before: str, after: str) -> str | None:
    for kind, left, right in _ASKED_FOR:
        if left.search(before[-80:]) and (right is None or right.search(after[:30])):
            return kind
    return None


def _by_room(text: str, mark: Redaction) -> str:
    """A redaction without a type: somebody who is addressed or introduced, else some number."""
    probe = text[: mark.start] + _NAME + text[mark.end :]
    return "PERSON" if is_in_room(mention_at(probe, mark.start, mark.start + len(_NAME))) else "ID_OTHER"
