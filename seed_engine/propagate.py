"""Propagation: a value found once is found wherever the conversation says it again.

A name introduced once is searched in lower case, as a possessive, by first or last name alone and in the local part of
an e-mail address; other values are searched letter by letter and digit by digit, whatever stands between them.
The search goes word by word through a table of first words, so its cost is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from seed_engine.fold import fold
from seed_engine.ordinary import is_ordinary
from seed_engine.policy import is_absolute_date
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]
_WORD = re.compile(r"[^\W_]+")
_TITLE_WORDS = """
mr mrs ms miss dr dra prof sir madam sr sra srta don dona de del la las los el van von der den da di le the of st jr
senor senora doctor doctora nurse
"""
_TITLES = frozenset(_TITLE_WORDS.split())
# Shorter values stand in too many other words and numbers.
_SHORTEST_VALUE = 4
_SHORTEST_NAME = 3
_SHORTEST_MISSPELT = 7
_NEVER = frozenset({"AGE", "NRP", "ORGANIZATION"})
_LOOSE = 0.95


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    capital: bool


def propagate(texts: Sequence[str], found: Sequence[Spans]) -> tuple[Spans, ...]:
    """Add to each text the values that were found in any of them.

    Args:
        texts: the turns, role markers masked (`policy.mask_markers`).
        found: spans of each turn, sorted and without overlap.

    Returns:
        Spans of each turn, sorted and without overlap; the found ones are kept as they are.
    """
    words = [[*_words(text)] for text in texts]
    values = _values(texts, found)
    if not values:
        return tuple(found)
    return tuple(_search(line, spans, values) for line, spans in zip(words, found, strict=True))


Values = dict[str, list[tuple[tuple[str, ...], EntitySpan]]]


def _words(text: str) -> Iterable[_Word]:
    for match in _WORD.finditer(text):
        word = match[0]
        yield _Word(fold(word), match.start(), match.end(), word[0].isupper())


def _values(texts: Sequence[str], found: Sequence[Spans]) -> Values:
    values: Values = {}
    seen: set[tuple[str, ...]] = set()
    for text, spans in zip(texts, found, strict=True):
        for span in spans:
            for form in _forms(text[span.start : span.end], span):
                if form not in seen:
                    seen.add(form)
                    values.setdefault(form[0], []).append((form, span))
    for items in values.values():
        items.sort(key=lambda item: -len(item[0]))
    return values


def _forms(value: str, span: EntitySpan) -> Iterable[tuple[str, ...]]:
    if span.entity_type in _NEVER or (span.entity_type == "DATE_TIME" and not is_absolute_date(value)):
        return
    parts = tuple(word.text for word in _words(value))
    if not parts or len(parts) > 12:
        return
    if span.entity_type == "PERSON":
        named = tuple(part for part in parts if part not in _TITLES)
        if named:
            yield named
        for part in named:
            if len(part) >= _SHORTEST_NAME and not part.isdigit():
                yield (part,)
        return
    if sum(map(len, parts)) >= _SHORTEST_VALUE and not (len(parts) == 1 and is_ordinary(parts[0])):
        yield parts


def _search(line: list[_Word], spans: Spans, values: Values) -> Spans:
    kept = list(spans)
    taken = iter(sorted(spans))
    current = next(taken, None)
    at = 0
    while at < len(line):
        word = line[at]
        while current is not None and current.end <= word.start:
            current = next(taken, None)
        if current is not None and current.start < word.end:
            at += 1
            continue
        limit = current.start if current is not None else None
        length, span = _match(line, at, values, limit)
        if span is not None:
            kept.append(replace(span, start=word.start, end=line[at + length - 1].end, score=span.score * _LOOSE))
        at += length
    return tuple(sorted(kept))


def _match(line: list[_Word], at: int, values: Values, limit: int | None) -> tuple[int, EntitySpan | None]:
    for form, span in values.get(line[at].text, ()):
        last = at + len(form) - 1
        if last >= len(line) or (limit is not None and line[last].end > limit):
            continue
        if any(line[at + i].text != part for i, part in enumerate(form)) or line[last].end - line[at].start > 120:
            continue
        # "Will" the person is not "will" the verb: an ordinary word counts only as a name is written.
        if len(form) == 1 and span.entity_type == "PERSON" and is_ordinary(form[0]) and not _as_name(line, at):
            continue
        return len(form), span
    return 1, None


def _as_name(line: list[_Word], at: int) -> bool:
    return line[at].capital and at > 0 and line[at].start - line[at - 1].end <= 1
