"""Propagation: a value found once is found wherever the conversation says it again.

A name introduced once is searched in lower case, as a possessive, by first or last name alone, by its initials, as the
user name made of it, and misspelt by one letter when it is long; other values are searched word by word, whatever
stands between the words. Every word of the text is looked up in tables, so the cost is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from seed_engine.fold import fold
from seed_engine.ordinary import is_ordinary
from seed_engine.policy import is_absolute_date
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]
Form = tuple[str, ...]

_WORD = re.compile(r"[^\W_]+")
_TITLE_WORDS = """
mr mrs ms miss dr dra prof sir madam sr sra srta don dona de del la las los el van von der den da di le the of st jr
senor senora doctor doctora nurse
"""
_TITLES = frozenset(_TITLE_WORDS.split())
# Local parts that belong to an office, not to a person.
_OFFICES = frozenset({"info", "support", "contact", "admin", "sales", "help", "hello", "office", "billing", "service"})
# Shorter values stand in too many other words and numbers.
_SHORTEST_VALUE = 4
_SHORTEST_NAME = 3
_SHORTEST_MISSPELT = 7
_LONGEST_FORM = 12
_WIDEST = 120
_NEVER = frozenset({"AGE", "NRP", "ORGANIZATION"})
# What is found again is a little less sure than what was found first.
_AGAIN = 0.95


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    capital: bool


@dataclass(slots=True)
class _Values:
    forms: dict[Form, EntitySpan] = field(default_factory=dict)
    lengths: dict[str, list[int]] = field(default_factory=dict)
    misspelt: dict[str, EntitySpan] = field(default_factory=dict)

    def add(self, form: Form, span: EntitySpan) -> None:
        if form in self.forms:
            return
        self.forms[form] = span
        known = self.lengths.setdefault(form[0], [])
        if len(form) not in known:
            known.append(len(form))
            known.sort(reverse=True)


def propagate(texts: Sequence[str], found: Sequence[Spans]) -> tuple[Spans, ...]:
    """Add to each text the values that were found in any of them.

    Args:
        texts: the turns, role markers masked (`policy.mask_markers`).
        found: spans of each turn, sorted and without overlap.

    Returns:
        Spans of each turn, sorted and without overlap; the found ones are kept as they are.
    """
    if not any(found):
        return tuple(found)
    values = _values(texts, found)
    return tuple(_search([*_words(text)], spans, values) for text, spans in zip(texts, found, strict=True))


def _words(text: str) -> Iterable[_Word]:
    for match in _WORD.finditer(text):
        word = match[0]
        yield _Word(fold(word), match.start(), match.end(), word[0].isupper())


def _values(texts: Sequence[str], found: Sequence[Spans]) -> _Values:
    values = _Values()
    for text, spans in zip(texts, found, strict=True):
        for span in spans:
            value = text[span.start : span.end]
            for form in _forms(value, span):
                values.add(form, span)
            if span.entity_type == "PERSON":
                for word in _words(value):
                    if len(word.text) >= _SHORTEST_MISSPELT:
                        values.misspelt.update(dict.fromkeys(_one_less(word.text), span))
    return values


def _forms(value: str, span: EntitySpan) -> Iterable[Form]:
    kind = span.entity_type
    if kind in _NEVER or (kind.startswith("DATE") and not is_absolute_date(value)):
        return
    parts = tuple(word.text for word in _words(value))
    if not parts or len(parts) > _LONGEST_FORM:
        return
    if kind == "PERSON":
        yield from _name_forms(tuple(part for part in parts if part not in _TITLES))
        return
    if sum(map(len, parts)) >= _SHORTEST_VALUE and not (len(parts) == 1 and is_ordinary(parts[0])):
        yield parts
    if kind == "EMAIL_ADDRESS" and "@" in value:
        local = tuple(word.text for word in _words(value.split("@")[0]))
        if sum(map(len, local)) > _SHORTEST_VALUE and local[0] not in _OFFICES and not all(map(is_ordinary, local)):
            yield local


def _name_forms(parts: Form) -> Iterable[Form]:
    if not parts:
        return
    yield parts
    for part in parts:
        if len(part) >= _SHORTEST_NAME and not part.isdigit():
            yield (part,)
    if len(parts) > 1:
        yield tuple(part[0] for part in parts)
        yield (parts[0] + parts[-1],)
        if len(parts[-1]) >= _SHORTEST_NAME:
            yield (parts[0][0] + parts[-1],)


def _one_less(word: str) -> Iterable[str]:
    """A word and the words that lack one of its letters: two words one letter apart share one of these."""
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


def _search(line: list[_Word], spans: Spans, values: _Values) -> Spans:
    kept = list(spans)
    standing = iter(spans)
    current = next(standing, None)
    at = 0
    while at < len(line):
        word = line[at]
        while current is not None and current.end <= word.start:
            current = next(standing, None)
        if current is not None and current.start < word.end:
            at += 1
            continue
        length, span = _match(line, at, values, current.start if current is not None else None)
        if span is not None:
            again = replace(span, start=word.start, end=line[at + length - 1].end, score=span.score * _AGAIN)
            kept.append(again)
        at += length
    return tuple(sorted(kept))


def _match(line: list[_Word], at: int, values: _Values, limit: int | None) -> tuple[int, EntitySpan | None]:
    for length in values.lengths.get(line[at].text, ()):
        words = line[at : at + length]
        if len(words) < length or (limit is not None and words[-1].end > limit):
            continue
        span = values.forms.get(tuple(word.text for word in words))
        if span is not None and words[-1].end - words[0].start <= _WIDEST and _is_name(line, at, length, span):
            return length, span
    word = line[at].text
    if values.misspelt and len(word) >= _SHORTEST_MISSPELT - 1 and word.isalpha():
        span = next((values.misspelt[form] for form in _one_less(word) if form in values.misspelt), None)
        if span is not None and not is_ordinary(word):
            return 1, span
    return 1, None


def _is_name(line: list[_Word], at: int, length: int, span: EntitySpan) -> bool:
    """Whether words that a name consists of are meant as the name: "will" the verb is not Will."""
    if span.entity_type != "PERSON":
        return True
    words = line[at : at + length]
    if all(len(word.text) == 1 for word in words):
        return all(word.capital for word in words) and words[-1].end - words[0].start <= 3 * length
    if length == 1 and is_ordinary(words[0].text):
        return words[0].capital and at > 0 and words[0].start - line[at - 1].end <= 1
    return True
