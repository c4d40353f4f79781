"""Written texts: splits that share nothing, every category with positives and hard negatives, draws by seed."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from seed_engine.sensitive.categories import japanese_categories
from seed_engine.sensitive.writing import STORIES, evaluation_texts, joined, written_texts

SETS = ("test_ja.txt", "blind_ja.txt", "blind2_ja.txt", "blind3_ja.txt", "blind4_ja.txt")


def test_splits_share_no_frame() -> None:
    train = {text.template for text in written_texts("train", 40) if text.label != "none" and text.source != "general"}
    dev = {text.template for text in written_texts("dev", 40) if text.label != "none" and text.source != "general"}
    assert train
    assert dev
    assert not train & dev


def test_evaluation_shares_no_name_and_no_sentence_with_training() -> None:
    names = json.loads((files("seed_engine.sensitive") / "data" / "names.json").read_text("utf-8"))
    for kind in ("surnames", "given", "foreign"):
        assert not set(names[kind]) & set(names[f"test_{kind}"])
    folder = files("seed_engine.sensitive") / "data"
    training = "".join(
        (folder / name).read_text("utf-8") for name in ("frames.txt", *(f"stories_{part}.txt" for part in STORIES))
    )
    for name in SETS:
        for line in (folder / name).read_text("utf-8").splitlines():
            assert line.startswith("#") or line.split("\t")[-1] not in training


@pytest.mark.parametrize("name", SETS)
def test_every_category_has_positives_and_hard_negatives(name: str) -> None:
    found = {(text.label, text.category) for text in evaluation_texts(1, name=name)}
    for item in japanese_categories():
        assert {("scpi", item.id), ("related", item.id)} <= found


def test_the_seed_alone_decides() -> None:
    assert written_texts("train", 2, seed=3) == written_texts("train", 2, seed=3)
    assert written_texts("train", 2, seed=3) != written_texts("train", 2, seed=4)
    assert evaluation_texts(2) == evaluation_texts(2)


def test_no_slot_is_left_open() -> None:
    texts = [*written_texts("train", 10), *written_texts("dev", 10)]
    for name in SETS:
        texts += evaluation_texts(2, name=name)
    assert not [text for text in texts if "{" in text.text or "}" in text.text]


@pytest.mark.parametrize(
    ("fact", "following", "form"),
    [
        ("信者だ", "ことを", "信者である"),
        ("信者だ", "んです", "信者な"),
        ("信者である", "らどう", "信者であった"),
        ("患っている", "ら、", "患っていた"),
        ("診断された", "ら", "診断された"),
        ("信者だ", "。", "信者だ"),
    ],
)
def test_a_fact_bends_to_what_follows(fact: str, following: str, form: str) -> None:
    assert joined(fact, following) == form
