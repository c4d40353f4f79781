"""What a reviewer marks is found in that source from then on, to the code point, and only there."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.conversation import Conversation, Turn
from seed_engine.label_studio import RECOGNIZER, TYPES, digest, labelling_config, regions, rendered, spans_of, task
from seed_engine.review import Decision, Review, StaleReviewError
from seed_engine.spans import EntitySpan

TALK = Conversation(
    id="c1",
    turns=(
        Turn(role="agent", text="😊 Hello Zebulon"),
        Turn(role="customer", text="Hi,\r\nit's Quark,\rZebulon Quark 🎉"),
    ),
)
SPANS = ((EntitySpan(8, 15, "PERSON", 0.9, "t"),), (EntitySpan(10, 15, "PERSON", 0.8, "t"),))

_texts = st.text(st.sampled_from("ab Z\r\n😊é"), max_size=20)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Conversation, tuple[tuple[EntitySpan, ...], ...]]:
    turns = draw(st.lists(st.builds(Turn, role=st.sampled_from(["a", "😊\rb"]), text=_texts), min_size=1, max_size=5))
    spans = []
    for turn in turns:
        found = []
        if turn.text:
            start = draw(st.integers(0, len(turn.text) - 1))
            end = draw(st.integers(start + 1, len(turn.text)))
            found = [EntitySpan(start, end, "PERSON", 1.0, RECOGNIZER)]
        spans.append(tuple(found))
    return Conversation(id="c", turns=tuple(turns)), tuple(spans)


def annotated(conversation: Conversation, spans: Any) -> dict[str, Any]:
    made = task(conversation, spans)
    return made | {"annotations": [{"result": copy.deepcopy(made["predictions"][0]["result"])}]}


@given(cases())
def test_an_untouched_task_brings_back_the_spans(case: tuple[Conversation, Any]) -> None:
    conversation, spans = case
    values = regions(annotated(conversation, spans))
    assert values is not None
    assert tuple(tuple(found) for found in spans_of(values, conversation)) == spans


@given(cases())
def test_offsets_in_utf_16_units_come_back_to_the_same_code_points(case: tuple[Conversation, Any]) -> None:
    conversation, spans = case
    text, _ = rendered(conversation)
    values = regions(annotated(conversation, spans))
    assert values is not None
    for value in values:
        wide = [len(text[: value[key]].encode("utf-16-le")) // 2 for key in ("start", "end")]
        # Where both ways of counting fit the text said, code points win: then they are Label Studio's.
        if text[wide[0] : wide[1]] != value["text"]:
            value["start"], value["end"] = wide
    assert tuple(tuple(found) for found in spans_of(values, conversation)) == spans


def test_a_region_over_two_turns_is_cut_where_they_part() -> None:
    text, _ = rendered(TALK)
    start, end = text.index("Zebulon"), text.index("Quark")
    value = {"start": start, "end": end + 5, "text": text[start : end + 5], "labels": ["PERSON"]}
    found = spans_of([value], TALK)
    assert [TALK.turns[i].text[s.start : s.end] for i, spans in enumerate(found) for s in spans] == [
        "Zebulon",
        "Hi,\r\nit's Quark",
    ]


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ({"start": 0, "end": 3, "text": "xyz", "labels": ["PERSON"]}, "another text"),
        ({"start": 3, "end": 3, "labels": ["PERSON"]}, "no place"),
        ({"start": 0, "end": 9_999, "labels": ["PERSON"]}, "after the text"),
        ({"start": "0", "end": 3, "labels": ["PERSON"]}, "no place"),
        ({"start": 0, "end": 3, "labels": ["Zebulon Quark"]}, "no entity type"),
        ({"start": 0, "end": 3, "labels": []}, "no entity type"),
    ],
)
def test_a_region_that_cannot_be_right_is_refused_and_not_quoted(value: dict[str, Any], rule: str) -> None:
    with pytest.raises(ValueError, match=rule) as caught:
        spans_of([value], TALK)
    assert "Zebulon" not in str(caught.value)


def test_the_newest_annotation_counts_and_none_means_unreviewed() -> None:
    made = task(TALK, SPANS)
    assert regions(made) is None
    assert regions(made | {"annotations": []}) is None
    assert regions(made | {"annotations": [{"was_cancelled": True, "result": []}]}) is None
    old = {"updated_at": "2026-01-01T00:00:00Z", "result": made["predictions"][0]["result"]}
    new = {"updated_at": "2026-02-01T00:00:00Z", "result": []}
    assert regions(made | {"annotations": [new, old]}) == []
    minimal = {"text": "x", "conversation": "c1", "annotation_id": 3}
    assert regions(minimal) == []
    assert regions(minimal | {"label": [{"start": 0, "end": 1}]}) == [{"start": 0, "end": 1}]


def test_the_configuration_has_a_colour_of_its_own_for_every_type() -> None:
    root = ElementTree.fromstring(labelling_config(["US_SSN", 'A"<&']))
    labels = {label.get("value"): label.get("background") for label in root.iter("Label")}
    assert {*TYPES, "US_SSN", 'A"<&'} == set(labels)
    assert len(set(labels.values())) == len(labels)
    (control,), (shown, _) = root.findall("Labels"), root.findall("Text")
    assert (control.get("toName"), shown.get("value")) == (shown.get("name"), "$text")
    result = task(TALK, SPANS)["predictions"][0]["result"][0]
    assert (result["from_name"], result["to_name"]) == (control.get("name"), shown.get("name"))


def reviewed(*turns: tuple[EntitySpan, ...], talk: Conversation = TALK) -> Review:
    review = Review()
    review.learn(talk, Decision(digest(talk), turns))
    return review


def other(text: str) -> Conversation:
    return Conversation(id="c2", turns=(Turn(role="customer", text=text),))


def test_a_marked_value_is_found_in_the_rest_of_the_source() -> None:
    review = reviewed((EntitySpan(8, 15, "PERSON", 1.0, RECOGNIZER),), ())
    text = "I told ZEBULON and zebulon's friend, not zebulonia"
    (found,) = review.apply(other(text), ((),))
    assert [text[span.start : span.end] for span in found] == ["ZEBULON", "zebulon"]
    assert {span.entity_type for span in found} == {"PERSON"}


def test_in_a_reviewed_conversation_the_reviewer_is_right() -> None:
    review = reviewed((), (EntitySpan(10, 15, "ID_OTHER", 1.0, RECOGNIZER),))
    assert review.apply(TALK, SPANS) == ((), (EntitySpan(10, 15, "ID_OTHER", 1.0, RECOGNIZER),))


def test_numbers_are_found_however_they_are_parted() -> None:
    talk = other("call 612 345 678")
    review = reviewed((EntitySpan(5, 16, "PHONE_NUMBER", 1.0, RECOGNIZER),), talk=talk)
    text = "612-345-678 or 612 345 679"
    (found,) = review.apply(Conversation(id="x", turns=(Turn(role="a", text=text),)), ((),))
    assert [text[span.start : span.end] for span in found] == ["612-345-678"]


def test_an_ordinary_word_is_found_as_it_was_written() -> None:
    talk = other("ask May about it")
    review = reviewed((EntitySpan(4, 7, "PERSON", 1.0, RECOGNIZER),), talk=talk)
    text = "may I? May I? MAY"
    (found,) = review.apply(Conversation(id="x", turns=(Turn(role="a", text=text),)), ((),))
    assert [(span.start, span.end) for span in found] == [(7, 10)]


def test_finds_that_overlap_keep_the_wider() -> None:
    review = reviewed((EntitySpan(8, 15, "PERSON", 1.0, RECOGNIZER),), ())
    wide, narrow = EntitySpan(0, 13, "PERSON", 0.6, "t"), EntitySpan(0, 3, "PERSON", 0.6, "t")
    assert review.apply(other("Zebulon Quark"), ((wide,),)) == ((wide,),)
    assert review.apply(other("Zebulon Quark"), ((narrow,),)) == ((EntitySpan(0, 7, "PERSON", 1.0, RECOGNIZER),),)


def test_finds_that_overlap_in_part_become_one_over_both() -> None:
    review = reviewed((EntitySpan(8, 15, "PERSON", 1.0, RECOGNIZER),), ())
    text = "mrs Zebulon Quark"
    for span in (EntitySpan(0, 7, "TITLE", 0.6, "t"), EntitySpan(8, 17, "LOCATION", 0.6, "t")):
        ((found,),) = review.apply(other(text), ((span,),))
        assert (found.start, found.end) == (min(4, span.start), max(11, span.end))
        assert (found.entity_type, found.recognizer) == ("PERSON", RECOGNIZER)


@given(places=st.lists(st.tuples(st.integers(0, 11), st.integers(1, 12), st.booleans()), max_size=6))
def test_what_stands_covers_everything_and_nothing_twice(places: list[tuple[int, int, bool]]) -> None:
    """By the detector or by overlapping regions of the reviewer."""
    spans = [EntitySpan(a, min(a + n, 12), "PERSON", 0.5, RECOGNIZER if own else "t") for a, n, own in places]
    talk = other("abcdefghijkl")
    ((*stands,),) = reviewed(tuple(spans), talk=talk).apply(talk, ((),))
    assert all(one.end <= two.start for one, two in pairwise(stands))
    covered = {at for span in stands for at in range(span.start, span.end)}
    assert covered == {at for span in spans for at in range(span.start, span.end)}


@pytest.mark.parametrize(
    ("marked", "text", "again"),
    [
        ("田中", "はい、田中です。", ["田中"]),
        ("田中太郎", "田中 太郎と申します", ["田中 太郎"]),
        ("佐々木", "佐々木さんと木", ["佐々木"]),
        ("ケン", "ケンです、トークンではなく", ["ケン"]),
        ("クン", "トークンです", []),
        ("さくら", "私はさくらといいます", ["さくら"]),
        ("はな", "はなします", []),
        ("森", "森を歩く", []),
        ("สมชาย", "ผมชื่อสมชายครับ", ["สมชาย"]),
    ],
)
def test_scripts_without_spaces(marked: str, text: str, again: list[str]) -> None:
    talk = TALK.model_copy(update={"turns": (Turn(role="a", text=marked),)})
    review = reviewed((EntitySpan(0, len(marked), "PERSON", 1.0, RECOGNIZER),), talk=talk)
    (found,) = review.apply(other(text), ((),))
    assert [text[span.start : span.end] for span in found] == again


def test_another_source_learns_nothing() -> None:
    assert Review().apply(other("Zebulon"), ((),)) == ((),)


def test_a_source_that_changed_is_told_and_not_quoted() -> None:
    changed = TALK.model_copy(update={"turns": (*TALK.turns[:1], Turn(role="customer", text="Zebulon?"))})
    with pytest.raises(StaleReviewError) as caught:
        Review().learn(changed, Decision(digest(TALK), ((), ())))
    assert "Zebulon" not in str(caught.value)


def test_values_of_review_do_not_show_in_repr() -> None:
    assert "zebulon" not in repr(reviewed((EntitySpan(8, 15, "PERSON", 1.0, RECOGNIZER),), ())).lower()
