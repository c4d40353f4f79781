"""Secret forms: the spellings under which a known value is searched, and why some values cannot be.

A value can be searched when finding it would say something: "Quill", "12/03/1985" and "AB-2291" can; "tomorrow",
"42", "May" and "2,000" cannot, because any text holds them; nor
can "Will Young", all of whose words are ordinary ones. What cannot be searched is counted, never passed over.

    ==============  ==============================================================================================
    whole           letters and digits in order, at least 6 (a single word: 4, a person's name 3)
    digits          the digits alone, at least 7, when the value has any other character
    subscriber      the last 9 digits of a longer phone number: what is left without country code
    reversed        a person's last word first, without titles (`Quill, Martha`)
    ==============  ==============================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seed_engine.fold import words
from seed_engine.ordinary import is_ordinary

Unsearchable = Literal["too short", "ordinary words", "common number"]

SHORTEST = 6
SHORTEST_WORD = 4
SHORTEST_NAME = 3
SHORTEST_NUMBER = 5
SHORTEST_DIGITS = 7
SUBSCRIBER_DIGITS = 9
_TITLES = "mr mrs ms miss mister madam sir dr doctor doctora dra prof professor nurse don dona sr sra srta"
TITLES = frozenset(_TITLES.split())


@dataclass(frozen=True, slots=True)
class Form:
    """One spelling to search for; lives only while an index is built.

    Attributes:
        text: squeezed text (`seed_engine.fold.squeeze`).
        word: whether it is one word, of which no piece may be taken for it ("for rest" is not Forrest).
    """

    text: str
    word: bool


def forms(value: str, entity_type: str, allowed: frozenset[str] = frozenset()) -> tuple[Form, ...] | Unsearchable:
    """The forms of a value, or why it has none.

    Args:
        value: text of an entity span.
        entity_type: its type; `PERSON` may be shorter and reversed, `PHONE_NUMBER` may lose its country code.
        allowed: more words that count as ordinary, folded.
    """
    parts = words(value)
    fault = _unsearchable(parts, entity_type, allowed)
    if fault is not None:
        return fault
    found = [_form(parts)]
    digits = "".join(part for part in parts if part.isdecimal())
    if len(digits) >= SHORTEST_DIGITS and not _is_common(digits):
        found.append(Form(digits, word=False))
        if entity_type == "PHONE_NUMBER" and len(digits) > SUBSCRIBER_DIGITS:
            found.append(Form(digits[-SUBSCRIBER_DIGITS:], word=False))
    if entity_type == "PERSON":
        found += _name_orders(parts, allowed)
    return tuple(dict.fromkeys(found))


def _unsearchable(parts: list[str], entity_type: str, allowed: frozenset[str]) -> Unsearchable | None:
    digits = "".join(part for part in parts if part.isdecimal())
    letters = [part for part in parts if not part.isdecimal()]
    telling = sum(len(part) for part in letters if part not in allowed and not is_ordinary(part))
    if telling < SHORTEST_NAME:
        if len(digits) < SHORTEST_NUMBER:
            return "ordinary words" if any(len(part) >= SHORTEST_NAME for part in letters) else "too short"
        if _is_common(digits):
            return "common number"
        return None
    shortest = SHORTEST
    if len(parts) == 1:
        shortest = SHORTEST_NAME if entity_type == "PERSON" else SHORTEST_WORD
    return "too short" if sum(map(len, parts)) < shortest else None


def _is_common(digits: str) -> bool:
    # 20000, 1000000, 11111: prices, counts and fillers that texts hold by chance.
    return len(digits.rstrip("0")) <= len(digits) - 3 or len(set(digits)) == 1


def _name_orders(parts: list[str], allowed: frozenset[str]) -> list[Form]:
    name = parts
    while name and name[0] in TITLES:
        name = name[1:]
    if name == parts and len(name) < 2:
        return []
    orders = [name, name[-1:] + name[:-1]]
    return [_form(order) for order in orders if order != parts and _unsearchable(order, "PERSON", allowed) is None]


def _form(parts: list[str]) -> Form:
    return Form("".join(parts), word=len(parts) == 1)
