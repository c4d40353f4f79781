"""The HybridPII experiment: systems side by side, the ablation grids, paired t-tests, risk by domain.

All is measured in the `core` view: organisations, which Presidio's default does not look for, count neither way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean, stdev

from seed_engine.config import DetectorConfig, Engine
from seed_engine.conversation import Conversation, Turn
from seed_engine.fuse import fuse
from seed_engine.paper_documents import DOMAINS, paper_documents
from seed_engine.peers import presidio
from seed_engine.risk import assess
from seed_engine.scoring import Document, GoldSpan, PiiScore, score
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]
Cell = tuple[float, float, float]

# HybridPII, its tables: recall and precision of the plain fusion, F1 after tuning. What is not here it does not give.
PAPER: dict[str, dict[str, float]] = {
    "hybrid": {"recall": 0.8324, "precision": 0.4626, "f1_tuned": 0.6519},
    "presidio": {"recall": 0.6768, "f1": 0.6211},
    "regex": {"recall": 0.4618},
}
# One family alone, without our search of the whole text for what was found once.
_SINGLE: tuple[Engine, ...] = ("regex", "ner", "classifier")
# `fusion` is the paper's hybrid (patterns and spaCy), tuned on the documents that are not measured.
SYSTEMS = (*_SINGLE, "presidio", "fusion", "hybrid")
THRESHOLDS = tuple(round(0.1 * step, 1) for step in range(1, 10))
# Pattern, and spaCy or classifier.
WEIGHTS = ((0.3, 0.7), (0.5, 0.5), (0.7, 0.3))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired t-test of two systems' F1 by document.

    Attributes:
        other: the system that the hybrid is compared with.
        difference: mean F1 of the hybrid less the other's, in [-1, 1].
        t: t statistic; `p` its two-sided p-value.
        cohens_d: difference over the standard deviation of the differences. All three are NaN for a difference that is
            the same in every document.
    """

    other: str
    difference: float
    t: float
    p: float
    cohens_d: float


@dataclass(frozen=True, slots=True)
class DomainRisk:
    """Mean risk score of one domain's documents, 0 to 100: from the hybrid's finds, and from the gold spans."""

    domain: str
    documents: int
    found: float
    gold: float


@dataclass(frozen=True, slots=True)
class PaperTable:
    """The experiment's results.

    Attributes:
        systems: score of each system on the measured documents.
        grid: score there of the paper's fusion by `(threshold, pattern weight, NER weight)`.
        own_grid: the same with the classifier in the place of spaCy.
        tuned: the cell of `grid` with the best F1 on the documents that are not measured.
        comparisons: the hybrid against each other system.
        risks: by domain over all documents, in the paper's order of domains.
    """

    systems: dict[str, PiiScore]
    grid: dict[Cell, PiiScore]
    own_grid: dict[Cell, PiiScore]
    tuned: Cell
    comparisons: tuple[Comparison, ...]
    risks: tuple[DomainRisk, ...]


@dataclass(frozen=True, slots=True)
class _Made:
    domains: Sequence[str]
    texts: Sequence[str]
    gold: Sequence[Sequence[GoldSpan]]

    def score(self, found: Sequence[Spans], part: slice) -> PiiScore:
        rows = zip(self.texts[part], self.gold[part], found[part], strict=True)
        return score(Document([text], [gold], [[_triple(span) for span in spans]]) for text, gold, spans in rows)

    def f1(self, found: Sequence[Spans], at: int) -> float:
        """F1 of one document; 0 where nothing is found."""
        value = self.score(found, slice(at, at + 1)).f1
        return 0.0 if math.isnan(value) else value


def run_paper_bench(count: int = 100, measured: int = 30, seed: int = 7) -> PaperTable:
    """Run the experiment.

    Args:
        count: documents made; the last `measured` of them are measured, as in the paper, and the others tune.
        measured: 2 to `count` - 1.
        seed: of the documents.
    """
    made = _Made(*zip(*paper_documents(count, seed), strict=True))
    tuning, last = slice(0, count - measured), slice(count - measured, count)
    found = _found(made.texts)
    tuned = max(_cells(), key=lambda cell: _finite(made.score(_fused(found, "ner", cell), tuning).f1))
    found["fusion"] = _fused(found, "ner", tuned)
    return PaperTable(
        systems={name: made.score(found[name], last) for name in SYSTEMS},
        grid={cell: made.score(_fused(found, "ner", cell), last) for cell in _cells()},
        own_grid={cell: made.score(_fused(found, "classifier", cell), last) for cell in _cells()},
        tuned=tuned,
        comparisons=tuple(_compare(name, made, found, range(count)[last]) for name in SYSTEMS if name != "hybrid"),
        risks=tuple(_risk(domain, made, found["hybrid"]) for domain in DOMAINS),
    )


def _found(texts: Sequence[str]) -> dict[str, list[Spans]]:
    from seed_engine.detect import Detector

    documents = [
        Conversation(id=str(i), turns=(Turn(role="text", text=text),), language="en") for i, text in enumerate(texts)
    ]
    found: dict[str, list[Spans]] = {
        engine: Detector(DetectorConfig(engine=engine, propagate=False)).detect_many(texts, "en") for engine in _SINGLE
    }
    found["presidio"] = [turns[0] for turns in presidio()(documents)]
    found["hybrid"] = Detector(DetectorConfig()).detect_many(texts, "en")
    return found


def _cells() -> list[Cell]:
    return [(threshold, *weights) for threshold, weights in product(THRESHOLDS, WEIGHTS)]


def _fused(found: Mapping[str, Sequence[Spans]], second: str, cell: Cell) -> list[Spans]:
    trust = {"pattern": cell[1], second: cell[2]}
    pairs = zip(found["regex"], found[second], strict=True)
    return [fuse({"pattern": pattern, second: other}, trust, cell[0]) for pattern, other in pairs]


def _compare(name: str, made: _Made, found: Mapping[str, Sequence[Spans]], places: Sequence[int]) -> Comparison:
    from scipy.stats import ttest_rel

    ours, theirs = ([made.f1(found[system], at) for at in places] for system in ("hybrid", name))
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    spread = stdev(differences)
    mean = fmean(differences)
    if not spread:
        # Alike everywhere: no difference. Apart by the same amount everywhere: no variance to test against.
        t, p, d = (math.nan, math.nan, math.nan) if mean else (0.0, 1.0, 0.0)
        return Comparison(name, mean, t, p, d)
    test = ttest_rel(ours, theirs)
    return Comparison(name, mean, float(test.statistic), float(test.pvalue), mean / spread)


def _risk(domain: str, made: _Made, found: Sequence[Spans]) -> DomainRisk:
    places = [i for i, name in enumerate(made.domains) if name == domain]
    truth = [
        [EntitySpan(span.start, span.end, span.entity_type, 1.0, "gold") for span in made.gold[i] if not span.ignore]
        for i in places
    ]
    return DomainRisk(
        domain,
        len(places),
        fmean(assess(str(i), [made.texts[i]], [found[i]]).score for i in places),
        fmean(assess(str(i), [made.texts[i]], [spans]).score for i, spans in zip(places, truth, strict=True)),
    )


def _triple(span: EntitySpan) -> tuple[int, int, str]:
    return span.start, span.end, span.entity_type


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0
