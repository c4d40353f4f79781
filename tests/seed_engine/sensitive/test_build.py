"""What a set is built with: closed replies, consensus, refinement, balance, kappa, card."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from seed_engine.sensitive.build_agreement import agreement
from seed_engine.sensitive.build_balance import balanced, review_sample
from seed_engine.sensitive.build_card import agreements, data_card
from seed_engine.sensitive.build_config import BuildConfig, ModelChoice
from seed_engine.sensitive.build_label import Role, candidate, corrected, label_text, merged
from seed_engine.sensitive.build_prompt import Question, closed, question, read_opinion
from seed_engine.sensitive.build_records import Labelling, Opinion, text_digest
from seed_engine.sensitive.build_tasks import labelling_config, task

CONFIG = BuildConfig()
TEXT = "田中さんは糖尿病で入院した。\n「元気だ」と話す。同性愛者であることも明かした。"


def opinion(label: Any, kind: str | None = None, sure: float = 0.9, judge: str = "m") -> Opinion:
    return Opinion(judge=judge, label=label, category=kind, confidence=sure)


SCPI, RELATED, NONE = opinion("scpi", "medical_history"), opinion("related", "medical_history"), opinion("none")


def ask_of(**said: Sequence[Opinion | None]) -> Any:
    """Answers by role, in order; the last again and again."""
    turns = {name.replace("_", " "): list(items) for name, items in said.items()}

    def ask(role: Role, asked: Question) -> Opinion | None:
        items = turns[role]
        return items.pop(0) if len(items) > 1 else items[0]

    return ask


def labelled(first: Opinion | None, second: Opinion | None, strong: Opinion | None, **changes: Any) -> Labelling:
    item = candidate("a", TEXT, "f.jsonl", 3)
    assert item is not None
    config = BuildConfig(**({"added": ()} | changes))
    return label_text(item, ask_of(labeller_1=[first], labeller_2=[second], verifier=[strong]), config)


@pytest.mark.parametrize(
    ("first", "second", "strong", "stage", "label"),
    [
        (SCPI, SCPI, SCPI, "verified", "scpi"),
        (RELATED, RELATED, RELATED, "verified", "related"),
        (NONE, NONE, None, "agreed", "none"),
        (SCPI, RELATED, SCPI, "disputed", None),
        (SCPI, opinion("scpi", "disability"), SCPI, "disputed", None),
        (SCPI, opinion("scpi", "medical_history", 0.5), SCPI, "disputed", None),
        (SCPI, SCPI, RELATED, "rejected", None),
        (SCPI, SCPI, opinion("scpi", "disability"), "rejected", None),
        (SCPI, SCPI, None, "unanswered", None),
        (None, SCPI, SCPI, "unanswered", None),
    ],
)
def test_two_must_agree_with_confidence_and_a_strong_one_must_say_the_same(
    first: Opinion | None, second: Opinion | None, strong: Opinion | None, stage: str, label: str | None
) -> None:
    found = labelled(first, second, strong)
    assert (found.stage, found.label, found.settled) == (stage, label, label is not None)
    assert found.labellers == (first, second)
    assert found.digest == text_digest(TEXT)


def test_nobody_is_asked_about_a_text_without_a_person() -> None:
    assert candidate("a", "明日は雨が降るでしょう。", "f", 1) is None


def test_an_added_category_is_asked_for_by_itself_and_only_where_its_words_stand() -> None:
    lgbt = opinion("scpi", "lgbt")
    ask = ask_of(labeller_1=[NONE, lgbt], labeller_2=[NONE, lgbt], verifier=[lgbt])
    item = candidate("a", TEXT, "f", 1)
    assert item is not None
    found = label_text(item, ask, CONFIG)
    assert (found.label, found.category, found.refined) == ("scpi", "lgbt", ("added:lgbt",))
    assert found.labellers == (NONE, NONE)
    assert [one.category for one in found.added_opinions] == ["lgbt"] * 3
    plain = candidate("a", "田中さんは糖尿病で入院した。", "f", 1)
    assert plain is not None
    assert label_text(plain, ask_of(labeller_1=[NONE], labeller_2=[NONE], verifier=[None]), CONFIG).refined == ()


def test_crime_labels_merge_and_opinions_keep_what_was_said() -> None:
    juvenile = opinion("scpi", "juvenile_procedure")
    found = merged(labelled(juvenile, juvenile, juvenile), CONFIG.merged)
    assert (found.category, found.refined) == ("criminal_record", ("merged:criminal_record",))
    assert found.verifier == juvenile
    assert merged(labelled(SCPI, SCPI, SCPI), CONFIG.merged).refined == ()


def test_a_person_overrides_all() -> None:
    found = corrected(labelled(SCPI, SCPI, SCPI), opinion("none", judge="person"))
    assert (found.stage, found.label, found.category) == ("corrected", "none", None)


GOOD = {"label": "scpi", "category": "medical_history", "confidence": 0.8, "sentence": 1}


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "[]",
        "{}",
        json.dumps(GOOD)[:-1],
        json.dumps(GOOD | {"label": "SCPI"}),
        json.dumps(GOOD | {"label": ["scpi"]}),
        json.dumps(GOOD | {"category": "none"}),
        json.dumps(GOOD | {"category": "田中さん"}),
        json.dumps(GOOD | {"label": "none"}),
        json.dumps(GOOD | {"confidence": 85}),
        json.dumps(GOOD | {"confidence": True}),
        json.dumps(GOOD | {"confidence": "0.8"}),
        '{"label": "none", "label": "scpi", "category": "medical_history", "confidence": 1}',
        '{"label": "scpi", "category": "medical_history", "confidence": NaN}',
    ],
)
def test_a_reply_that_breaks_the_form_is_no_opinion_and_leaves_no_word(reply: str) -> None:
    asked = question(TEXT, CONFIG.categories, (0, 4), 2000)
    assert read_opinion(reply, asked, "m") is None
    assert closed(reply) == "{}" or json.loads(closed(reply))["category"] in (*CONFIG.categories, "lgbt")


@given(st.text(max_size=200))
def test_what_is_kept_of_a_reply_is_closed(reply: str) -> None:
    for text in (reply, json.dumps(GOOD | {"note": reply}), "```json\n" + json.dumps(GOOD) + "\n```"):
        kept = json.loads(closed(text))
        assert kept in ({}, GOOD)


def test_a_kept_reply_says_what_the_reply_said() -> None:
    asked = question(TEXT, CONFIG.categories, (0, 4), 2000)
    found = read_opinion(f"sure: {json.dumps(GOOD)}", asked, "m")
    assert found == read_opinion(closed(json.dumps(GOOD)), asked, "m")
    assert found is not None
    assert found.evidence == (0, TEXT.index("\n") + 1)
    beyond = read_opinion(json.dumps(GOOD | {"sentence": 99}), asked, "m")
    assert beyond is not None
    assert beyond.evidence is None


def test_a_category_that_was_not_on_offer_is_no_opinion() -> None:
    assert read_opinion(json.dumps(GOOD), question(TEXT, ("lgbt",), None, 2000), "m") is None


def test_a_long_text_is_shown_around_its_person() -> None:
    text = "前置き。" * 1000 + "田中さんは糖尿病だ。" + "後書き。" * 1000
    at = text.index("田中")
    asked = question(text, CONFIG.categories, (at, at + 4), 500)
    assert "田中さん" in asked.prompt
    assert len(asked.prompt) < 2500
    assert any(text[start:end] == "田中さんは糖尿病だ。" for start, end in asked.sentences)


def test_kappa_is_that_of_a_naive_twin() -> None:
    from sklearn.metrics import cohen_kappa_score

    draw = random.Random(1)
    for _ in range(30):
        pairs = [(draw.choice("abc"), draw.choice("abcd")) for _ in range(40)]
        pairs += [(label, label) for label, _ in pairs[: draw.randrange(40)]]
        found = agreement(pairs)
        assert found.kappa == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)), abs=1e-6)
        assert sum(found.confusion.values()) == found.texts == len(pairs)


def test_kappa_is_undefined_where_it_says_nothing() -> None:
    assert agreement([]).kappa is None
    assert agreement([("a", "a")] * 5).kappa is None


def test_the_standard_error_of_kappa_is_the_spread_of_kappa() -> None:
    """300 draws, fixed seed: the mean of the formula within a fifth of the spread that is seen."""
    draw = random.Random(2)
    found = []
    for _ in range(300):
        truth = [draw.choice("ab") for _ in range(100)]
        found.append(agreement((label, label if draw.random() < 0.8 else draw.choice("ab")) for label in truth))
    kappas = [one.kappa or 0.0 for one in found]
    mean = sum(kappas) / len(kappas)
    spread = (sum((one - mean) ** 2 for one in kappas) / len(kappas)) ** 0.5
    told = sum(one.standard_error or 0.0 for one in found) / len(found)
    assert told == pytest.approx(spread, rel=0.2)


def settled(counts: dict[str, int]) -> list[Labelling]:
    kinds = {"scpi": "medical_history", "related": "medical_history", "none": None}
    return [
        Labelling(
            id=f"{label}{number}",
            digest=text_digest(f"{label}{number}"),
            source="f",
            line=number + 1,
            stage="agreed",
            label=label,  # type: ignore[arg-type]
            category=kinds[label],
        )
        for label, count in counts.items()
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ({"scpi": 50, "related": 500, "none": 900}, {"scpi": 50, "related": 135, "none": 315}),
        ({"scpi": 50, "related": 10, "none": 900}, {"scpi": 50, "related": 10, "none": 440}),
        ({"scpi": 50, "related": 900, "none": 10}, {"scpi": 50, "related": 440, "none": 10}),
        ({"scpi": 500, "related": 30, "none": 60}, {"scpi": 10, "related": 30, "none": 60}),
        ({"scpi": 5, "related": 0, "none": 0}, {}),
        ({"scpi": 0, "related": 5, "none": 5}, {}),
        ({"scpi": 9, "related": 1, "none": 1}, {"scpi": 1, "related": 1, "none": 1}),
    ],
)
def test_shares_are_kept_where_the_texts_allow(there: dict[str, int], wanted: dict[str, int]) -> None:
    chosen = balanced(settled(there), CONFIG)
    assert Counter(item.label for item in chosen) == wanted
    assert chosen == balanced(settled(there), CONFIG)


def test_equal_texts_and_open_ones_stay_out() -> None:
    items = settled({"scpi": 3, "none": 40})
    twins = [item.model_copy(update={"id": "twin"}) for item in items]
    opened = [item.model_copy(update={"digest": f"x{item.id}", "stage": "disputed", "label": None}) for item in items]
    assert balanced([*items, *twins, *opened], CONFIG) == balanced(items, CONFIG)


def test_people_see_doubts_and_certainties() -> None:
    items = settled({"scpi": 30, "none": 300})
    opened = [item.model_copy(update={"id": f"o{item.id}", "stage": "disputed", "label": None}) for item in items]
    done = [corrected(item, opinion("none")).model_copy(update={"id": "done"}) for item in items]
    config = BuildConfig(review_texts=40)
    sample = review_sample([*items, *opened, *done], config)
    assert Counter(item.stage for item in sample) == {"disputed": 20, "agreed": 20}
    assert all(item.label == "scpi" for item in sample if item.settled)
    assert len(review_sample(opened[:7], config)) == 7
    assert len(review_sample(items, config)) == 40


def test_the_card_names_judges_laws_and_limits_and_no_id() -> None:
    items = settled({"scpi": 30, "related": 50, "none": 300})
    card = data_card(items, balanced(items, CONFIG), {"read": 400}, CONFIG)
    assert all(word in card for word in ("| read | 400 |", "APPI Art. 2(3)", CONFIG.verifier.model, "Cohen"))
    assert not any(item.id in card or item.digest in card for item in items)
    assert agreements(items)["labellers"].texts == 0


def test_a_task_proposes_what_the_models_came_to() -> None:
    made = task(TEXT, labelled(SCPI, SCPI, SCPI.model_copy(update={"evidence": (0, 14)})))
    (prediction,) = made["predictions"]
    assert [item["value"].get("choices") for item in prediction["result"][:2]] == [["scpi"], ["medical_history"]]
    assert prediction["result"][2]["value"]["text"] == TEXT[:14]
    assert task(TEXT, labelled(SCPI, RELATED, None))["predictions"] == []
    assert "medical_history" in labelling_config(CONFIG.categories)


@pytest.mark.parametrize(
    "changes",
    [
        {"categories": ("nothing",)},
        {"added": ("race",)},
        {"merged": {"race": "x"}},
        {"verifier": ModelChoice(model=CONFIG.labellers[0].model)},
        {"labellers": (CONFIG.labellers[0], CONFIG.labellers[0])},
        {"positive_share": 0},
    ],
)
def test_settings_that_cannot_hold_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        BuildConfig.model_validate(CONFIG.model_dump() | changes)
