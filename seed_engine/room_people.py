"""People in the room and people in word problems: who is greeted, thanked, introduced or related, and who has 5 apples.

A name is judged by all its mentions in a conversation. One mention that only somebody in the room can have decides:
the name is hidden everywhere. Without any, a mention that counts something in the third person makes it a word
problem's. A name with neither is hidden.
"""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from seed_engine.fold import fold
from seed_engine.math_text import counts_something
from seed_engine.relations import relation_words

_BEFORE, _AFTER = 90, 110
_STOP = re.compile(r"[.!?;\n](?=\s|$)")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a name stands: what is before and after it, folded, up to some ninety characters."""

    before: str
    after: str


def mentions(texts: Sequence[str], tokens: Iterable[str]) -> dict[str, list[Mention]]:
    """Every mention of each of some names.

    Args:
        texts: the turns of one conversation.
        tokens: folded words that names are made of.
    """
    wanted = set(tokens)
    found: dict[str, list[Mention]] = {token: [] for token in wanted}
    for text in texts:
        for match in _WORD.finditer(text):
            token = fold(match[0])
            if token in wanted:
                found[token].append(mention_at(text, *match.span()))
    return found


def mention_at(text: str, start: int, end: int) -> Mention:
    """The mention that stands at a half-open place of a turn."""
    return Mention(_plain(text[max(0, start - _BEFORE) : start]), _plain(text[end : end + _AFTER]))


def is_in_room(mention: Mention) -> bool:
    """Whether somebody present, or known to those present, must be meant."""
    cues = _cues()
    return any(
        (before is None or before.search(mention.before)) and (after is None or after.search(mention.after))
        for before, after in cues.room
    )


def is_in_problem(mention: Mention) -> bool:
    """Whether the mention is one of a word problem: its clause counts something and its person stands in third person."""
    cues = _cues()
    before, after = _clause(mention)
    if not counts_something(f"{before} _ {after}"):
        return False
    return any(
        (left is None or left.search(mention.before)) and (right is None or right.search(mention.after))
        for left, right in cues.problem
    )


@dataclass(frozen=True, slots=True)
class _Cues:
    room: tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...]
    problem: tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...]


@cache
def _cues() -> _Cues:
    words: dict[str, list[str]] = json.loads((files("seed_engine") / "data/profiles/people.json").read_text("utf-8"))
    any_of = {name: _any(items) for name, items in words.items()}
    kin = _any(word for word, relation in relation_words().items() if relation.kin)
    return _Cues(_room(any_of, kin), _problem(any_of, kin))


def _room(any_of: dict[str, str], kin: str) -> tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...]:
    start = r"(?:^|[.!?:;\n)\]]\s*|\s{2})"
    title = r"(?:(?:mr|mrs|ms|miss|mx|dr|prof|sra?|srta|don|dona|profe)\b\.?\s?)?"
    # Between a greeting and a name there may be another: "Hi Tom and Sue".
    beside = r"(?:[^\W\d_]{2,20}\s?(?:,|and|y|&)\s?)?"
    stop = r"\s*(?:$|[.!?,;:)…\n-])"
    said = rf"\s*[,!.:;-]*\s*(?:{any_of['addressed']})\b"
    # "Apply that to Marvin and Tom" calls nobody.
    joint = "".join(
        rf"(?<!\b{word})"
        for word in (
            "and",
            "to",
            "for",
            "with",
            "by",
            "of",
            "than",
            "from",
            "is",
            "did",
            "does",
            "y",
            "a",
            "de",
            "con",
            "que",
        )
    )
    answer = r"(?:got|gets?|had|has|put|wrote|says|said|chose|picked|came up with|saco|obtuvo|tiene|puso)"
    number = r"\W{0,3}-?[$€£]?\d[\d.,/]{0,9}%?"
    pairs = (
        (rf"\b(?:{any_of['greetings']})(?!\w)\s*[,!.:-]*\s*{title}{beside}$", None),
        (rf"\b(?:{any_of['praise']})(?!\w)\s*[,!.:-]*\s*{title}{beside}$", rf"^(?:{stop}|{said})"),
        (rf"\b(?:{any_of['openers']})\s*[,!.]+\s*{title}$", rf"^(?:\s*[.!?,]|\s*$|{said})"),
        (rf"\b(?:{any_of['openers']})\s+{title}$", rf"^{said}"),
        (rf"{start}{title}$", rf"^\s*[,!:]\s*(?:{any_of['addressed']})\b"),
        (rf"{start}{title}$", r"^\s*(?:can|could|would|will|do|did|are|have) (?:you|u)\b|^\s*(?:please|pls)\b"),
        (r",\s*$", rf"^\s*,\s*(?:{any_of['addressed']})\b"),
        (rf"\b(?:{any_of['addressing']})\b[^.!?\n]{{0,70}}(?:,|{joint})\s+$", r"^\s*[?!]|^\s*$"),
        (rf"\b(?:{any_of['addressing']})\b[^.!?\n]{{0,70}},\s*$", r"^\s*\."),
        (rf"\b(?:{any_of['called']})\s+{title}$", r"^(?!\s?'s\b)"),
        (rf"\b(?:{any_of['owners']})\s+(?:\w{{2,14}}\s+)?(?:{any_of['people']}|{kin})\s*,?\s*(?:is |called |named )?{title}$", None),
        (rf"\b(?:{any_of['reached']})\s+{title}$", r"^(?!\s*(?:has|had|have)\b)"),
        (None, rf"^\s*(?:{any_of['about']})\b"),
        (None, rf"^\s*{answer}\s+{number}\s*(?:too|also|as well|like me|instead|and i\b|but i\b|tambien|igual)"),
        (None, rf"^\s*{answer}\s+{number}\s+(?:on|in|for) (?:(?:the|her|his|my|our|that|this|last) )?(?:test|quiz|exam|homework|hw|worksheet|question|number|problem|#|one)"),
        (None, r"^['’]?s?\s*(?:number|phone|cell|email|e-mail|username|password|address|account|zoom|link|birthday)\b"),
        (None, r"^\s*(?:at|on)\s+[(+]?\d[\d().\s-]{6,}"),
        (None, r"^\s*from\s+(?:[\w'.]{1,20}\s+){1,4}(?:school|elementary|academy|college|high|middle|prep|class)\b"),
        (None, rf"^['’]s\s+(?:{kin}|teacher|class|tutor|chromebook|laptop|computer|mic|camera|screen)\b[^.!?\n]{{0,40}}\b(?:me|us|my|is here|called)\b"),
        # Whom a teacher puts together: "breakout room 3 with Ana and Tom".
        (r"\b(?:breakout|your (?:group|partner|table|room)|put (?:you|u)|pair(?:ed|ing)? (?:you|u)|partner(?:ed)? (?:you |u )?up|te pongo|tu grupo)\b[^.!?\n]{0,40}\b(?:with|is|are|and|con|es|y)\s+$", None),
        (rf"{start}$", r"^\s?:\s"),
        (r"(?:^|\n)\s*-+\s*$", r"^\s*$"),
    )  # fmt: skip
    return tuple(_pair(*pair) for pair in pairs)


def _problem(any_of: dict[str, str], kin: str) -> tuple[tuple[re.Pattern[str] | None, re.Pattern[str] | None], ...]:
    verb = rf"(?:{any_of['doers']}|[a-z]{{2,12}}(?:s|ed))"
    pairs = (
        (None, rf"^\s+(?:(?:also|then|only|already|still|now|currently|originally|actually|never|just|first|ya|solo)\s+)?{verb}\b"),
        (None, rf"^\s*(?:,|and|y|e)\s*(?:and\s+|y\s+)?\w{{2,20}}\s+(?:each\s+|both\s+)?(?:{verb}|have|are|were|had|share|[a-z]{{2,10}}(?:an|en|aron|ieron))\b"),
        (r"\b(?:did|does|do|will|would|can|could|has|had|is|was|have|should|must|how old is|tiene|compro|gasto)\s+$", None),
        (None, r"^['’]s?\s+[a-z]"),
        (rf"\b(?:his|her|their|its|sus?)\s+(?:\w{{2,12}}\s+)?(?:{any_of['people']}|{kin})\s*,?\s*$", None),
        (r"\b(?:than|as|that|if|since|so|because|when|while|for|to|by|of|with|from|and|gave|gives|each|therefore|means|suppose|imagine|let|que|si|para|de|y|entre|cuando)\s+$", None),
    )  # fmt: skip
    return tuple(_pair(*pair) for pair in pairs)


def _pair(before: str | None, after: str | None) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    return (re.compile(before) if before else None, re.compile(after) if after else None)


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))


def _plain(text: str) -> str:
    return fold(text).replace("’", "'")


def _clause(mention: Mention) -> tuple[str, str]:
    """What of the surroundings belongs to the mention's sentence."""
    before = _STOP.split(mention.before)[-1]
    return before, _STOP.split(mention.after)[0]
