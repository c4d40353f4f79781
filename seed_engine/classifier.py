"""The own token classifier: a small BERT in int8 ONNX that marks personal data word piece by word piece.

The tokenizer knows no case, so case is given beside the pieces in the place of BERT's segments. Digests are checked at
load; `detector_data/MODEL_CARD.md` names what it was trained on.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.errors import ModelError
from seed_engine.models import file_sha256
from seed_engine.spans import EntitySpan

Offsets = Sequence[tuple[int, int]]

# What one window holds without its two end marks; cost per piece grows with it, context shrinks without it.
LONGEST_WINDOW = 126
# A window ends at a line or sentence end when one stands in its last part.
_EARLIEST_CUT = 70
_CLS, _SEP = 101, 102
LOWER, TITLE, UPPER, DIGITS = 0, 1, 2, 3
# Tokenizing pieces of this many code points keeps memory constant on texts of megabytes.
_PIECE = 50_000
# A find starts where "not personal" is no longer sure; fusion decides with the probability.
_LEAST = 0.1
_ALNUM = re.compile(r"[^\W_]")


class Classifier:
    """Marks personal data in texts.

    Args:
        folder: where `detector.onnx`, `tokenizer.json` and `detector.json` stand.
        threads: threads of the graph, >= 1; processes scale better than threads.
    """

    def __init__(self, folder: Path | None = None, threads: int = 1) -> None:
        self._folder = folder or Path(str(files("seed_engine") / "detector_data"))
        self._threads = threads

    def find(self, texts: Sequence[str]) -> list[list[EntitySpan]]:
        """Spans of each text, `score` the mean probability that its pieces are personal, in (0, 1]."""
        found: list[list[EntitySpan]] = []
        for text in texts:
            found.append([])
            for at in range(0, len(text), _PIECE):
                found[-1] += self._read(text[at : at + _PIECE], at)
        return found

    @property
    def entity_types(self) -> frozenset[str]:
        """Every type that a find may have."""
        return frozenset(self._types)

    def _read(self, piece: str, at: int) -> Iterable[EntitySpan]:
        encoding = self._tokenizer.encode(piece, add_special_tokens=False)
        ids, offsets = encoding.ids, encoding.offsets
        cases = case_features(piece, offsets)
        for a, b in windows(piece, offsets):
            if not _ALNUM.search(piece, offsets[a][0], offsets[b - 1][1]):
                # A line of signs says nothing and would cost as much as a page.
                continue
            yield from self._spans(piece, self._run(ids[a:b], cases[a:b])[1:-1], offsets[a:b], at)

    def _run(self, ids: list[int], cases: list[int]) -> NDArray[np.float32]:
        # One window a run: the graph scales its int8 numbers by the largest of a batch, so that in company the same
        # window would get another score. Batches of eight were 12% faster.
        feed = np.array([[_CLS, *ids, _SEP], [1] * (len(ids) + 2), [0, *cases, 0]], dtype=np.int64)[:, None]
        inputs = dict(zip(("input_ids", "attention_mask", "token_type_ids"), feed, strict=True))
        scores: NDArray[np.float32] = self._session.run(None, inputs)[0][0]
        return scores

    def _spans(self, text: str, scores: NDArray[np.float32], offsets: Offsets, at: int) -> Iterable[EntitySpan]:
        personal = 1 - scores[:, 0]
        if personal.max(initial=0.0) < _LEAST:
            return
        best = scores[:, 1:].argmax(axis=1)
        run: list[int] = []
        for k in range(len(offsets)):
            joins = bool(run) and (offsets[k][0] == offsets[run[-1]][1] and text[offsets[k][0]].isalnum())
            inside = personal[k] >= 0.5 or (joins and personal[k] >= _LEAST) or personal[k] >= _LEAST
            same = bool(run) and self._types[best[k]] == self._types[best[run[-1]]]
            # A type that changes inside a word is one value all the same.
            if run and (not inside or not (joins or (same and not self._begins[best[k]]))):
                yield self._span(run, scores, personal, offsets, at)
                run = []
            if inside:
                run.append(k)
        if run:
            yield self._span(run, scores, personal, offsets, at)

    def _span(
        self, run: list[int], scores: NDArray[np.float32], personal: NDArray[np.float32], offsets: Offsets, at: int
    ) -> EntitySpan:
        mass = scores[run, 1:].sum(axis=0)
        totals: dict[str, float] = {}
        for kind, share in zip(self._types, mass, strict=True):
            totals[kind] = totals.get(kind, 0.0) + float(share)
        kind = max(totals, key=lambda name: totals[name])
        score = min(1.0, float(personal[run].mean()))
        return EntitySpan(at + offsets[run[0]][0], at + offsets[run[-1]][1], kind, score, "classifier")

    @cached_property
    def _labels(self) -> list[str]:
        card = json.loads((self._folder / "detector.json").read_text("utf-8"))
        for name, expected in card["sha256"].items():
            if file_sha256(self._folder / name) != expected:
                raise ModelError(f"detector_data/{name} is not the file that was trained (SHA-256 differs)")
        return list(card["labels"])

    @cached_property
    def _types(self) -> list[str]:
        return [label[2:] for label in self._labels[1:]]

    @cached_property
    def _begins(self) -> list[bool]:
        return [label.startswith("B-") for label in self._labels[1:]]

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        assert self._labels
        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self._threads, 1
        # Spinning between runs would count as work and steal the core from other stages.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        path = str(self._folder / "detector.onnx")
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def find_in_groups(classifier: Classifier, texts: Sequence[str], sizes: Sequence[int]) -> list[list[EntitySpan]]:
    """Find in texts that belong together, so that an answer is read after its question.

    Args:
        classifier: whose `find` is called, with the texts of a group joined by line ends.
        texts: all turns of all groups, in order.
        sizes: how many of them each group has.

    Returns:
        Spans of each text; one that reaches over a turn's end is cut there.
    """
    starts: list[list[int]] = []
    joined, done = [], 0
    for size in sizes:
        group = texts[done : done + size]
        starts.append(list(accumulate((len(text) + 1 for text in group), initial=0)))
        joined.append("\n".join(group))
        done += size
    found: list[list[EntitySpan]] = []
    for spans, begins in zip(classifier.find(joined), starts, strict=True):
        turns: list[list[EntitySpan]] = [[] for _ in begins[:-1]]
        for span in spans:
            for turn in range(bisect_right(begins, span.start) - 1, bisect_right(begins, span.end - 1)):
                start, end = max(span.start, begins[turn]), min(span.end, begins[turn + 1] - 1)
                if turn < len(turns) and start < end:
                    turns[turn].append(replace(span, start=start - begins[turn], end=end - begins[turn]))
        found += turns
    return found


def case_features(text: str, offsets: Offsets) -> list[int]:
    """Case of the word piece at each offset: `LOWER` (or no case), `TITLE`, `UPPER` or `DIGITS`."""
    return [_case(text[start:end]) for start, end in offsets]


def _case(piece: str) -> int:
    if piece.islower():
        return LOWER
    if piece.isupper():
        return TITLE if len(piece) == 1 else UPPER
    if piece[:1].isdigit():
        return DIGITS
    return TITLE if piece[:1].isupper() else LOWER


def windows(text: str, offsets: Offsets) -> Iterable[tuple[int, int]]:
    """Cut word pieces into half-open windows of at most `LONGEST_WINDOW`, at line or sentence ends where there are."""
    start = 0
    while len(offsets) - start > LONGEST_WINDOW:
        cut = _cut(text, offsets, start)
        yield start, cut
        start = cut
    if start < len(offsets):
        yield start, len(offsets)


def _cut(text: str, offsets: Offsets, start: int) -> int:
    last = start + LONGEST_WINDOW
    for sign in ("\n", ".!?", " "):
        for k in range(last, start + _EARLIEST_CUT, -1):
            before = text[offsets[k - 1][0] : offsets[k][0]]
            if any(c in before for c in sign) and (sign != ".!?" or before[-1:].isspace()):
                return k
    return last
