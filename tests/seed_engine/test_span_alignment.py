"""Alignment of what a model reports: copies, near copies and other spellings are placed exactly, inventions are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.prompted_reply import read_reply
from seed_engine.span_alignment import align

TEXTS = {
    "Hi Brenda, call my mom at (312) 555-0188 ok?": [
        ("Brenda", ["Brenda"]),
        ("brenda", ["Brenda"]),
        ("Breda", ["Brenda"]),
        ("312-555-0188", ["(312) 555-0188"]),
        ("312.555.0189", []),
        ("Brandon Lee", []),
        ("Maria", []),
    ],
    "i live at eighteen maple street and ann is Ann": [
        ("18 Maple Street", ["eighteen maple street"]),
        ("ann", ["ann"]),
        ("Ann", ["Ann"]),
        ("19 Maple Street", []),
    ],
    "so Annabel has 3/4 and ann 4": [("Ann", ["ann"]), ("", []), ("  ", []), ("3/5", [])],
    "Me llamo MARÍA   José": [("Maria Jose", ["MARÍA   José"]), ("Maria Josefa Ruiz", [])],
}


@pytest.mark.parametrize(
    ("text", "value", "wanted"), [(text, *row) for text, rows in TEXTS.items() for row in rows]
)  # fmt: skip
def test_a_value_is_placed_where_it_stands_or_nowhere(text: str, value: str, wanted: list[str]) -> None:
    places = align(text, value)
    found = [text[start:end].strip("( ") for start, end in places]
    assert found == [item.strip("( ") for item in wanted]


@given(st.text(max_size=60), st.text(max_size=12))
def test_places_lie_in_the_text_and_are_never_empty(text: str, value: str) -> None:
    assert all(0 <= start < end <= len(text) for start, end in align(text, value))


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=1, max_size=8), st.data())
def test_what_was_copied_is_found_where_it_was_copied_from(words: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(words) - 1))
    text = " ".join(words)
    start = len(" ".join(words[:at])) + bool(at)
    assert (start, start + len(words[at])) in align(text, words[at])


@pytest.mark.parametrize(
    ("reply", "spans", "reported", "made_up", "readable"),
    [
        ('{"found": []}', [[], []], 0, 0, True),
        ('```json\n{"found": [{"message": 1, "text": "Zoe", "entity_type": "URL"}]}\n```', [["URL"], []], 1, 0, True),
        ('Sure: [{"message": 2, "text": "Zoe", "entity_type": "NAME"}]', [["PERSON"], []], 1, 0, True),
        ('{"found": [{"message": 9, "text": "zoe123", "entity_type": "Zoe is"}]}', [[], ["ID_OTHER"]], 1, 0, True),
        ('{"found": [{"message": 1, "text": "Quentin", "entity_type": "PERSON"}]}', [[], []], 1, 1, True),
        ('{"found": [{"message": true, "text": 3}, 4, {"text": ""}]}', [[], []], 0, 0, True),
        ("there is none", [[], []], 0, 0, False),
        ('{"found": [{"message": 1, "te', [[], []], 0, 0, False),
        ("[" * 5000, [[], []], 0, 0, False),
    ],
)  # fmt: skip
def test_a_reply_is_read_whatever_stands_around_it(
    reply: str, spans: list[list[str]], reported: int, made_up: int, readable: bool
) -> None:
    reading = read_reply(reply, ["hi Zoe", "add me: zoe123"])
    assert [[span.entity_type for span in turn] for turn in reading.spans] == spans
    assert (reading.reported, reading.made_up, reading.readable) == (reported, made_up, readable)


def test_of_two_finds_over_each_other_the_longer_stays() -> None:
    reply = '{"found": [{"message": 1, "text": "Zoe"}, {"message": 1, "text": "Zoe Park"}]}'
    (spans,) = read_reply(reply, ["hi Zoe Park"]).spans
    assert [(span.start, span.end) for span in spans] == [(3, 11)]
