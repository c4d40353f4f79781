"""The door to judges: cue words, the link model and, without a cue, the meaning of words; loaded from a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.cues import Cue, find_cues
from seed_engine.sensitive.errors import SensitiveModelError
from seed_engine.sensitive.link_features import Pair
from seed_engine.sensitive.link_patterns import SENTENCE
from seed_engine.sensitive.linking import LinkModel, best_of, read_pairs
from seed_engine.sensitive.meaning import nearest_stretch
from seed_engine.sensitive.persons import Mention
from seed_engine.sensitive.records import Judge, Judgement

# A score this near the threshold is marked as borderline.
_BORDER = 0.1
# How far from the cue a word of death makes the person deceased.
_NEAR = 60
# One cue word may be a chance hit; each further one leaves a fifth of the doubt.
_DOUBT = 0.2
# A megabyte without sentence ends is judged in stretches, so that memory stays constant.
_LONGEST = 20_000
_SEAM = re.compile(r"[\n。！？]")
_NONE = Judgement("none", 0.0, 0.0, None, "prefilter")


class DocumentScorer(Protocol):
    """A model of whole texts, as `seed_engine.sensitive.document_models` has them."""

    def score(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Of each text, in [0, 1], higher = more likely SCPI."""
        ...


class CascadeJudge:
    """Cue words first; with them the link of each to the people around, else what the likeliest stretch means.

    Args:
        link: the link model.
        threshold: a text whose best pair scores at least this is `scpi`.
        name: for provenance.
        documents: models of whole texts with the score from which each flags a text; a text that any of them flags is
            `scpi` too (union, for recall).
    """

    def __init__(
        self,
        link: LinkModel,
        threshold: float,
        name: str,
        documents: Sequence[tuple[DocumentScorer, float]] = (),
    ) -> None:
        self._link, self.threshold, self._name, self._documents = link, threshold, name, documents

    @property
    def name(self) -> str:
        """Name and version."""
        return self._name

    def judge(self, texts: Sequence[str]) -> list[Judgement]:
        """One judgement a text, in order; a text of many pages is judged by its worst stretch."""
        short = [text for text in texts if len(text) <= _LONGEST]
        judged = iter(self._judge(short))
        return [next(judged) if len(text) <= _LONGEST else self._long(text) for text in texts]

    def _long(self, text: str) -> Judgement:
        worst = _NONE
        for start, piece in _pieces(text):
            judged = _moved(self._judge([piece])[0], start)
            worst = max(worst, judged, key=lambda item: (item.score, item.topic))
        return worst

    def _judge(self, texts: Sequence[str]) -> list[Judgement]:
        cues = [find_cues(text) for text in texts]
        pairs = [read_pairs(text, found) if found else [] for text, found in zip(texts, cues, strict=True)]
        scores = self._link.score([pair for of_text in pairs for pair in of_text])
        judged, done = [], 0
        for text, found, of_text in zip(texts, cues, pairs, strict=True):
            own = scores[done : done + len(of_text)]
            done += len(of_text)
            judged.append(self._of(text, found, of_text, own) if of_text else _NONE)
        return self._joined(texts, self._without_cue(texts, judged))

    def _without_cue(self, texts: Sequence[str], judged: list[Judgement]) -> list[Judgement]:
        """Texts that no cue word marks: only a high score makes one `scpi`, and no category is told."""
        bare = [k for k, item in enumerate(judged) if item is _NONE and texts[k]]
        places = [nearest_stretch(texts[k]) for k in bare]
        scores = self._link.score_plain([place.cut(texts[k]) for k, place in zip(bare, places, strict=True)])
        for k, place, score in zip(bare, places, scores.tolist(), strict=True):
            kept = round(score, 4)
            if score >= self.threshold:
                judged[k] = Judgement("scpi", kept, kept, None, "meaning", evidence=(place.start, place.end))
            else:
                judged[k] = replace(_NONE, score=kept)
        return judged

    def _of(self, text: str, cues: Sequence[Cue], pairs: Sequence[Pair], scores: NDArray[np.float64]) -> Judgement:
        best = int(scores.argmax())
        pair, score = pairs[best], float(scores[best])
        start, end = pair.cue.start, pair.cue.end
        person = pair.person or self._named(pairs, scores, pair.cue)
        distinct = len({text[cue.start : cue.end] for cue in cues})
        flags = []
        if abs(score - self.threshold) < _BORDER:
            flags.append("borderline")
        if SENTENCE["deceased"].search(text, max(0, start - _NEAR), end + _NEAR):
            flags.append("deceased")
        return Judgement(
            label="scpi" if score >= self.threshold else "related",
            score=round(score, 4),
            topic=round(1 - _DOUBT**distinct, 4),
            category=pair.cue.category,
            stage="link",
            evidence=(start, end),
            person=(person.start, person.end) if person else None,
            flags=tuple(flags),
        )

    def _named(self, pairs: Sequence[Pair], scores: NDArray[np.float64], cue: Cue) -> Mention | None:
        """Where the writer scored best: somebody in the text of whom the same cue is likely said."""
        likely = [
            (score, pair.person)
            for pair, score in zip(pairs, scores, strict=True)
            if pair.cue is cue and pair.person and score >= self.threshold
        ]
        return max(likely, key=lambda item: item[0])[1] if likely else None

    def _joined(self, texts: Sequence[str], judged: list[Judgement]) -> list[Judgement]:
        """The documents' models joined in: what one of them flags is flagged."""
        for model, threshold in self._documents:
            for k, score in enumerate(model.score(texts)):
                old = judged[k]
                if score >= threshold and old.label != "scpi":
                    topic = max(old.topic, round(float(score), 4))
                    # Above the threshold by as much as above the model's own, so that what is flagged stays ranked.
                    above = (score - threshold) / (1 - threshold) if threshold < 1 else 0.0
                    raised = round(max(old.score, self.threshold + (1 - self.threshold) * above), 4)
                    judged[k] = replace(old, label="scpi", score=raised, topic=topic, stage="document")
        return judged


def load_judge(path: Path | None = None) -> Judge:
    """Load a judge.

    Args:
        path: folder of a trained model; None for the starter model that ships.

    Raises:
        SensitiveModelError: a file is missing, altered or of another version.
    """
    folder = path or starter_folder()
    try:
        card = json.loads((folder / "judge.json").read_text("utf-8"))
        threshold, name, models = float(card["threshold"]), str(card["name"]), dict(card.get("documents", {}))
    except (OSError, ValueError, KeyError, TypeError):
        card = None
    if card is None:
        raise SensitiveModelError(f"{folder}: judge.json missing or broken")
    documents = []
    if models:
        from seed_engine.sensitive.document_models import load_document_model

        documents = [(load_document_model(folder / kind), float(limit)) for kind, limit in models.items()]
    return CascadeJudge(LinkModel.load(folder), threshold, name, documents)


def save_judge(
    folder: Path, link: LinkModel, threshold: float, name: str, documents: dict[str, float] | None = None
) -> None:
    """Write a judge that `load_judge` reads; models of whole texts are saved beside it, each in a folder of its kind.

    Args:
        folder: is made where it is missing.
        link: the link model.
        threshold: of the link's score.
        name: with a version, for provenance.
        documents: kind of each model of whole texts, and its threshold.
    """
    link.save(folder)
    card = {"name": name, "threshold": round(threshold, 6), "documents": documents or {}}
    (folder / "judge.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")


def starter_folder() -> Path:
    """Where the starter model stands."""
    return Path(str(files("seed_engine.sensitive") / "data" / "starter"))


def link_scores(link: LinkModel, texts: Sequence[str]) -> NDArray[np.float64]:
    """Score of each text by its likeliest pair, or without a cue by its likeliest stretch."""
    pairs = [read_pairs(text, find_cues(text)) for text in texts]
    owner = np.array([number for number, of_text in enumerate(pairs) for _ in of_text], dtype=int)
    scores = best_of(link.score([pair for of_text in pairs for pair in of_text]), owner, len(texts))
    bare = [number for number, of_text in enumerate(pairs) if not of_text]
    scores[bare] = link.score_plain([nearest_stretch(texts[k]).cut(texts[k]) for k in bare])
    return scores


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    while len(text) - start > _LONGEST:
        seams = [match.end() for match in _SEAM.finditer(text, start, start + _LONGEST)]
        end = seams[-1] if seams else start + _LONGEST
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _moved(judged: Judgement, by: int) -> Judgement:
    evidence = judged.evidence and (judged.evidence[0] + by, judged.evidence[1] + by)
    person = judged.person and (judged.person[0] + by, judged.person[1] + by)
    return replace(judged, evidence=evidence, person=person)
