"""`semilla sensitive train`: models of whole texts and the link model, cross-validated, tuned for a recall, stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from seed_engine.conversation import Boundary
from seed_engine.sensitive.document_models import document_model
from seed_engine.sensitive.judge import link_scores, save_judge
from seed_engine.sensitive.linking import train_link_model
from seed_engine.sensitive.measures import auc, f1, threshold_for
from seed_engine.sensitive.records import Label
from seed_engine.sensitive.stacking import cross_validate, folds_of, union


class LabelledText(Boundary):
    """A text to train on.

    Attributes:
        text: the text.
        label: what it is.
        category: the category's id, or None.
        group: template, source or author; texts of one group are never on both sides of a fold.
    """

    text: str
    label: Label
    category: str | None = None
    group: str


class ModelFigures(Boundary):
    """Out-of-fold figures of one model, `scpi` against the rest."""

    model: str
    f1: float = Field(ge=0, le=1)
    auc: float = Field(ge=0, le=1)
    threshold: float
    hard_negative_fpr: float = Field(ge=0, le=1)


class TrainingReport(Boundary):
    """What a training found.

    Attributes:
        texts: how many, by label.
        recall: that thresholds were tuned for.
        models: figures of each model, the link model as `link`, all together as `union`.
    """

    texts: dict[str, int]
    recall: float
    models: tuple[ModelFigures, ...]


def train_judge(
    texts: Sequence[LabelledText],
    folder: Path,
    *,
    kinds: Sequence[str] = (),
    recall: float = 0.85,
    name: str = "trained",
) -> TrainingReport:
    """Train, cross-validate and store a judge that `load_judge` reads.

    Args:
        texts: of labels `scpi` and others; related texts teach what is no SCPI.
        folder: the judge is written here.
        kinds: of `DOCUMENT_MODELS`, joined to the link model by union.
        recall: that each threshold keeps on texts of unseen groups, in (0, 1].
        name: of the judge, for provenance.

    Raises:
        TrainingDataError: too few texts, or of one label only.
        UnknownNameError: no such kind.
    """
    import numpy as np

    plain, truth = [item.text for item in texts], np.array([item.label == "scpi" for item in texts])
    related = np.array([item.label == "related" for item in texts])
    groups = [item.group for item in texts]
    scores, thresholds = {}, {}
    for kind in kinds:
        validated = cross_validate(kind, plain, list(truth), groups, recall)
        scores[kind], thresholds[kind] = validated.scores, validated.threshold
        model = document_model(kind)
        model.fit(plain, list(truth))
        model.save(folder / kind)
    scores["link"] = np.zeros(len(plain))
    for fold in folds_of(groups, 5):
        seen = np.flatnonzero(~fold)
        part = train_link_model([plain[k] for k in seen], list(truth[seen]))
        scores["link"][fold] = link_scores(part, [plain[k] for k in np.flatnonzero(fold)])
    thresholds["link"] = threshold_for(scores["link"], truth, recall)
    save_judge(
        folder,
        train_link_model(plain, list(truth)),
        thresholds["link"],
        name,
        {kind: thresholds[kind] for kind in kinds},
    )
    rows = [(kind, values, values >= thresholds[kind]) for kind, values in scores.items()]
    if kinds:
        rows.append(("union", np.maximum.reduce(list(scores.values())), union(scores, thresholds)))
    figures = [
        ModelFigures(
            model=kind,
            f1=round(f1(flagged, truth), 4),
            auc=round(auc(values, truth), 4),
            threshold=round(thresholds.get(kind, 0.0), 6),
            hard_negative_fpr=round(float(flagged[related].mean()), 4) if related.any() else 0.0,
        )
        for kind, values, flagged in rows
    ]
    counts = {label: sum(item.label == label for item in texts) for label in ("scpi", "related", "none")}
    return TrainingReport(texts=counts, recall=recall, models=tuple(figures))
