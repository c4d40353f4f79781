"""Classifiers of whole texts, as the paper compares them: one class a shape, one line in `DOCUMENT_MODELS` each.

All are stored by skops or as LightGBM's own text, never pickled. SVC and network read the means of static word vectors
(`meaning`: those of ja_ginza, made small).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from seed_engine.errors import UnknownNameError
from seed_engine.sensitive.errors import SensitiveModelError, TrainingDataError
from seed_engine.sensitive.linking import VERSION, file_digest, verify
from seed_engine.sensitive.meaning import DIMENSIONS, word_table
from seed_engine.sensitive.tokens import spaced_words

Floats = NDArray[np.float64]

_SEED = 7
# Everything that a stored model may hold; skops refuses the rest.
_TRUSTED = ("sklearn.neural_network._stochastic_optimizers.AdamOptimizer",)
_BOOSTING: dict[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.1,
    "num_leaves": 31,
    "min_data_in_leaf": 10,
    "feature_fraction": 0.5,
    "lambda_l2": 1,
    "verbose": -1,
    "num_threads": 1,
    "seed": _SEED,
    "deterministic": True,
}
_BOOSTING_ROUNDS = 150


class DocumentModel(Protocol):
    """A classifier of whole texts."""

    def fit(self, texts: Sequence[str], positive: Sequence[bool]) -> None:
        """Learn from texts of both labels."""
        ...

    def score(self, texts: Sequence[str]) -> Floats:
        """Of each text, in [0, 1], higher = more likely positive."""
        ...

    def save(self, folder: Path) -> None:
        """Write the model into a folder."""
        ...


class Pipeline:
    """A scikit-learn pipeline with a margin, squashed into [0, 1].

    Args:
        kind: its name in `DOCUMENT_MODELS`.
        steps: makes the untrained pipeline.
        read: what of the texts goes into it.
    """

    def __init__(self, kind: str, steps: Callable[[], Any], read: Callable[[Sequence[str]], Any] = list) -> None:
        self._kind, self._read = kind, read
        self._steps = steps
        self._pipeline: Any = None

    def fit(self, texts: Sequence[str], positive: Sequence[bool]) -> None:
        """Learn.

        Raises:
            TrainingDataError: one label only.
        """
        check_labels(positive)
        self._pipeline = self._steps().fit(self._read(texts), np.array(positive, dtype=int))

    def score(self, texts: Sequence[str]) -> Floats:
        """Of each text, in [0, 1]."""
        if not texts:
            return np.zeros(0)
        read = self._read(texts)
        if hasattr(self._pipeline, "decision_function"):
            return np.asarray(1 / (1 + np.exp(-2 * self._pipeline.decision_function(read))))
        return np.asarray(self._pipeline.predict_proba(read)[:, 1])

    def save(self, folder: Path) -> None:
        """Write `model.skops` and its card."""
        import skops.io

        folder.mkdir(parents=True, exist_ok=True)
        skops.io.dump(self._pipeline, folder / "model.skops")
        write_card(folder, self._kind, "model.skops")

    def read_from(self, folder: Path) -> None:
        """Read what `save` wrote; only types known to be harmless are made."""
        import skops.io

        unknown = set(skops.io.get_untrusted_types(file=folder / "model.skops")) - set(_TRUSTED)
        if unknown:
            raise SensitiveModelError(f"{folder}: model.skops holds {len(unknown)} types that are not trusted")
        self._pipeline = skops.io.load(folder / "model.skops", trusted=list(_TRUSTED))


class Boosted:
    """LightGBM on TF-IDF of words: the paper's best light model."""

    def __init__(self) -> None:
        self._vectors: Any = None
        self._booster: Any = None

    def fit(self, texts: Sequence[str], positive: Sequence[bool]) -> None:
        """Learn.

        Raises:
            TrainingDataError: one label only.
        """
        import lightgbm

        check_labels(positive)
        self._vectors = tfidf()
        matrix = self._vectors.fit_transform(spaced_words(texts))
        data = lightgbm.Dataset(matrix.astype(np.float32), np.array(positive, dtype=int))
        self._booster = lightgbm.train(_BOOSTING, data, _BOOSTING_ROUNDS)

    def score(self, texts: Sequence[str]) -> Floats:
        """Of each text, in [0, 1]."""
        if not texts:
            return np.zeros(0)
        matrix = self._vectors.transform(spaced_words(texts)).astype(np.float32)
        return np.asarray(self._booster.predict(matrix, num_threads=1))

    def save(self, folder: Path) -> None:
        """Write `vectors.skops`, `trees.txt` and their card."""
        import skops.io

        folder.mkdir(parents=True, exist_ok=True)
        skops.io.dump(self._vectors, folder / "vectors.skops")
        (folder / "trees.txt").write_text(self._booster.model_to_string(), "utf-8")
        write_card(folder, "lightgbm", "vectors.skops", "trees.txt")

    def read_from(self, folder: Path) -> None:
        """Read what `save` wrote."""
        import lightgbm
        import skops.io

        self._vectors = skops.io.load(folder / "vectors.skops", trusted=[])
        self._booster = lightgbm.Booster(model_str=(folder / "trees.txt").read_text("utf-8"))


def tfidf() -> Any:
    """TF-IDF of words that stand apart by blanks."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(token_pattern=r"\S+", lowercase=False, ngram_range=(1, 2), min_df=2, sublinear_tf=True)


def _hashed_svm() -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    grams = HashingVectorizer(
        analyzer="char", ngram_range=(2, 3), n_features=2**18, alternate_sign=False, lowercase=False
    )
    return make_pipeline(grams, LinearSVC(C=1.0, random_state=_SEED))


def word_means(texts: Sequence[str]) -> Floats:
    """Float64[len(texts), 2 * DIMENSIONS]: unit means of the content words and of the function words."""
    return word_table().meanings([("", text) for text in texts])[:, : 2 * DIMENSIONS]


def _svc() -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC

    return make_pipeline(SVC(C=4.0, gamma="scale", random_state=_SEED))


def _network() -> Any:
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline

    return make_pipeline(MLPClassifier((32,), alpha=1e-3, learning_rate_init=0.01, max_iter=600, random_state=_SEED))


DOCUMENT_MODELS: dict[str, Callable[[], Any]] = {
    "lightgbm": Boosted,
    "hashed_svm": lambda: Pipeline("hashed_svm", _hashed_svm),
    "svc": lambda: Pipeline("svc", _svc, word_means),
    "network": lambda: Pipeline("network", _network, word_means),
}


def document_model(kind: str) -> Any:
    """An untrained model.

    Raises:
        UnknownNameError: no such kind.
    """
    if kind not in DOCUMENT_MODELS:
        raise UnknownNameError("classifier", DOCUMENT_MODELS)
    return DOCUMENT_MODELS[kind]()


def load_document_model(folder: Path) -> DocumentModel:
    """Read a model that was saved.

    Raises:
        SensitiveModelError: a file is missing, altered or of another version, or holds more than a model.
    """
    kind = str(verify(folder, "model.json").get("kind"))
    model = document_model(kind)
    model.read_from(folder)
    return model  # type: ignore[no-any-return]


def check_labels(positive: Sequence[bool]) -> None:
    """Both labels must be there.

    Raises:
        TrainingDataError: one is missing.
    """
    if len(set(positive)) < 2:
        raise TrainingDataError(f"{len(positive)} texts, all of one label: nothing can be learnt")


def write_card(folder: Path, kind: str, *names: str) -> None:
    """Write `model.json`: the kind, and the digest of every file."""
    card = {"version": VERSION, "kind": kind, "sha256": {name: file_digest(folder / name) for name in names}}
    (folder / "model.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
