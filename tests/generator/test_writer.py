"""The trained writer of `scripts/train_writer*.py`: what it may learn from, when it is believed, how it is stored."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def script(name: str) -> ModuleType:
    sys.path.insert(0, str(SCRIPTS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(SCRIPTS))


PROMPT, DATA = script("train_writer_prompt"), script("train_writer_data")
DRAFT = "My blender from [ORDER_1] still hasn't arrived at the depot."


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("The blender of [ORDER_1] still hasn't arrived at any depot.", None),
        ("The blender still hasn't arrived at the depot.", "markers_changed"),
        ("The blender of [ORDER_2] still hasn't arrived at the depot.", "markers_changed"),
        ("The blender of [ORDER_1] still hasn't arrived, says Brenda at the depot.", "name_added"),
        ("The blender of [ORDER_1] still hasn't arrived at depot 12.", "number_added"),
        ("The blender of [ORDER_1] still hasn't arrived at the depot", "form_changed"),
        ("Has the blender of [ORDER_1] still not arrived at the depot?", "act_changed"),
        ("The blender of [ORDER_1] has still arrived at the depot.", "negation_changed"),
        ("The sofa of [ORDER_1] isn't what the picture showed to me.", "meaning_changed"),
        (DRAFT, "unchanged"),
        ("", "markers_changed"),
    ],
)
def test_what_is_believed(reply: str, fault: str | None) -> None:
    assert PROMPT.objection(DRAFT, reply, "en", ["Hello there."]) == fault


def test_what_was_said_before_is_not_said_again() -> None:
    reply = "The blender of [ORDER_1] still hasn't arrived at any depot."
    assert PROMPT.objection(DRAFT, reply, "en", [reply]) == "unchanged"


@given(st.lists(st.sampled_from(["my parcel is late", "ask Brenda", "room 12", "it is $5", "OK then"]), max_size=12))
def test_no_turn_with_a_name_or_a_digit_is_learnt(texts: list[str]) -> None:
    talk = DATA.Talk("x", "1", "support", tuple(DATA.Turn("customer", text) for text in texts))
    for part in DATA.stretches(talk, frozenset({"brenda"})):
        assert len(part) >= DATA.FEWEST_TURNS
        assert {turn.text for turn in part} <= {"my parcel is late", "OK then"}


def test_a_name_is_what_is_hardly_ever_written_small() -> None:
    texts = ("I asked Brenda.", "Brenda said so.", "Delivery is late.", "The delivery, your delivery", "a delivery")
    talk = DATA.Talk("x", "1", "support", tuple(DATA.Turn("customer", text) for text in texts))
    names = DATA.names_of([talk])
    assert "brenda" in names
    assert "delivery" not in names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("it costs $1,250.00 in all", "It costs one thousand two hundred fifty dollars in all"),
        ("at 8:30 pm", "At eight thirty pm"),
        ("rated 4.5 by 19 people", "Rated four point five by nineteen people"),
        ("meet [DATE_1] at 7", "Meet [DATE_1] at seven"),
    ],
)
def test_numbers_become_words(text: str, words: str) -> None:
    assert DATA.spelt(text) == words


def test_the_prompt_grows_from_its_end_until_it_starts_anew() -> None:
    writer = PROMPT.Writer("support", "en")
    before, restarts = "", 0
    for number in range(40):
        prompt = writer.prompt("customer", "inform", DRAFT)
        restarts += not prompt.startswith(before)
        assert len(prompt) < 2 * PROMPT.SHOWN
        before = prompt
        writer.remember("customer", "inform", DRAFT, f"turn {number}")
    assert 1 <= restarts <= 8
