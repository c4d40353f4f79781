"""Score found spans against gold spans: how much is found, how much is left in place, how much is covered in vain.

The measures and views are those of the project's published scorer. They ask whether a value is covered, not under
which type: a city found as an organisation is covered all the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

View = Literal["core", "all", "strict"]

NOT_CORE = frozenset({"ORGANIZATION", "NRP", "QUANTITY", "OCCUPATION", "OTHER"})
# A set that marks only these marks no numbers, so a found number is no mistake.
NAMES = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "USERNAME"})
# Kinds of named things that are no numbers, dates, handles or links; a set of these alone is a set of names.
_NAMED = NAMES | NOT_CORE - {"QUANTITY"}


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """What stands in a text, half-open; `ignore` marks a span that counts neither way."""

    start: int
    end: int
    entity_type: str
    ignore: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its texts (turns), and for each the gold spans and the found `(start, end, entity_type)`."""

    texts: Sequence[str]
    gold: Sequence[Sequence[GoldSpan]]
    found: Sequence[Sequence[tuple[int, int, str]]]


@dataclass(frozen=True, slots=True)
class TypeScore:
    """Counts of one gold type: spans, those hit, letters and digits, those covered."""

    gold: int
    hit: int
    characters: int
    covered: int

    @property
    def recall(self) -> float:
        """Share of the type's spans that are found, in [0, 1]."""
        return _share(self.hit, self.gold)

    @property
    def leaked(self) -> float:
        """Share of the type's letters and digits left in place, in [0, 1]; lower is better."""
        return 1 - _share(self.covered, self.characters)


@dataclass(frozen=True, slots=True)
class PiiScore:
    """Counts of one set or, summed by `pool`, of several; the shares are derived.

    Attributes:
        docs: documents.
        gold: gold spans of the view.
        hit: gold spans that some find overlaps; `exact` those with the same bounds.
        true: finds that overlap gold; `false` finds that are mistakes.
        true_marked: `true` less the finds of a type that a set of names alone does not mark; `false_marked` likewise.
        characters: letters and digits of gold; `covered` those that a find covers.
        outside: letters and digits outside gold; `over_covered` those that a find covers.
        words: words of all texts.
        with_gold: documents with gold; `clean` those of them in which nothing is left in place.
        by_type: the same of each gold type, the most frequent first.
    """

    docs: int
    gold: int
    hit: int
    exact: int
    true: int
    false: int
    true_marked: int
    false_marked: int
    characters: int
    covered: int
    outside: int
    over_covered: int
    words: int
    with_gold: int
    clean: int
    by_type: dict[str, TypeScore] = field(default_factory=dict)

    @property
    def recall(self) -> float:
        """Share of gold spans that are found, in [0, 1]; NaN without gold."""
        return _share(self.hit, self.gold)

    @property
    def exact_recall(self) -> float:
        """Share of gold spans that are found with the very bounds, in [0, 1]; NaN without gold."""
        return _share(self.exact, self.gold)

    @property
    def precision(self) -> float:
        """Share of finds that are right, in [0, 1]; NaN without finds."""
        return _share(self.true, self.true + self.false)

    @property
    def precision_marked(self) -> float:
        """Precision over the types a set marks: in sets of names alone, found numbers, dates and links are left out."""
        return _share(self.true_marked, self.true_marked + self.false_marked)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in [0, 1]; NaN where one of them is."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def leaked(self) -> float:
        """Share of gold letters and digits left in place, in [0, 1]; lower is better."""
        return 1 - _share(self.covered, self.characters)

    @property
    def zero_leak(self) -> float:
        """Share of documents with gold in which nothing is left in place, in [0, 1]; NaN without gold."""
        return _share(self.clean, self.with_gold)

    @property
    def over(self) -> float:
        """Share of letters and digits outside gold that a find covers, in [0, 1]; lower is better."""
        return _share(self.over_covered, self.outside)

    @property
    def false_per_1000_words(self) -> float:
        """Mistaken finds per 1,000 words, >= 0; lower is better."""
        return _share(1000 * self.false, self.words)


def score(documents: Iterable[Document], view: View = "core") -> PiiScore:
    """Score a set.

    Args:
        documents: all documents of one set; which types it annotates is taken from them.
        view: `core` counts personal identifiers and takes other annotated spans as neither right nor wrong; `all`
            counts every annotated type; `strict` also takes every find that touches no gold as a mistake.
    """
    kept = list(documents)
    annotated = {span.entity_type for document in kept for spans in document.gold for span in spans}
    judge = _Judge(view, annotated)
    total: Counter[str] = Counter()
    types: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document in kept:
        before = total["covered"], total["characters"], total["gold"]
        for text, gold, found in zip(document.texts, document.gold, document.found, strict=True):
            _score_text(text, gold, found, judge, total, types)
        had_gold = total["gold"] > before[2]
        total["docs"] += 1
        total["with_gold"] += had_gold
        total["clean"] += had_gold and total["covered"] - before[0] == total["characters"] - before[1]
    return _scored(total, types)


def pool(scores: Iterable[PiiScore]) -> PiiScore:
    """Sum the counts of several sets, so that every span weighs the same (micro average)."""
    total: Counter[str] = Counter()
    types: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for item in scores:
        total.update({name: getattr(item, name) for name in _COUNTS})
        for kind, row in item.by_type.items():
            types[kind].update({name: getattr(row, name) for name in _TYPE_COUNTS})
    return _scored(total, types)


_COUNTS = tuple(item.name for item in fields(PiiScore) if item.name != "by_type")
_TYPE_COUNTS = tuple(item.name for item in fields(TypeScore))


def _scored(total: Counter[str], types: Mapping[str, Counter[str]]) -> PiiScore:
    rows = sorted(types.items(), key=lambda item: -item[1]["gold"])
    by_type = {kind: TypeScore(**{name: row[name] for name in _TYPE_COUNTS}) for kind, row in rows}
    return PiiScore(**{name: total[name] for name in _COUNTS}, by_type=by_type)


@dataclass(frozen=True, slots=True)
class _Judge:
    view: View
    annotated: set[str]

    def is_gold(self, span: GoldSpan) -> bool:
        return not span.ignore and not (self.view == "core" and span.entity_type in NOT_CORE)

    def is_mistake(self, kind: str, touches_care: bool) -> bool:
        """Whether a find that touches no gold counts against precision."""
        if self.view == "strict":
            return True
        unmarked = kind in NOT_CORE or (kind not in self.annotated and self.annotated <= NAMES)
        return not touches_care and not (self.view == "core" and unmarked)

    def is_marked(self, kind: str) -> bool:
        """Whether the set would mark such a find; a set that marks more than names is taken to mark everything."""
        return kind in self.annotated or not self.annotated <= _NAMED


def _score_text(
    text: str,
    spans: Sequence[GoldSpan],
    found: Sequence[tuple[int, int, str]],
    judge: _Judge,
    total: Counter[str],
    types: defaultdict[str, Counter[str]],
) -> None:
    gold = [span for span in spans if judge.is_gold(span)]
    care = [] if judge.view == "strict" else [span for span in spans if not judge.is_gold(span)]
    in_gold = _mask(text, ((span.start, span.end) for span in gold))
    in_care = _mask(text, ((span.start, span.end) for span in care))
    in_found = _mask(text, ((start, end) for start, end, _ in found))
    bounds = {(start, end) for start, end, _ in found}
    for span in gold:
        letters = [i for i in range(span.start, span.end) if text[i].isalnum()] or range(span.start, span.end)
        row = types[span.entity_type]
        hit = any(start < span.end and span.start < end for start, end, _ in found)
        for counter in (total, row):
            counter.update(gold=1, hit=int(hit), exact=int((span.start, span.end) in bounds))
            counter.update(characters=len(letters), covered=sum(in_found[i] for i in letters))
    for start, end, kind in set(found):
        if any(in_gold[start:end]):
            total.update(true=1, true_marked=int(judge.is_marked(kind)))
        elif judge.is_mistake(kind, any(in_care[start:end])):
            total.update(false=1, false_marked=int(judge.is_marked(kind)))
    for i, character in enumerate(text):
        if character.isalnum() and not in_gold[i] and not in_care[i]:
            total.update(outside=1, over_covered=in_found[i])
    total["words"] += len(text.split())


def _mask(text: str, spans: Iterable[tuple[int, int]]) -> bytearray:
    mask = bytearray(len(text))
    for start, end in spans:
        mask[start:end] = b"\1" * len(mask[start:end])
    return mask


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
