"""Scorers: the list equals the folder, and each follows its formula."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

import attacks.scorers
import attacks.text_scorers.by_turn
from attacks.scorers import SCORERS
from attacks.scorers.evidence import Evidence
from attacks.text_scorers import TEXT_SCORERS
from attacks.text_scorers.word_pairs import pairs
from attacks.text_scorers.words import stems

OWN = [np.array([-1.0, -4.0, -2.0, -3.0, -5.0]), np.array([-2.0])]
BASE = [np.array([-2.0, -4.0, -4.0, -3.0, -7.0]), np.array([-1.0])]
STATISTICS = [np.column_stack([o, o - 3.0, np.full(len(o), 1.5), np.ones(len(o))]) for o in OWN]
EVIDENCE = Evidence(["one two three", "one"], OWN, BASE, STATISTICS, 0.4)


def modules(package: object) -> set[str]:
    return {p.stem for p in Path(package.__file__).parent.glob("*.py")}  # type: ignore[attr-defined]


def test_lists_equal_folders() -> None:
    assert modules(attacks.scorers) - {"__init__", "evidence"} == set(SCORERS)
    assert modules(attacks.text_scorers) - {"__init__", "words", "cosine", "by_turn"} == set(TEXT_SCORERS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("loss", [-3.0, -2.0]),
        ("reference", [1.0, -1.0]),
        ("zlib_ratio", [-15 / len(zlib.compress(b"one two three")), -2 / len(zlib.compress(b"one"))]),
        ("min_k", [-4.5, -2.0]),
        ("min_k_plus_plus", [2.0, 2.0]),
        ("rmia", [-3.0 - np.log(0.65 * np.exp(-4.0) + 0.35), -2.0 - np.log(0.65 * np.exp(-1.0) + 0.35)]),
    ],
)
def test_formulas(name: str, expected: list[float]) -> None:
    assert SCORERS[name](EVIDENCE) == pytest.approx(expected)


def test_without_statistics_only_min_k_plus_plus_is_missing() -> None:
    evidence = Evidence(EVIDENCE.texts, OWN, BASE, None, 0.4)
    assert [name for name, scorer in SCORERS.items() if scorer(evidence) is None] == ["min_k_plus_plus"]


def table(name: str, rows: list[str], columns: list[str]) -> np.ndarray:
    blocks = TEXT_SCORERS[name](rows, columns)
    assert blocks is not None
    return np.concatenate(list(blocks))


def test_a_passage_inside_longer_texts_is_seen_and_does_not_cross_two() -> None:
    said = [f"{word}{i}" for word in ("pear", "plum", "fig") for i in range(30)]
    passage = "the brass kettle stood under the old bridge"
    published = [" ".join([*said[:30], passage, *said[30:60]]), " ".join(said[60:]), passage[:24], passage[24:]]
    found = table("passages", [f"once {passage} and left", "the brass kettle is mine alone", ""], published)
    assert found[0, 0] > 0.1
    assert found[0, 1:].tolist() == [0.0, 0.0, 0.0]
    assert (found[1:] == 0.0).all()


@pytest.mark.parametrize("name", ["single_words", "word_pairs", "letters", "meaning", "every_turn"])
def test_likeness_grows_with_what_is_in_common(name: str) -> None:
    published = ["the old grey cat sat on a mat\nit purred", "nothing else of note", "völlig anders gesagt"]
    texts = [published[0], "a mat\nthe grey old cat sat on it", "entirely unrelated business", ""]
    found = table(name, texts, published)
    assert found.shape == (4, 3)
    assert found[0, 0] == pytest.approx(1.0, abs=1e-3)
    assert found[0, 0] > found[1, 0] > found[2, 0]
    assert found[1, 0] > found[1, 1]
    assert (np.abs(found[3]) < 1e-6).all()


def naive_cosines(rows: list[str], columns: list[str]) -> np.ndarray:
    sets = [[set(stems(text)) for text in side] for side in (rows, columns)]
    rarity = {
        word: np.log((1 + len(columns)) / (1 + sum(word in column for column in sets[1]))) + 1e-6
        for side in sets
        for text in side
        for word in text
    }

    def weight(shared: set[str]) -> float:
        return float(sum(rarity[word] for word in shared))

    return np.array([[weight(a & b) / np.sqrt(weight(a) * weight(b)) for b in sets[1]] for a in sets[0]])


def test_the_sparse_table_equals_the_slow_twin() -> None:
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(40)]
    sides = [[" ".join(rng.choice(words, 12)) for _ in range(n)] for n in (530, 7)]
    np.testing.assert_allclose(table("single_words", *sides), naive_cosines(*sides), atol=1e-9)


@pytest.mark.parametrize("name", ["meaning", "every_turn"])
def test_turns_are_not_compared_where_it_would_take_minutes(name: str) -> None:
    assert TEXT_SCORERS[name](["a"] * 3000, ["b"] * 3000) is None


def test_every_turn_equals_the_slow_twin_at_any_size_of_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    rows, columns = ([_talk(rng) for _ in range(n)] for n in (30, 11))
    slow = np.array([[_least_alike(row, column, columns) for column in columns] for row in rows])
    np.testing.assert_allclose(table("every_turn", rows, columns), slow, atol=1e-9)
    monkeypatch.setattr(attacks.text_scorers.by_turn, "_PRODUCTS", 1)
    np.testing.assert_allclose(table("every_turn", rows, columns), slow, atol=1e-9)


def test_a_shared_exercise_is_no_copy() -> None:
    """Whole turns about one exercise in common weigh less than a paraphrase of everything said."""
    exercise = "if 12 friends share 96 cookies how many does each get\n96 divided by 12 is 8"
    talk = f"{exercise}\nplease draw the groups on paper first\nmine has three rows of boxes"
    other = f"{exercise}\nwhich operation did your sister suggest\nshe said multiply twice"
    copy = (
        "12 friends share 96 cookies what does everyone get\n96 by 12 is 8\ndraw groups on paper\nthree rows of boxes"
    )
    by_turn, by_words = (table(name, [talk], [other, copy])[0] for name in ("every_turn", "word_pairs"))
    assert by_turn[1] - by_turn[0] > 2 * (by_words[1] - by_words[0])


def _talk(rng: np.random.Generator) -> str:
    words = [f"w{i}" for i in range(25)]
    return "\n".join(" ".join(rng.choice(words, rng.integers(0, 5))) for _ in range(rng.integers(1, 6)))


def _least_alike(row: str, column: str, columns: list[str]) -> float:
    turns = [set(pairs(turn)) for text in columns for turn in text.split("\n")]

    def weight(shared: set[tuple[str, ...]]) -> float:
        return sum(float(np.log((1 + len(turns)) / (1 + sum(f in turn for turn in turns)))) + 1e-6 for f in shared)

    def cosine(a: set[tuple[str, ...]], b: set[tuple[str, ...]]) -> float:
        return weight(a & b) / max(float(np.sqrt(weight(a) * weight(b))), 1e-12)

    own, other = ([set(pairs(turn)) for turn in text.split("\n")] for text in (row, column))
    nearest = sorted(max(cosine(turn, said) for said in other) for turn in own)
    return float(np.mean(nearest[: max(1, int(0.6 * len(nearest)))]))
