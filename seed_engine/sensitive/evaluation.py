"""Figures of judges and classifiers on labelled texts: category level, person level, by category, gain of linking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seed_engine.conversation import Boundary
from seed_engine.gold import GoldSet
from seed_engine.sensitive.measures import Interval, auc, bootstrap, f1, flagged_at
from seed_engine.sensitive.persons import candidates
from seed_engine.sensitive.records import Judge
from seed_engine.sensitive.writing import Written

Floats = NDArray[np.float64]


class CategoryFigures(Boundary):
    """One category's figures.

    Attributes:
        category: its id.
        scpi: SCPI texts.
        related: hard negatives.
        found: share of SCPI texts labelled `scpi`.
        flagged: share of related texts labelled `scpi`, lower is better.
        named: share of all texts with a cue whose category is named as written; categories overlap in law.
    """

    category: str
    scpi: int
    related: int
    found: float
    flagged: float
    named: float


class SetFigures(Boundary):
    """A judge's figures on one set.

    Attributes:
        texts: how many.
        topic_f1: `scpi` or `related` against `none`.
        auc: `scpi` against `related` by score.
        auc_low: lower end of its 95% bootstrap interval, templates drawn whole.
        auc_high: upper end.
        flagged_75: share of related texts flagged at recall .75.
        flagged_90: at recall .90.
        recall: of `scpi` at the judge's own threshold.
        flagged: share of related texts labelled `scpi` there.
        f1: of `scpi` against the rest there.
        categories: figures of each.
    """

    texts: int
    topic_f1: float
    auc: float
    auc_low: float
    auc_high: float
    flagged_75: float
    flagged_90: float
    recall: float
    flagged: float
    f1: float
    categories: tuple[CategoryFigures, ...]


class PeopleFigures(Boundary):
    """Person candidates on marked texts.

    Attributes:
        texts: texts with a marked person.
        recall: share of them in which any name was found.
        overlapping: share in which a name found overlaps a marked person.
        precision: share of texts with a name found that hold a marked person.
    """

    texts: int
    recall: float
    overlapping: float
    precision: float


def evaluate_people(marked: GoldSet) -> PeopleFigures:
    """Find names in marked texts; pronouns and kin are no names and count for nothing here."""
    held, found, overlapping, all_found = 0, 0, 0, 0
    for document, gold in zip(marked.documents, marked.gold, strict=True):
        for turn, spans in zip(document.turns, gold, strict=True):
            people = [span for span in spans if span.entity_type == "PERSON"]
            names = [item for item in candidates(turn.text) if item.kind in ("name", "title")]
            all_found += bool(names)
            held += bool(people)
            found += bool(people and names)
            overlapping += any(name.start < span.end and span.start < name.end for name in names for span in people)
    return PeopleFigures(
        texts=held,
        recall=round(found / held, 4) if held else float("nan"),
        overlapping=round(overlapping / held, 4) if held else float("nan"),
        precision=round(found / all_found, 4) if all_found else float("nan"),
    )


def evaluate_judge(judge: Judge, texts: Sequence[Written]) -> SetFigures:
    """Judge a set and compare with its labels."""
    judged = judge.judge([text.text for text in texts])
    truth = np.array([text.label for text in texts])
    scores = np.array([item.score for item in judged])
    said = np.array([item.label for item in judged])
    personal, related = truth == "scpi", truth == "related"
    interval = auc_interval(scores, texts)
    hard = personal | related
    names = sorted({text.category for text in texts if text.category})
    of = np.array([text.category or "" for text in texts])
    named = np.array([item.category or "" for item in judged])
    rows = []
    for name in names:
        good, bad = personal & (of == name), related & (of == name)
        cued = (of == name) & (named != "")
        rows.append(
            CategoryFigures(
                category=name,
                scpi=int(good.sum()),
                related=int(bad.sum()),
                found=_share(said[good] == "scpi"),
                flagged=_share(said[bad] == "scpi"),
                named=_share(named[cued] == name),
            )
        )
    return SetFigures(
        texts=len(texts),
        topic_f1=round(f1(said != "none", truth != "none"), 4),
        auc=round(interval.value, 4),
        auc_low=round(interval.low, 4),
        auc_high=round(interval.high, 4),
        flagged_75=round(flagged_at(scores[hard], personal[hard], 0.75), 4),
        flagged_90=round(flagged_at(scores[hard], personal[hard], 0.90), 4),
        recall=_share(said[personal] == "scpi"),
        flagged=_share(said[related] == "scpi"),
        f1=round(f1(said == "scpi", personal), 4),
        categories=tuple(rows),
    )


def auc_interval(scores: Floats, texts: Sequence[Written]) -> Interval:
    """AUC of `scpi` against `related` with its interval."""
    hard = [k for k, text in enumerate(texts) if text.label != "none"]
    truth, kept = np.array([texts[k].label == "scpi" for k in hard]), scores[hard]
    return bootstrap([texts[k].template for k in hard], lambda drawn: auc(kept[drawn], truth[drawn]))


def linking_gain(linked: Floats, whole: Floats, texts: Sequence[Written]) -> Interval:
    """AUC of `scpi` against `related` with linking less that without, on the same draws of templates."""
    hard = [k for k, text in enumerate(texts) if text.label != "none"]
    truth = np.array([texts[k].label == "scpi" for k in hard])
    first, second = linked[hard], whole[hard]
    return bootstrap(
        [texts[k].template for k in hard],
        lambda drawn: auc(first[drawn], truth[drawn]) - auc(second[drawn], truth[drawn]),
    )


def _share(flags: NDArray[np.bool_]) -> float:
    return round(float(flags.mean()), 4) if len(flags) else float("nan")
