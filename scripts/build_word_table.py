"""Builds the table of word vectors that the starter model reads, from an unpacked ja_ginza package.

    pip download --no-deps ja-ginza==5.3.0 && unzip ja_ginza-*.whl -d FOLDER
    python scripts/build_word_table.py FOLDER

Only its static vectors are taken: chiVe (Works Applications, Apache-2.0), learned from web text. They are turned to
their main axes, kept to 100 of 300 and to 8 bits each; words that unidic-lite does not know as one word are left out.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.cues import known_words
from seed_engine.sensitive.meaning import DIMENSIONS, TABLE, WordKind
from seed_engine.sensitive.pair_codes import CODES, pair_codes

_WORD = re.compile(r"[ぁ-んァ-ヺー一-鿿々A-Za-z]{1,12}")
_FUNCTION = frozenset({"助詞", "助動詞", "補助記号", "記号"})
# Every third row tells the main axes as well as all do.
_SAMPLED = 3
_STRANGERS = 12_000
# A pair of characters seen in few words says little.
_SHRINK = 5.0


def main() -> None:
    """Read, shrink, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    vocabulary = next(parser.parse_args().folder.rglob("vocab/key2row")).parent
    rows = np.load(vocabulary / "vectors").astype(np.float64)
    rows -= rows.mean(axis=0)
    rows = _unit(rows)
    axes = np.linalg.svd(rows[::_SAMPLED], full_matrices=False)[2][:DIMENSIONS]
    table = _unit(rows @ axes.T)
    words, index, kinds = _words(vocabulary)
    topic = _topic(table, words, index)
    np.savez_compressed(
        TABLE,
        rows=np.round(table / np.abs(table).max() * 127).astype(np.int8),
        words=np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        index=np.array(index, dtype=np.uint16),
        kinds=np.array(kinds, dtype=np.uint8),
        pairs=_pairs(words, topic[index], kinds),
    )
    print(f"{len(words)} words, {len(table)} vectors, {TABLE.stat().st_size / 1e6:.2f} MB")


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9))


def _words(vocabulary: Path) -> tuple[list[str], list[int], list[int]]:
    import fugashi
    import srsly
    import unidic_lite
    from spacy.strings import hash_string

    tagger: Any = fugashi.Tagger(f'-d "{unidic_lite.DICDIR}" -r "{unidic_lite.DICDIR}/dicrc"')
    places = srsly.msgpack_loads((vocabulary / "key2row").read_bytes())
    words, index, kinds = [], [], []
    for word in sorted(json.loads((vocabulary / "strings.json").read_text("utf-8"))):
        row = places.get(hash_string(word)) if _WORD.fullmatch(word) else None
        parts = tagger(word) if row is not None else ()
        if len(parts) != 1 or parts[0].is_unk:
            continue
        words.append(word)
        index.append(int(row))
        kinds.append(_kind(parts[0].feature))
    return words, index, kinds


def _kind(feature: Any) -> int:
    if feature.pos3 == "人名":
        return WordKind.NAME
    return WordKind.FUNCTION if feature.pos1 in _FUNCTION else WordKind.CONTENT


def _topic(table: NDArray[np.float64], words: list[str], index: list[int]) -> NDArray[np.float64]:
    """How much each vector looks like a cue word's: log-odds against vectors drawn at random."""
    from sklearn.linear_model import LogisticRegression

    cues = known_words()
    known = sorted({row for word, row in zip(words, index, strict=True) if word in cues})
    drawn = np.random.default_rng(0).permutation(len(table))[:_STRANGERS]
    strangers = np.setdiff1d(drawn, known)
    truth = [1] * len(known) + [0] * len(strangers)
    model = LogisticRegression(C=5, max_iter=300, class_weight="balanced")
    return np.asarray(model.fit(table[[*known, *strangers]], truth).decision_function(table))


def _pairs(words: list[str], topic: NDArray[np.float64], kinds: list[int]) -> NDArray[np.float16]:
    """What a pair of characters says of the topic: the mean over the words that hold it, drawn to zero where few do."""
    total, count = np.zeros(CODES), np.zeros(CODES)
    middle = topic.mean()
    for word, score, kind in zip(words, topic, kinds, strict=True):
        if kind == WordKind.CONTENT and len(word) > 1:
            codes = pair_codes(word)
            total[codes] += score - middle
            count[codes] += 1
    return (total / (count + _SHRINK)).astype(np.float16)


if __name__ == "__main__":
    main()
