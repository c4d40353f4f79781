"""Exchanges: what one side says and what the other can say to it, read from `exchanges/DOMAIN.LANGUAGE.txt`.

A question and its answer are written together, so that "did a tracking mail come?" is answered by "no, nothing has
come" and not by "yes, I think so". The form of a file, one line each:

    @ delivery agent            topic (or `*`) and the role (or `asks`, `serves`) that begins
    ? Did a tracking mail come? what begins: ? yes-no, w what-when-how, c check, a either-or question,
                                r request, o offer, s suggestion, i instruction, t something told
    + Yes, this morning.        what is said to it: + yes, - no, = something of its own,
    - No, nothing has come.     ! what takes leave, where the opening line offers more help

What every domain can say stands in `common.LANGUAGE.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from generator.errors import TemplateError

OPENERS = {
    "?": "propositionalQuestion",
    "w": "setQuestion",
    "c": "checkQuestion",
    "a": "choiceQuestion",
    "r": "request",
    "o": "offer",
    "s": "suggest",
    "i": "instruct",
    "t": "inform",
}
SIGNS = "+-=!"
LEAVES = "!"
# What an act can say to what was said before it; the first sign that the exchange has is taken first.
SAYS = {
    "answer": "=+-",
    "inform": "=+-",
    "confirm": "+",
    "disconfirm": "-",
    "agreement": "+",
    "disagreement": "-",
    "correction": "-",
    "acceptRequest": "+",
    "declineRequest": "-",
    "acceptSuggest": "+",
    "declineSuggest": "-",
    "acceptOffer": "+",
    "declineOffer": "-",
    "thanking": LEAVES,
    "initialGoodbye": LEAVES,
}
_LINE = re.compile(rf"([{''.join(OPENERS)}{SIGNS}]) (\S.*)")


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is said, and what can be said to it.

    Attributes:
        key: its file's name and its number in it.
        act: dialogue act of what begins it.
        topic: what it is about, or `*`.
        role: who begins it: a role, `asks` or `serves`.
        opener: the template that begins it.
        replies: templates by sign.
    """

    key: str
    act: str
    topic: str
    role: str
    opener: str
    replies: dict[str, tuple[str, ...]]


def read_exchanges(domain: str, language: str) -> tuple[Exchange, ...]:
    """The exchanges of a domain, or of every one (`common`); empty where there is no file, as for a user's domain.

    Raises:
        TemplateError: a line has another form.
    """
    name = f"{domain}.{language}.txt"
    file = files("generator") / "exchanges" / name
    return tuple(parse_exchanges(file.read_text("utf-8"), name)) if file.is_file() else ()


def parse_exchanges(text: str, name: str) -> Iterator[Exchange]:
    """Yield the exchanges of a file's text; `name` is told in faults."""
    place: tuple[str, str] | None = None
    opener: tuple[str, str] | None = None
    replies: dict[str, tuple[str, ...]] = {}
    number = 0
    for count, raw in enumerate([*text.splitlines(), "@ end end"], 1):
        line = raw.strip()
        if not line:
            continue
        match, header = _LINE.fullmatch(line), line.split() if line[0] == "@" else []
        if len(header) != 3 and (match is None or place is None or (match[1] in SIGNS and opener is None)):
            raise TemplateError(f"{name}: line {count} has no form of an exchange")
        if match is not None and match[1] in SIGNS:
            replies[match[1]] = (*replies.get(match[1], ()), match[2])
            continue
        if opener is not None and place is not None:
            number += 1
            yield Exchange(f"{name.split('.')[0]}{number}", OPENERS[opener[0]], *place, opener[1], replies)
        opener, replies = (match[1], match[2]) if match is not None else None, {}
        if header:
            place = header[1], header[2]
