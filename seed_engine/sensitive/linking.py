"""The link model: is a fact said of this person? Five views of a pair and one of its text, added up.

A text's score is that of its likeliest pair. Training knows labels of texts, not of pairs, so that it runs in
rounds: each keeps of a positive text the pair that the round before liked best (multiple-instance learning,
MI-SVM of Andrews et al. 2003), and of a related text all pairs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.cues import Cue, find_cues
from seed_engine.sensitive.errors import SensitiveModelError, TrainingDataError
from seed_engine.sensitive.link_features import Pair, pairs_of
from seed_engine.sensitive.meaning import Stretch, nearest_stretch, word_table
from seed_engine.sensitive.persons import Mention, candidates
from seed_engine.sensitive.tokens import spaced_words

Floats = NDArray[np.float64]
T = TypeVar("T")

VERSION = "2"
_VIEWS = ("grams", "words", "whole", "meaning", "plain")
_ROUNDS = 2
_FEATURES = 2**15
_GRAMS, _WORDS, _WHOLE = (1, 4), (1, 3), (1, 2)
_DENSE_C, _HASHED_C, _WHOLE_C = 0.3, 8.0, 10.0
# Half: on development frames a whole text adds nothing, on other voices it tells a notice from a note.
_WHOLE_WEIGHT = 0.5
_MEANING_C = 3.0
# Nearly every text without a cue tells nothing of anybody: with this, one in a hundred of such development texts
# reaches 0.5.
_PLAIN_PRIOR = -2.5
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
        words: weights of the hashed word n-grams, the last one the constant.
        whole: weights of the word n-grams of the text around, whoever stands in it, the last one the constant.
        meaning: weights of the word vectors around the cue, the last one the constant.
        plain: the same for a stretch without a cue, whose text may be of no category.
        trees: a LightGBM booster on the numbers.
    """

    def __init__(
        self, dense: Floats, grams: Floats, words: Floats, whole: Floats, meaning: Floats, plain: Floats, trees: Any
    ) -> None:
        self._dense, self._grams, self._words, self._whole = dense, grams, words, whole
        self._meaning, self._plain, self._trees = meaning, plain, trees

    def score(self, pairs: Sequence[Pair]) -> Floats:
        """How likely each pair is a fact of its person: log-odds of the pair and, at half weight, of the text."""
        if not pairs:
            return np.zeros(0)
        numbers = np.array([pair.numbers for pair in pairs])
        odds = numbers @ self._dense[:-1] + self._dense[-1]
        grams, words = _hashed(pairs)
        odds += grams @ self._grams[:-1] + self._grams[-1]
        odds += words @ self._words[:-1] + self._words[-1]
        odds += self._trees.predict(numbers, raw_score=True, num_threads=1)
        odds = odds / 4 + _WHOLE_WEIGHT * self._of_each([pair.around for pair in pairs], _hashed_whole, self._whole)
        odds += self._of_each([pair.near for pair in pairs], word_table().meanings, self._meaning)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def score_plain(self, stretches: Sequence[Stretch]) -> Floats:
        """How likely each stretch without a cue tells a fact of somebody, by the meaning of its words alone."""
        if not stretches:
            return np.zeros(0)
        odds = word_table().meanings(stretches) @ self._plain[:-1] + self._plain[-1] + _PLAIN_PRIOR
        return np.asarray(1 / (1 + np.exp(-odds)))

    def _of_each(self, texts: Sequence[T], read: Callable[[list[T]], Any], weights: Floats) -> Floats:
        """Log-odds of texts that many pairs share, each read once."""
        each = list(dict.fromkeys(texts))
        odds = read(each) @ weights[:-1] + weights[-1]
        place = {text: k for k, text in enumerate(each)}
        return np.asarray(odds[[place[text] for text in texts]])

    def save(self, folder: Path) -> None:
        """Write `link.npz`, `link_trees.txt` and `link.json` with their digests; nothing is pickled."""
        folder.mkdir(parents=True, exist_ok=True)
        views: dict[str, Any] = {name: getattr(self, f"_{name}").astype(np.float32) for name in _VIEWS}
        np.savez_compressed(folder / "link.npz", dense=self._dense, **views)
        (folder / "link_trees.txt").write_text(self._trees.model_to_string(), "utf-8")
        digests = {name: file_digest(folder / name) for name in ("link.npz", "link_trees.txt")}
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
        grams, words, whole, meaning, plain = (arrays[name].astype(np.float64) for name in _VIEWS)
        return cls(arrays["dense"], grams, words, whole, meaning, plain, trees)


def read_pairs(text: str, cues: Sequence[Cue] | None = None) -> list[Pair]:
    """Pairs of a text; none without a cue, and people are looked for only then."""
    found = find_cues(text) if cues is None else cues
    if not found:
        return []
    # The tagger costs most, and nobody further off is linked.
    start, end = max(0, found[0].start - _CONTEXT), min(len(text), found[-1].end + _CONTEXT)
    people = candidates(text[start:end])
    moved = [Mention(p.start + start, p.end + start, p.kind) for p in people]
    return pairs_of(text, found, moved, text[start:end])


def train_link_model(texts: Sequence[str], positive: Sequence[bool]) -> LinkModel:
    """Train on texts; those without a cue teach only what such a text may be.

    Args:
        texts: of all labels.
        positive: whether a text is `scpi`.

    Raises:
        TrainingDataError: no cue, or one label only.
    """
    pairs, owners, bare = [], [], {}
    for number, text in enumerate(texts):
        of_text = read_pairs(text)
        pairs += of_text
        owners += [number] * len(of_text)
        if not of_text:
            bare[nearest_stretch(text).cut(text)] = positive[number]
    owner = np.array(owners, dtype=int)
    truth = np.array(positive, dtype=bool)[owner] if pairs else np.zeros(0, dtype=bool)
    if truth.all() or not truth.any():
        raise TrainingDataError("texts with cues of both labels are needed to learn the link of fact and person")
    numbers = np.array([pair.numbers for pair in pairs])
    grams, words = _hashed(pairs)
    near = {pair.near: bool(label) for pair, label in zip(pairs, truth, strict=True)}
    shared = (_fit_whole(pairs, truth), _fit_meaning(near), _fit_meaning(near | bare))
    kept = np.ones(len(pairs), dtype=bool)
    for _ in range(_ROUNDS + 1):
        model = _fit(numbers[kept], grams[kept], words[kept], truth[kept], shared)
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
        faults = [name for name, digest in card["sha256"].items() if file_digest(folder / name) != digest]
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        card, faults = {}, [card_name]
    if faults:
        raise SensitiveModelError(f"{folder}: {', '.join(faults)} missing or altered")
    if card.get("version") != VERSION:
        raise SensitiveModelError(f"{folder}: {card_name} is of another version than this program reads ({VERSION})")
    return card


def _fit(
    numbers: Floats, grams: Any, words: Any, truth: NDArray[np.bool_], shared: tuple[Floats, Floats, Floats]
) -> LinkModel:
    import lightgbm
    from sklearn.linear_model import LogisticRegression

    dense, gram_part, word_part = (
        LogisticRegression(C=strength, max_iter=600).fit(view, truth)
        for view, strength in ((numbers, _DENSE_C), (grams, _HASHED_C), (words, _HASHED_C))
    )
    trees = lightgbm.train(_TREES, lightgbm.Dataset(numbers, truth.astype(int)), _TREE_ROUNDS)
    return LinkModel(_weights(dense), _weights(gram_part), _weights(word_part), *shared, trees)


def _weights(part: Any) -> Floats:
    return np.append(part.coef_[0], part.intercept_)


def _fit_whole(pairs: Sequence[Pair], truth: NDArray[np.bool_]) -> Floats:
    from sklearn.linear_model import LogisticRegression

    labels = {pair.around: label for pair, label in zip(pairs, truth, strict=True)}
    part = LogisticRegression(C=_WHOLE_C, max_iter=600).fit(_hashed_whole(list(labels)), list(labels.values()))
    return _weights(part)


def _fit_meaning(stretches: dict[Stretch, bool]) -> Floats:
    from sklearn.linear_model import LogisticRegression

    read = word_table().meanings(list(stretches))
    return _weights(LogisticRegression(C=_MEANING_C, max_iter=600).fit(read, list(stretches.values())))


def _hashed_whole(texts: Sequence[str]) -> Any:
    return _hashers()[2].transform(spaced_words(texts))


def _hashed(pairs: Sequence[Pair]) -> tuple[Any, Any]:
    """The masked words around each pair as n-grams of characters and of words."""
    grams, words, _ = _hashers()
    masked = [pair.words for pair in pairs]
    return grams.transform(masked), words.transform(spaced_words(masked))


@cache
def _hashers() -> tuple[Any, Any, Any]:
    from sklearn.feature_extraction.text import HashingVectorizer

    shared: dict[str, Any] = {"n_features": _FEATURES, "alternate_sign": False, "lowercase": False}
    return (
        HashingVectorizer(analyzer="char", ngram_range=_GRAMS, **shared),
        HashingVectorizer(token_pattern=r"\S+", ngram_range=_WORDS, **shared),
        HashingVectorizer(token_pattern=r"\S+", ngram_range=_WHOLE, **(shared | {"n_features": 2**17})),
    )


def file_digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
