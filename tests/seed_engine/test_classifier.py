"""The classifier: windows cover every piece once, groups map back to turns, a changed file is refused."""

import json
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.classifier import (
    DIGITS,
    LONGEST_WINDOW,
    LOWER,
    TITLE,
    UPPER,
    Classifier,
    case_features,
    find_in_groups,
    windows,
)
from seed_engine.errors import ModelError
from seed_engine.spans import EntitySpan

DATA = Path(str(files("seed_engine") / "detector_data"))


@given(st.lists(st.sampled_from(["word", "end.", "line\n", "x"]), max_size=600))
def test_windows_cover_every_piece_once(words: list[str]) -> None:
    offsets, at = [], 0
    for word in words:
        offsets.append((at, at + len(word.strip())))
        at += len(word) + 1
    cuts = list(windows(" ".join(words), offsets))
    assert [i for a, b in cuts for i in range(a, b)] == list(range(len(offsets)))
    assert all(0 < b - a <= LONGEST_WINDOW for a, b in cuts)


def test_a_window_ends_at_a_line_end_where_there_is_one() -> None:
    words = ["w"] * 100 + ["line\n"] + ["w"] * 100
    offsets, at = [], 0
    for word in words:
        offsets.append((at, at + len(word.strip())))
        at += len(word) + 1
    assert next(iter(windows(" ".join(words), offsets))) == (0, 101)


def test_case_is_told_apart() -> None:
    text = "ann Ann ANN 12 ñ Ñu"
    offsets = [(0, 3), (4, 7), (8, 11), (12, 14), (15, 16), (17, 19)]
    assert case_features(text, offsets) == [LOWER, TITLE, UPPER, DIGITS, LOWER, TITLE]


class Marks(Classifier):
    """Marks every `x` run, to see where the spans of joined turns go."""

    def find(self, texts):
        import re

        return [[EntitySpan(m.start(), m.end(), "PERSON", 1.0, "x") for m in re.finditer("[x\n]*x", t)] for t in texts]


@given(st.lists(st.lists(st.text("xa", max_size=6), min_size=1, max_size=4), max_size=4))
def test_spans_of_joined_turns_go_back_to_their_turn(groups: list[list[str]]) -> None:
    texts = [text for group in groups for text in group]
    found = find_in_groups(Marks(), texts, [len(group) for group in groups])
    assert len(found) == len(texts)
    for text, spans in zip(texts, found, strict=True):
        covered = {i for span in spans for i in range(span.start, span.end)}
        assert covered == {i for i, character in enumerate(text) if character == "x"}


def test_the_files_are_small_enough_to_ship_and_of_the_digest_that_was_trained() -> None:
    assert (DATA / "detector.onnx").stat().st_size <= 35 * 2**20
    assert Classifier().find(["my name is Ann Quillfeather"])[0]


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    for file in DATA.iterdir():
        shutil.copy(file, tmp_path)
    with (tmp_path / "tokenizer.json").open("a") as file:
        file.write(" ")
    with pytest.raises(ModelError, match=r"tokenizer\.json"):
        Classifier(tmp_path).find(["x"])


def test_the_card_names_every_set_that_trained_it() -> None:
    card = (DATA / "MODEL_CARD.md").read_text("utf-8")
    for name in ("presidio_synth", "kiji", "clinical_queries", "tab", "wnut17", "nlu_home", "meddocan_es"):
        assert f"{name}.train" in card
    assert json.loads((DATA / "detector.json").read_text("utf-8"))["labels"][0] == "O"


def test_the_same_window_gets_the_same_score_in_any_company() -> None:
    classifier, text = Classifier(), "call Ann Quillfeather about it"
    assert classifier.find([text])[0] == classifier.find(["Bob Gray", text, "x" * 500])[1]
