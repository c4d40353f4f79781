"""What the trained writer reads, and when it is believed; training and measuring share both.

A conversation is a growing text: a heading, and for every turn a label line (speaker, dialogue act, the words and
markers that the turn is to hold) and its words. What is written stands only if it holds exactly the draft's markers,
does what the draft does as read by rule, keeps most of its words, and adds no number, no name, no "not" and nothing
that was said before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from generator.rewrite import similarity
from seed_engine.acts import dialogue_act
from seed_engine.fold import fold
from seed_engine.markers import iter_markers

# Characters of the conversation that are shown; the writer was trained on about so many.
SHOWN = 900
# Turns that are shown again when the shown part has grown too long and starts anew.
KEPT = 2
LEAST_WORDS = 0.6
MOST_ALIKE = 0.9
_CAPITAL = re.compile(r"(?<![.!?…¿¡:]\s)(?<!^)(?<![¿¡])\b[A-ZÁÉÍÓÚÑ][\wáéíóúñ']*")
_FIRST_PERSON = {"I", "I'm", "I'll", "I'd", "I've"}
_NEGATION = re.compile(r"\b(?:no|not|never|nothing|nobody|none|nunca|nada|nadie)\b|n['’]t\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_MARKER = re.compile(r"\[[A-Z_]+_\d+\]")
_TOKEN = re.compile(r"\[[A-Z_]+_\d+\]|[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Words that carry no matter of their own; a paraphrase is free to change them.
_ENGLISH = (
    "a about after again all also am an and any anything are as at be because been before being but by can could "
    "did do does doing don't for from get give go got had has have having he hello her here hi him his how i i'd "
    "i'll i'm i've if in into is isn't it it's its just know let let's like ll make may me might more much must my "
    "need no not now of ok okay on one only or our out please shall she should so some something sure than thank "
    "thanks that that's the their them then there there's these they this those to too up us very want was we "
    "we'll we're well were what what's when where which who why will with would yes yet you you'd you'll you're "
    "your didn't doesn't can't won't i'd that'll"
)
_SPANISH = (
    "a al algo ahora antes aquí así aún bien cada como cómo con cual cuál cuando cuándo cuánto de del desde donde "
    "dónde e el él ella ellos en entonces era es esa ese eso esta está estaba estado están estar este esto estoy "
    "fue gracias ha hace hacer han has hasta hay he hola la las le les lo los más me mi mí mis muy nada ni no nos "
    "o para pero poco por porque puede puedo pues que qué quien quiere quiero se sea ser será si sí sin sobre son "
    "soy su sus también te tengo ti tiene todo tu tú un una uno usted va vale vez voy y ya yo"
)
_FUNCTION_WORDS = {"en": frozenset(map(fold, _ENGLISH.split())), "es": frozenset(map(fold, _SPANISH.split()))}


def heading(domain: str, language: str) -> str:
    """The first line of a conversation."""
    return f"{domain} {language}\n"


def label_line(role: str, act: str, words: Sequence[str]) -> str:
    """The line before a turn; what the model writes after it, up to the line's end, is the turn."""
    return f"<{role}: {act}{'; ' if words else ''}{' '.join(words)}>\n"


def content_words(text: str, language: str) -> tuple[str, ...]:
    """The markers, and the words that carry a turn's matter, each once, in order.

    Examples:
        >>> content_words("My parcel [ORDER_1] still hasn't arrived.", "en")
        ('parcel', '[ORDER_1]', 'still', "hasn't", 'arrived')
    """
    function_words = _FUNCTION_WORDS.get(language, frozenset())
    found = (match[0] for match in _TOKEN.finditer(text.replace("’", "'")))
    kept = (word if word[0] == "[" else word.casefold() for word in found)
    return tuple(dict.fromkeys(w for w in kept if w[0] == "[" or (fold(w) not in function_words and len(w) > 1)))


class Writer:
    """The prompts of one conversation; what was read stays the beginning of what is read next."""

    def __init__(self, domain: str, language: str) -> None:
        self.texts: list[str] = []
        self._head, self._language = heading(domain, language), language
        self._turns: list[str] = []
        self._from = 0

    def prompt(self, role: str, act: str, draft: str) -> str:
        """What the writer continues by the turn."""
        if sum(map(len, self._turns[self._from :])) > SHOWN:
            self._from = max(0, len(self._turns) - KEPT)
        line = label_line(role, act, content_words(draft, self._language))
        return self._head + "".join(self._turns[self._from :]) + line

    def remember(self, role: str, act: str, draft: str, text: str) -> None:
        """Add a turn as it was said."""
        self.texts.append(text)
        self._turns.append(f"{label_line(role, act, content_words(draft, self._language))}{text}\n")


def objection(draft: str, reply: str, language: str, said: Sequence[str]) -> str | None:
    """Why a reply cannot stand in for its draft; None when it can."""
    bare, bare_draft = _MARKER.sub(" ", reply), _MARKER.sub(" ", draft)
    checks = (
        ("markers_changed", _markers(reply) != _markers(draft)),
        ("name_added", bool(set(_CAPITAL.findall(bare)) - set(_CAPITAL.findall(bare_draft)) - _FIRST_PERSON)),
        ("number_added", any(letter.isdigit() for letter in bare)),
        ("form_changed", reply[-1:] not in tuple(".!?") or not 0.5 <= len(reply) / len(draft) <= 1.8),
        ("act_changed", dialogue_act(reply, None) != dialogue_act(draft, None)),
        ("act_changed", reply.count("?") != draft.count("?")),
        ("negation_changed", len(_NEGATION.findall(reply)) != len(_NEGATION.findall(draft))),
        ("meaning_changed", kept(draft, reply, language) < LEAST_WORDS),
        ("unchanged", any(similarity(reply, other) > MOST_ALIKE for other in (draft, *said))),
        ("repeats", _repeats(reply)),
    )
    return next((name for name, fails in checks if fails), None)


def kept(draft: str, reply: str, language: str) -> float:
    """Share of a draft's content words that a reply holds, by their first five letters, [0, 1]."""
    words, held = (
        {fold(word)[:5] for word in content_words(text, language) if word[0] != "["} for text in (draft, reply)
    )
    return len(words & held) / len(words) if words else 1.0


def _markers(text: str) -> list[str]:
    return sorted(str(marker) for _, _, marker in iter_markers(text))


def _repeats(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    triples = [tuple(words[i : i + 3]) for i in range(len(words) - 2)]
    return len(set(triples)) < len(triples) or any(one == two for one, two in pairwise(words))
