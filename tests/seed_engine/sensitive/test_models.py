"""Document models and training: each learns, each comes back from disk as it was, none is taken on trust."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seed_engine.errors import UnknownNameError
from seed_engine.sensitive.document_models import DOCUMENT_MODELS, document_model, load_document_model
from seed_engine.sensitive.errors import SensitiveModelError, TrainingDataError
from seed_engine.sensitive.judge import load_judge
from seed_engine.sensitive.measures import auc
from seed_engine.sensitive.training import LabelledText, train_judge
from seed_engine.sensitive.writing import written_texts

WRITTEN = written_texts("train", 8)
TEXTS, TRUTH = [text.text for text in WRITTEN], [text.label != "none" for text in WRITTEN]


@pytest.mark.parametrize("kind", sorted(DOCUMENT_MODELS))
def test_a_model_learns_and_comes_back(kind: str, tmp_path: Path) -> None:
    model = document_model(kind)
    model.fit(TEXTS, TRUTH)
    scores = model.score(TEXTS)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert auc(scores, np.array(TRUTH)) > 0.8
    model.save(tmp_path)
    assert np.allclose(load_document_model(tmp_path).score(TEXTS), scores)
    assert len(model.score([])) == 0


def test_an_altered_model_is_refused(tmp_path: Path) -> None:
    model = document_model("hashed_svm")
    model.fit(TEXTS, TRUTH)
    model.save(tmp_path)
    with (tmp_path / "model.skops").open("ab") as file:
        file.write(b"x")
    with pytest.raises(SensitiveModelError):
        load_document_model(tmp_path)


def test_an_unknown_kind_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="lightgbm"):
        document_model("oracle")


def test_one_label_teaches_nothing() -> None:
    with pytest.raises(TrainingDataError):
        document_model("hashed_svm").fit(["a", "b"], [True, True])


def test_a_trained_judge_loads_with_its_models(tmp_path: Path) -> None:
    texts = [
        LabelledText(text=text.text, label=text.label, category=text.category, group=text.template) for text in WRITTEN
    ]
    report = train_judge(texts, tmp_path, kinds=("hashed_svm",), recall=0.8)
    assert {row.model for row in report.models} == {"hashed_svm", "link", "union"}
    judged = load_judge(tmp_path).judge(["小泉慎吾さんは肺がんと診断された。", "港には船が泊まっていた。"])
    assert judged[0].score > judged[1].score
    assert {file.suffix for file in tmp_path.rglob("*") if file.is_file()} <= {".json", ".npz", ".txt", ".skops"}
