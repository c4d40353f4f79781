"""The link model and the judge: what is masked, what decides, what a file must be, and texts of every shape."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from seed_engine.sensitive.errors import SensitiveModelError, TrainingDataError
from seed_engine.sensitive.judge import CascadeJudge, load_judge, starter_folder
from seed_engine.sensitive.linking import LinkModel, read_pairs, train_link_model
from seed_engine.sensitive.records import Judgement
from seed_engine.sensitive.scan import held_against

JUDGE: CascadeJudge = load_judge()  # type: ignore[assignment]


def _score(text: str) -> float:
    return JUDGE.judge([text])[0].score


@pytest.mark.parametrize(
    ("personal", "related"),
    [
        ("高木梨花さんは糖尿病と診断された。", "高木梨花さんは糖尿病の研究で知られる。"),
        ("高木梨花さんは糖尿病と診断された。", "高木梨花さんは糖尿病ではないと否定した。"),
        ("浅野徹は窃盗の疑いで逮捕された。", "浅野徹弁護士は窃盗事件の手続きを解説した。"),
        ("水野晃さんはゲイであることを公表した。", "水野晃さんは映画でゲイの主人公を演じる。"),
        ("白石志保は在日コリアン三世である。", "白石志保は在日コリアンの歴史を大学で教えている。"),
        ("私は抗うつ薬を処方されている。", "抗うつ薬を処方された人の割合は三割に上る。"),
        ("篠原駿は少年院に入っていた。", "篠原駿は少年院を取材した本を書いた。"),
        ("菅原千夏さんは詐欺の被害に遭った。", "菅原千夏さんは詐欺の被害を防ぐ講座を開いた。"),
    ],
)
def test_a_fact_of_a_person_scores_above_the_same_topic(personal: str, related: str) -> None:
    assert _score(personal) > _score(related)


def test_names_are_masked() -> None:
    scores = {_score(f"{name}さんは乳がんと診断された。") for name in ("佐藤", "鈴木", "高橋")}
    assert max(scores) - min(scores) < 0.1
    words = {pair.words for name in ("佐藤", "鈴木") for pair in read_pairs(f"{name}さんは乳がんと診断された。")}
    assert not any("佐藤" in word or "鈴木" in word or "乳がん" in word for word in words)


def test_a_judgement_points_at_fact_and_person() -> None:
    text = "会議は終わった。小泉慎吾さんは乳がんと診断された。"
    judged = JUDGE.judge([text])[0]
    assert judged.label == "scpi"
    assert judged.evidence is not None
    assert text[slice(*judged.evidence)] in ("乳がん", "診断され")
    assert judged.person is not None
    assert "小泉" in text[slice(*judged.person)]


def test_company_changes_nothing() -> None:
    texts = ["山田さんは乳がんと診断された。", "今日は晴れ。", "がんの講演会があった。", "私はうつ病です。"]
    assert JUDGE.judge(texts) == [JUDGE.judge([text])[0] for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "癌",
        "\n",
        "😀🏥",
        "<p>山田さんは<b>がん</b>です</p>",
        "ｶﾞﾝ",
        "ã\x81\x8cã\x82\x93",
        "\x00がん\x00",
        "a" * 30000,
        "がん" * 200,
    ],
)
def test_texts_of_every_shape_are_judged(text: str) -> None:
    judged = JUDGE.judge([text])[0]
    assert 0 <= judged.score <= 1
    assert judged.evidence is None or judged.evidence[1] <= len(text)


def test_a_long_text_is_judged_by_its_worst_stretch() -> None:
    fact = "小泉慎吾さんは乳がんと診断された。"
    text = "港には白い船が泊まっていた。" * 3000 + fact + "雨が降った。" * 3000
    judged = JUDGE.judge([text])[0]
    assert judged.label == "scpi"
    assert judged.evidence is not None
    start = text.index(fact)
    assert start <= judged.evidence[0] < start + len(fact)


def test_a_death_is_marked() -> None:
    assert "deceased" in JUDGE.judge(["小泉慎吾さんは肺がんのため死去した。"])[0].flags


def test_saved_and_loaded_scores_the_same(tmp_path: Path) -> None:
    model = LinkModel.load(starter_folder())
    model.save(tmp_path)
    pairs = read_pairs("小泉慎吾さんは肺がんと診断された。")
    assert np.allclose(model.score(pairs), LinkModel.load(tmp_path).score(pairs), atol=1e-6)


@pytest.mark.parametrize("name", ["link.npz", "link_trees.txt", "link.json", "judge.json"])
def test_an_altered_or_missing_file_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(starter_folder(), folder)
    (folder / name).write_bytes(b"{}")
    with pytest.raises(SensitiveModelError):
        load_judge(folder)
    (folder / name).unlink()
    with pytest.raises(SensitiveModelError):
        load_judge(folder)


def test_another_version_is_refused(tmp_path: Path) -> None:
    shutil.copytree(starter_folder(), tmp_path / "model")
    card = json.loads((tmp_path / "model" / "link.json").read_text("utf-8"))
    (tmp_path / "model" / "link.json").write_text(json.dumps(card | {"version": "0"}), "utf-8")
    with pytest.raises(SensitiveModelError, match="version"):
        load_judge(tmp_path / "model")


def test_one_label_teaches_nothing() -> None:
    with pytest.raises(TrainingDataError):
        train_link_model(["山田さんは乳がんと診断された。"] * 3, [True] * 3)


def test_the_starter_is_small() -> None:
    assert sum(file.stat().st_size for file in starter_folder().iterdir()) <= 20 * 2**20


UNCUED = "父がどうしてあの家を出たのか、母は死ぬまで言わなかった。"


@pytest.mark.parametrize("text", ["港には船が泊まっていた。", "本日は晴天なり。", "会議は三時からです。", UNCUED])
def test_a_text_without_a_cue_has_a_score_and_no_category(text: str) -> None:
    judged = JUDGE.judge([text])[0]
    assert judged.category is None
    assert 0 < judged.score < 1
    assert judged.label == ("scpi" if judged.score >= JUDGE.threshold else "none")
    assert (judged.evidence is None) == (judged.label == "none")


def test_meaning_reaches_words_that_no_list_has() -> None:
    # Neither holds a cue; one tells what befell somebody, one what a shop sells.
    told, sold = "夜道で知らない男に殴られ、財布を奪われた。", "夜道を照らす電灯を、駅前の店で買った。"
    assert _score(told) > _score(sold)


def test_what_the_meaning_alone_told_bows_to_a_threshold() -> None:
    told = Judgement("scpi", 0.7, 0.7, None, "meaning", evidence=(0, 3))
    assert held_against(told, 0.8).label == "none"
    assert held_against(told, 0.6).label == "scpi"
    assert held_against(told, None) == told
