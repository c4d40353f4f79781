"""Pairs of a person and a cue as numbers: who stands where, and what the words between and around say.

Names and cues themselves are masked: the model sees that a person and a cue are there and of what kind, never which.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from seed_engine.sensitive.categories import japanese_categories
from seed_engine.sensitive.cues import Cue
from seed_engine.sensitive.link_patterns import (
    AROUND,
    EXPERIENCE,
    EXPERT,
    PARTICLES,
    SENTENCE,
    SUSPECT,
    TAIL,
)
from seed_engine.sensitive.persons import Mention

_SENTENCE_END = re.compile(r"[。！？!?\n]+[」』）)]*")
_KINDS = ("name", "title", "kin", "role", "pronoun", "author")
_CATEGORIES = tuple(item.id for item in japanese_categories())
# A fact is rarely told further than this from its person.
_REACH = 2
_MOST_CUES = 12
_MOST_PEOPLE = 4
_TAIL = 48
_BEFORE, _BEHIND = 120, 100
_GENERIC_HEAD = re.compile(
    r"[^。、]{0,3}(?:人々|人たち|方々|患者|者|人|児童|若者|女性|男性)(?:は|が|の|を|に|も|へ|と|たち|、)"
)
_VERB_END = re.compile(r"[れっしちりきみえけてたいう]$")


@dataclass(frozen=True, slots=True)
class Pair:
    """A cue and a person whom it may be said of.

    Attributes:
        cue: the cue.
        person: the person, or None for the writer, whom Japanese need not name.
        numbers: features, as `FEATURES` names them.
        words: masked text around both, for n-grams.
        around: the text that was read for people, the same for all pairs of a text.
        near: the sentence before the cue's, empty where there is none, and the cue's.
    """

    cue: Cue
    person: Mention | None
    numbers: tuple[float, ...]
    words: str
    around: str
    near: tuple[str, str]


def pairs_of(text: str, cues: Sequence[Cue], people: Sequence[Mention], around: str) -> list[Pair]:
    """Every cue with the people in reach, nearest first, and with the writer where nobody else is named."""
    scene = _Scene(text, cues, people)
    found: list[Pair] = []
    for cue in cues[:_MOST_CUES]:
        about, near_cue = scene.about(cue), scene.near(cue)
        near = sorted(scene.in_reach(cue), key=lambda person: _distance(person, cue))[:_MOST_PEOPLE]
        # The writer is meant where the sentence has named nobody yet; else he would take every fact to himself.
        writer = [] if scene.named_before(cue) else [None]
        for rank, person in enumerate([*near, *writer]):
            numbers = (*about, *scene.link(cue, person, rank, len(near)))
            found.append(Pair(cue, person, numbers, scene.masked(cue, person), around, near_cue))
    return found


class _Scene:
    """A text cut into sentences, with its cues and people in place."""

    def __init__(self, text: str, cues: Sequence[Cue], people: Sequence[Mention]) -> None:
        self.text, self.cues = text, cues
        # 被告 and 容疑者 are cues too; a person that holds a cue is still a person.
        self.people = people
        ends = [match.end() for match in _SENTENCE_END.finditer(text)]
        self.starts = [0, *(end for end in ends if end < len(text))]
        self.cached: dict[int, tuple[float, ...]] = {}

    def sentence(self, place: int) -> int:
        return bisect_right(self.starts, place) - 1

    def stretch(self, first: int, last: int) -> str:
        begin = self.starts[max(0, first)]
        end = self.starts[last + 1] if last + 1 < len(self.starts) else len(self.text)
        return self.text[begin : min(end, begin + 400)]

    def near(self, cue: Cue) -> tuple[str, str]:
        at = self.sentence(cue.start)
        own = max(self.starts[at], cue.start - _BEFORE)
        before = max(self.starts[max(0, at - 1)], cue.start - _BEFORE)
        end = self.starts[at + 1] if at + 1 < len(self.starts) else len(self.text)
        return self.text[before:own], self.text[own : min(end, cue.end + _BEHIND)]

    def named_before(self, cue: Cue) -> bool:
        begin = self.starts[self.sentence(cue.start)]
        return any(begin <= p.start and p.end <= cue.start and p.kind != "pronoun" for p in self.people)

    def in_reach(self, cue: Cue) -> list[Mention]:
        at = self.sentence(cue.start)
        return [p for p in self.people if abs(self.sentence(p.start) - at) <= _REACH]

    def about(self, cue: Cue) -> tuple[float, ...]:
        """What the cue's own surroundings say, whoever the person is."""
        at = self.sentence(cue.start)
        if at not in self.cached:
            sentence, around = self.stretch(at, at), self.stretch(at - 1, min(at + 1, len(self.starts) - 1))
            own = [float(bool(pattern.search(sentence))) for pattern in SENTENCE.values()]
            near = [float(bool(pattern.search(around))) for pattern in AROUND.values()]
            self.cached[at] = (*own, *near, min(len(sentence), 120) / 120, min(at, 5) / 5)
        tail = self.tail(cue)
        after = [float(bool(pattern.search(tail))) for pattern in TAIL.values()]
        quoted = self.quoted(cue.start)
        own_cues = sum(1 for other in self.cues if self.sentence(other.start) == at)
        verbal = _VERB_END.search(self.text[cue.start : cue.end]) is not None
        return (
            *self.cached[at],
            *after,
            float(quoted),
            float(verbal),
            min(own_cues, 4) / 4,
            min(len(self.cues), 8) / 8,
            float(_GENERIC_HEAD.match(tail) is not None),
            *(float(cue.category == name) for name in _CATEGORIES),
        )

    def tail(self, cue: Cue) -> str:
        at = self.sentence(cue.start)
        end = self.starts[at + 1] if at + 1 < len(self.starts) else len(self.text)
        return self.text[cue.end : min(end, cue.end + _TAIL)]

    def quoted(self, place: int) -> bool:
        begin = self.starts[self.sentence(place)]
        before = self.text[max(begin, place - 80) : place]
        return before.count("「") + before.count("『") > before.count("」") + before.count("』")

    def link(self, cue: Cue, person: Mention | None, rank: int, near: int) -> tuple[float, ...]:
        at = self.sentence(cue.start)
        here = sum(1 for p in self.people if self.sentence(p.start) == at)
        if person is None:
            sentence = self.stretch(at, at)
            experience = float(bool(EXPERIENCE.search(sentence[-24:])))
            zeros = [0.0] * (len(PARTICLES) + 20)
            return (
                *self._kind("author"),
                *zeros,
                min(near, 4) / 4,
                min(here, 4) / 4,
                experience,
                float(not self.people),
            )
        start, end = person.start, person.end
        gap = self.sentence(start) - at
        same, before = gap == 0, end <= cue.start
        between = self.text[end : cue.start] if before else self.text[cue.end : start]
        after = self.text[end : end + 3]
        wide = self.text[max(0, start - 8) : min(len(self.text), end + 5)]
        between_people = sum(
            1 for p in self.people if p is not person and min(end, cue.end) <= p.start < max(start, cue.start)
        )
        topic = (
            after[:1] in "はがも"
            or re.match(r"[（(][^）)]{1,12}[）)](?:は|が|も|＝)", self.text[end : end + 16]) is not None
        )
        only_before = before and not any(p.start >= end and p.end <= cue.start for p in self.people)
        numbers = (
            float(same),
            float(gap == -1),
            float(gap == -2),
            float(gap > 0),
            float(before),
            min(abs(_distance(person, cue)), 100) / 100,
            float(_distance(person, cue) <= 6),
            min(between_people, 3) / 3,
            float(topic),
            float(topic and same and before),
            float(topic and gap < 0 and here == 0),
            float(only_before),
            float(EXPERT.search(wide) is not None),
            float(SUSPECT.search(self.text[max(0, start - 4) : end + 8]) is not None),
            float(self.quoted(start) != self.quoted(cue.start)) if same else 0.0,
            float("。" not in between and between.count("、") <= 1),
            float(bool(SENTENCE["fiction"].search(self.stretch(at + gap, at + gap)))),
            float(before and between in ("の", "は", "も", "が", "、", "（", "　")),
            float(not before and 0 < len(between) <= 9 and same),
            float(not before and between.endswith(("の", "た", "る", "中の", "である"))),
        )
        particles = [float(after.startswith(sign)) for sign in PARTICLES]
        return (*self._kind(person.kind), *particles, *numbers, min(near, 4) / 4, min(here, 4) / 4, rank / 4, 0.0)

    def _kind(self, kind: str) -> list[float]:
        return [float(kind == name) for name in _KINDS]

    def masked(self, cue: Cue, person: Mention | None) -> str:
        """The cue's sentence from the person on, people as P (this one) and Q, cues as C (this one) and D."""
        at = self.sentence(cue.start)
        begin = self.starts[at]
        if person is not None and begin - 60 <= person.start < cue.start:
            begin = max(person.start - 6, 0)
        begin = max(begin, cue.start - 60)
        end = min(cue.end + _TAIL, self.starts[at + 1] if at + 1 < len(self.starts) else len(self.text))
        if person is not None and person.start >= cue.end:
            end = min(max(end, person.end + 4), cue.end + _TAIL)
        marks = [
            (p.start, p.end, "P" if p is person else "Q") for p in self.people if begin <= p.start and p.end <= end
        ]
        marks += [(c.start, c.end, "C" if c is cue else "D") for c in self.cues if begin <= c.start and c.end <= end]
        pieces, done = [], begin
        for first, last, sign in sorted(marks, key=lambda mark: (mark[0], mark[2] != "C")):
            if first < done:
                continue
            pieces += [self.text[done:first], sign]
            done = last
        return "".join([*pieces, self.text[done:end]])


def _distance(person: Mention, cue: Cue) -> int:
    return cue.start - person.end if person.end <= cue.start else max(0, person.start - cue.end) + 8
