"""A rewrite stands in for its draft only when nothing but the wording changed."""

from __future__ import annotations

import pytest

from generator.completion import CompletionRequest
from generator.draft import Draft
from generator.rewrite import grammar, objection, rewrite, similarity

DRAFT = Draft("customer", "inform", "My parcel [ORDER_1] has not arrived, I paid 40 dollars.", frozenset({"[ORDER_1]"}))


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("My parcel [ORDER_1] has still not arrived, I paid 40 dollars.", None),
        (DRAFT.text, "unchanged"),
        ("My parcel has not arrived, I paid 40 dollars for it.", "markers_changed"),
        ("My parcel [ORDER_1] [ORDER_1] has not arrived, I paid 40 dollars.", "markers_changed"),
        ("My parcel [ORDER_2] has not arrived, I paid 40 dollars.", "markers_changed"),
        ("My parcel [ORDER_1] has not arrived, I paid 400 dollars.", "numbers_changed"),
        ("My parcel [ORDER_1] has not arrived, Brenda paid 40 dollars.", "name_added"),
        ("[ORDER_1] not here, 40.", "length_changed"),
        ("My parcel [ORDER_1] has not arrived, I paid 40 dollars?", "form_changed"),
        ("My parcel [ORDER_1] has arrived by now, I paid 40 dollars.", "negation_changed"),
        ("My parcel [ORDER_1] has not arrived has not arrived 40.", "negation_changed"),
        ("My parcel, my parcel, my parcel [ORDER_1] not, I paid 40.", "repeats"),
        ("God bless [ORDER_1] and not your 40 sunny little spirits.", "meaning_changed"),
    ],
)
def test_objections(reply: str, fault: str | None) -> None:
    assert objection(DRAFT, reply, 0.5) == fault


def test_similarity_is_one_for_equal_and_symmetric() -> None:
    one, other = "the parcel is late", "late is the parcel"
    assert similarity(one, one) == 1
    assert similarity(one, other) == similarity(other, one) < 1
    assert similarity(one, "") == 0


def test_the_draft_is_kept_with_the_reason() -> None:
    text, label = rewrite(DRAFT, "en", lambda _: "Goodbye, goodbye. [CARD_1] is gone.", 1, 0.5)
    assert (text, label) == (DRAFT.text, "markers_changed")


def test_grammar_names_the_turns_markers_and_no_bracket_else() -> None:
    asked: list[CompletionRequest] = []
    rewrite(DRAFT, "en", lambda request: (asked.append(request), "x")[1], 1, 0.5)
    assert asked[0].grammar == grammar(DRAFT.markers)
    plain = grammar(frozenset()).split("plain ::= ")[1][1:-1]
    assert "[" not in plain
    assert "]" not in plain
