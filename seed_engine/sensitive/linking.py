"""The link model: is a fact said of this person? Three views of a pair of person and cue, added up.

A text's score is that of its likeliest pair. Training knows labels of texts, not of pairs, so that it runs in rounds: each
keeps of a positive text the pair that the round before liked best (multiple-instance learning, MI-SVM of Andrews et al.
2003), and of a related text all pairs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.cues import Cue, find_cues
from seed_engine.sensitive.errors import SensitiveModelError, TrainingDataError
from seed_engine.sensitive.link_features import Pair, pairs_of
from seed_engine.sensitive.persons import Mention, candidates

Floats = NDArray[np.float64]

VERSION = "1"
_ROUNDS = 2
_FEATURES = 2**15
_GRAMS = (1, 4)
_CONTEXT = 160
_TREES: dict[str, Any] = {
    "objective": "binary",
    "learning_rate": 0.06,
    "num_leaves": 15,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "verbose": -1,
    "num_threads": 1,
    "seed": 7,
    "deterministic": True,
}
_TREE_ROUNDS = 200


class LinkModel:
    """Scores pairs; made by `train_link_model` or `LinkModel.load`.

    Args:
        dense: weights of the numbers, the last one the constant.
        grams: weights of the hashed character n-grams, the last one the constant.
        trees: a LightGBM booster on the numbers.
    """

    def __init__(self, dense: Floats, grams: Floats, trees: Any) -> None:
        self._dense, self._grams, self._trees = dense, grams, trees
        self._hasher = _hasher()

    def score(self, pairs: Sequence[Pair]) -> Floats:
        """How likely each pair is a fact of its person: the mean of three log-odds as a probability, in (0, 1)."""
        if not pairs:
            return np.zeros(0)
        numbers = np.array([pair.numbers for pair in pairs])
        odds = numbers @ self._dense[:-1] + self._dense[-1]
        odds += self._hasher.transform([pair.words for pair in pairs]) @ self._grams[:-1] + self._grams[-1]
        odds += self._trees.predict(numbers, raw_score=True, num_threads=1)
        return np.asarray(1 / (1 + np.exp(-odds / 3)))

    def save(self, folder: Path) -> None:
        """Write `link.npz`, `link_trees.txt` and `link.json` with their digests; nothing is pickled."""
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(folder / "link.npz", dense=self._dense, grams=self._grams.astype(np.float32))
        (folder / "link_trees.txt").write_text(self._trees.model_to_string(), "utf-8")
        digests = {name: _sha256(folder / name) for name in ("link.npz", "link_trees.txt")}
        card = {"version": VERSION, "numbers": len(self._dense) - 1, "sha256": digests}
        (folder / "link.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> LinkModel:
        """Read what `save` wrote.

        Raises:
            SensitiveModelError: a file is missing, altered or of another version.
        """
        import lightgbm

        verify(folder, "link.json")
        arrays = np.load(folder / "link.npz", allow_pickle=False)
        trees = lightgbm.Booster(model_str=(folder / "link_trees.txt").read_text("utf-8"))
        return cls(arrays["dense"], arrays["grams"].astype(np.float64), trees)


def read_pairs(text: str, cues: Sequence[Cue] | None = None) -> list[Pair]:
    """Pairs of a text; none without a cue, and people are looked for only then."""
    found = find_cues(text) if cues is None else cues
    if not found:
        return []
    # The tagger costs most, and nobody further off is linked.
    start, end = max(0, found[0].start - _CONTEXT), min(len(text), found[-1].end + _CONTEXT)
    people = candidates(text[start:end])
    return pairs_of(text, found, [Mention(p.start + start, p.end + start, p.kind) for p in people])


def train_link_model(texts: Sequence[str], positive: Sequence[bool]) -> LinkModel:
    """Train on texts that hold a cue; others are left out.

    Args:
        texts: of both labels.
        positive: whether a text is `scpi`.

    Raises:
        TrainingDataError: no cue, or one label only.
    """
    pairs, owners = [], []
    for number, text in enumerate(texts):
        of_text = read_pairs(text)
        pairs += of_text
        owners += [number] * len(of_text)
    owner = np.array(owners, dtype=int)
    truth = np.array(positive, dtype=bool)[owner] if pairs else np.zeros(0, dtype=bool)
    if truth.all() or not truth.any():
        raise TrainingDataError("texts with cues of both labels are needed to learn the link of fact and person")
    numbers = np.array([pair.numbers for pair in pairs])
    grams = _hasher().transform([pair.words for pair in pairs])
    kept = np.ones(len(pairs), dtype=bool)
    for _ in range(_ROUNDS + 1):
        model = _fit(numbers[kept], grams[kept], truth[kept])
        scores = model.score(pairs)
        kept = ~truth | (scores >= best_of(scores, owner, len(texts))[owner])
    return model


def best_of(scores: Floats, owner: NDArray[np.int_], texts: int) -> Floats:
    """The best pair's score of each text; 0 for a text without pairs."""
    best = np.zeros(texts)
    np.maximum.at(best, owner, scores)
    return best


def verify(folder: Path, card_name: str) -> dict[str, Any]:
    """Read a model's card and hold its files against their digests.

    Raises:
        SensitiveModelError: a file is missing, altered or of another version.
    """
    try:
        card: dict[str, Any] = json.loads((folder / card_name).read_text("utf-8"))
        faults = [name for name, digest in card["sha256"].items() if _sha256(folder / name) != digest]
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        card, faults = {}, [card_name]
    if faults:
        raise SensitiveModelError(f"{folder}: {', '.join(faults)} missing or altered")
    if card.get("version") != VERSION:
        raise SensitiveModelError(f"{folder}: {card_name} is of another version than this program reads ({VERSION})")
    return card


def _fit(numbers: Floats, grams: Any, truth: NDArray[np.bool_]) -> LinkModel:
    import lightgbm
    from sklearn.linear_model import LogisticRegression

    dense = LogisticRegression(C=0.3, max_iter=600).fit(numbers, truth)
    words = LogisticRegression(C=2.0, max_iter=400).fit(grams, truth)
    trees = lightgbm.train(_TREES, lightgbm.Dataset(numbers, truth.astype(int)), _TREE_ROUNDS)
    return LinkModel(*(np.append(part.coef_[0], part.intercept_) for part in (dense, words)), trees)


def _hasher() -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(
        analyzer="char", ngram_range=_GRAMS, n_features=_FEATURES, alternate_sign=False, lowercase=False
    )


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
