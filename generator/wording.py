"""From a template to a sentence: choose alternatives, fill the places, mend the grammar at the seams."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence

from generator.catalogue import PLACE, Line
from seed_engine.markers import parse_marker

_MENTION = re.compile(r"<([^<>/]+)/([^<>/]*)>")
_ALTERNATIVES = re.compile(r"\(([^()|]*(?:\|[^()|]*)+)\)")
_START = re.compile(r"(^|[.!?…]\s+)([¿¡]?)([a-záéíóúñ])")
_KEEP_CAPITAL = re.compile(r"[¿¡]?(?:I\b|I'|\[)")


def word(
    line: Line,
    values: Mapping[str, str],
    markers: Iterable[str],
    language: str,
    rng: random.Random,
    said: Sequence[str] = (),
) -> str:
    """One sentence from a template.

    Args:
        line: the template.
        values: value of every lower-case place.
        markers: markers of the step; each upper-case place takes the first unused one of its kind.
        language: ISO 639-1; decides which seams are mended.
        rng: source of choice.
        said: the turns before; what the last two of them name is not named again where the template has a pronoun.

    Raises:
        KeyError: a place has no value or no marker; the caller checks `fits` first.
    """
    text = _ALTERNATIVES.sub(lambda match: rng.choice(match[1].split("|")), line.text)
    left = list(markers)

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if not name.isupper():
            return values[name]
        marker = next((item for item in left if kind_of(item) == name), None)
        if marker is None:
            raise KeyError(name)
        left.remove(marker)
        return marker

    text, recent = PLACE.sub(fill, text), " ".join(said[-2:]).casefold()
    return tidy(_MENTION.sub(lambda match: match[2] if _core(match[1]) in recent else match[1], text), language)


def _core(mention: str) -> str:
    """What is named, without its first word where there are more: `the parcel` was named by `my parcel`."""
    first, _, rest = mention.casefold().partition(" ")
    return rest or first


def kind_of(marker: str) -> str:
    """`[PATIENT_1]` is a PATIENT, `[PATIENT_1.spouse]` a RELATIVE."""
    return parse_marker(marker).role


def join(items: Sequence[str], language: str) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = items
    return f"{', '.join(first)} {'y' if language == 'es' else 'and'} {last}" if first else last


def tidy(text: str, language: str) -> str:
    """Mend spaces, capitals and, by language, contractions and articles."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,.;!?]|:(?!\)))", r"\1", text)
    text = re.sub(r"^[,;:]\s*", "", text)
    if language == "es":
        text = re.sub(r"\b([Dd])e el\b", r"\1el", text)
        text = re.sub(r"\b([Aa]) el\b", r"\1l", text)
    if language == "en":
        text = re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", text)
        text = re.sub(r"\b([Ii])n (?=\[LOCATION_\d+: (?:address|facility)\])", _at, text)
    return _START.sub(lambda match: match[1] + match[2] + match[3].upper(), text)


def _at(match: re.Match[str]) -> str:
    """One is in a city, and at an address."""
    return "At " if match[1] == "I" else "at "


def address(text: str, marker: str, rng: random.Random) -> str:
    """Let a sentence speak to somebody: `Sure, [CUSTOMER_1].` or `[CUSTOMER_1], could you ...`."""
    first = re.match(r"[^.!?]*[.!?]", text)
    if first and len(first[0].split()) <= 5 and "[" not in first[0] and rng.random() < 0.8:
        end = first.end() - 1
        return f"{text[:end]}, {marker}{text[end:]}"
    return f"{marker}, {_uncapitalised(text)}"


def after(opening: str, text: str) -> str:
    """A sentence after words that lead to it: `About the bill:` and `Why is it so high?`."""
    return f"{opening} {_uncapitalised(text)}"


def _uncapitalised(text: str) -> str:
    if _KEEP_CAPITAL.match(text) is not None:
        return text
    at = 1 if text[0] in "¿¡" else 0
    return text[:at] + text[at].lower() + text[at + 1 :]
