"""The HybridPII experiment: systems side by side, the ablation grid, paired t-tests, beside the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from seed_engine.config import DetectorConfig, Engine
from seed_engine.fuse import fuse
from seed_engine.paper_documents import paper_documents
from seed_engine.scoring import Document, PiiScore, score
from seed_engine.spans import EntitySpan

Spans = tuple[EntitySpan, ...]

# HybridPII, its tables: recall and precision of the plain fusion, F1 after tuning.
PAPER: dict[str, dict[str, float]] = {
    "hybrid": {"recall": 0.8324, "precision": 0.4626, "f1_tuned": 0.6519},
    "presidio": {"recall": 0.6768, "f1": 0.6211},
    "regex": {"recall": 0.4618},
}
SYSTEMS: tuple[Engine, ...] = ("regex", "ner", "classifier", "presidio", "hybrid")
THRESHOLDS = tuple(round(0.1 * step, 1) for step in range(1, 10))
WEIGHTS = ((0.3, 0.7), (0.5, 0.5), (0.7, 0.3))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired t-test of two systems' F1 by document.

    Attributes:
        other: the system that the hybrid is compared with.
        difference: mean F1 of the hybrid less the other's, in [-1, 1].
        t: t statistic; `p` its two-sided p-value.
        cohens_d: difference over the standard deviation of the differences.
    """

    other: str
    difference: float
    t: float
    p: float
    cohens_d: float


@dataclass(frozen=True, slots=True)
class PaperTable:
    """The experiment's results.

    Attributes:
        systems: score of each system in the `all` view.
        grid: score of the paper's fusion (patterns and spaCy) by `(threshold, pattern weight, NER weight)`.
        comparisons: the hybrid against each other system.
    """

    systems: dict[str, PiiScore]
    grid: dict[tuple[float, float, float], PiiScore]
    comparisons: tuple[Comparison, ...]


def run_paper_bench(count: int = 100, measured: int = 30, seed: int = 7) -> PaperTable:
    """Run the experiment.

    Args:
        count: documents made; the last `measured` of them are measured, as in the paper.
        measured: 2 to `count`.
        seed: of the documents.
    """
    from seed_engine.detect import Detector

    made = paper_documents(count, seed)[-measured:]
    texts = [text for _, text, _ in made]
    found: dict[str, list[Spans]] = {
        engine: Detector(DetectorConfig(engine=engine)).detect_many(texts, "en") for engine in SYSTEMS
    }
    gold = [spans for _, _, spans in made]
    return PaperTable(
        systems={name: _score(texts, gold, spans) for name, spans in found.items()},
        grid={
            (threshold, *weights): _score(texts, gold, _fused(found, weights, threshold))
            for threshold in THRESHOLDS
            for weights in WEIGHTS
        },
        comparisons=tuple(_compare(name, texts, gold, found) for name in SYSTEMS if name != "hybrid"),
    )


def _fused(found: Mapping[str, Sequence[Spans]], weights: tuple[float, float], threshold: float) -> list[Spans]:
    trust = {"pattern": weights[0], "ner": weights[1]}
    pairs = zip(found["regex"], found["ner"], strict=True)
    return [fuse({"pattern": pattern, "ner": ner}, trust, threshold) for pattern, ner in pairs]


def _score(texts: Sequence[str], gold: Sequence[object], found: Sequence[Spans]) -> PiiScore:
    return score((_document(*parts) for parts in zip(texts, gold, found, strict=True)), "all")


def _document(text: str, gold: object, spans: Spans) -> Document:
    assert isinstance(gold, tuple)
    return Document([text], [gold], [[(span.start, span.end, span.entity_type) for span in spans]])


def _compare(
    name: str, texts: Sequence[str], gold: Sequence[object], found: Mapping[str, Sequence[Spans]]
) -> Comparison:
    from scipy.stats import ttest_rel

    def by_document(system: str) -> list[float]:
        return [
            _score([text], [spans], [hits]).f1 for text, spans, hits in zip(texts, gold, found[system], strict=True)
        ]

    ours, theirs = by_document("hybrid"), by_document(name)
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    spread = stdev(differences)
    mean = fmean(differences)
    if not spread:
        # Two systems that differ by the same amount everywhere: no variance to test against.
        return Comparison(name, mean, 0.0, 1.0, 0.0)
    test = ttest_rel(ours, theirs)
    return Comparison(name, mean, float(test.statistic), float(test.pvalue), mean / spread)
