"""Near misses: found one edit away, wherever a naive search finds them, and nowhere else."""

from __future__ import annotations

import random
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.fold import symbols
from seed_engine.rolling import WindowHasher
from seed_engine.secrets import Leak, SecretIndex
from seed_engine.streams import Transcript

KEY = b"a key that only this test knows."
LETTERS = "abcdefghijklmnopqrstuvwxyzáéñüç"
NAMES = st.text(LETTERS, min_size=6, max_size=12)


def find(text: str, values: list[tuple[str, str]]) -> list[Leak]:
    return list(SecretIndex.build(values, KEY).find([text]))


LONG_VALUES = st.tuples(NAMES, st.text(LETTERS, min_size=10, max_size=14)).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(LONG_VALUES, st.data())
def test_any_long_value_is_found_one_edit_away(value: str, data: st.DataObject) -> None:
    index = SecretIndex.build([(value, "LOCATION")], KEY)
    if index.unsearchable:
        return
    places = [at for at, character in enumerate(value) if character != " "]
    at = data.draw(st.sampled_from(places))
    edited = data.draw(
        st.sampled_from(
            [value[:at] + value[at + 1 :], value[:at] + "7" + value[at + 1 :], value[:at] + "q" + value[at:]]
        )
    )
    leaks = index.find([f"she lives in {edited}, I think"])
    assert leaks, "one edit"
    assert {leak.how for leak in leaks} <= {"near", "normalised", "exact"}


def test_two_edits_are_another_value_and_short_values_have_no_near_ones() -> None:
    values = [("Martha Quillfeather", "PERSON"), ("Ana Quill", "PERSON"), ("4929 1234 5678 9010", "CREDIT_CARD")]
    assert [leak.how for leak in find("Marta Quillfeather", values=values)] == ["near"]
    assert [leak.how for leak in find("Quilfeather, Martha", values=values)] == ["near"]
    assert [leak.how for leak in find("4929 1234 5678 9011", values=values)] == ["near"]
    assert [leak.how for leak in find("Martha Quillfeather", values=values)] == ["exact"]
    assert find("Marta Quilfeather", values=values) == []
    assert find("Ana Quilt", values=values) == []
    assert [leak.how for leak in find("4929 1234 5678 9100", values=values)] == ["near"]  # a digit that moved
    assert find("4929 1234 5678 9122", values=values) == []


def test_near_forms_are_bounded_and_what_is_left_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seed_engine.near.MOST", 1)
    index = SecretIndex.build([("Martha Quillfeather", "LOCATION"), ("Roderick Ashdownham", "LOCATION")], KEY)
    assert index.not_near == 1
    assert index.find(["Marta Quillfeather"])
    assert index.find(["Rodrick Ashdownham"]) == ()
    assert index.find(["Roderick Ashdownham"])


def test_whole_arrays_find_what_a_naive_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    # A small chunk, so that windows are spread over many.
    monkeypatch.setattr("seed_engine.near._CHUNK", 64)
    stream = random.Random(11)
    values = ["".join(stream.choices("abc", k=stream.randint(14, 17))) for _ in range(40)]
    index = SecretIndex.build([(value, "ID") for value in values], KEY)
    hits = 0
    for _ in range(200):
        words = ["".join(stream.choices("abc", k=stream.randint(13, 18))) for _ in range(12)]
        words[stream.randrange(12)] = edited(stream.choice(values), stream)
        hits += (expected := [word for word in words if any(one_edit(word, value) for value in values)]) != []
        text = " ".join(words)
        leaks = index.find([text])
        for word in expected:
            at = text.index(word)
            assert any(leak.start < at + len(word) and at < leak.end for leak in leaks), word
        assert all(one_edit_of_some_window(text[leak.start : leak.end], values) for leak in leaks)
    assert hits > 150


def test_every_edit_that_leaves_one_half_as_it_was_is_found() -> None:
    """Every letter deleted, every letter doubled by another, every letter moved anywhere within either half."""
    value = "abcdefghijklmnopqrst"
    index = SecretIndex.build([(value, "ID")], KEY)
    for at in range(len(value)):
        rest = value[:at] + value[at + 1 :]
        assert index.find([rest]), (at, "deleted")
        assert index.find([f"{value[:at]}z{value[at:]}"]), (at, "added")
        assert index.find([f"{value[:at]}z{value[at + 1 :]}"]), (at, "changed")
        half = range(8, len(value)) if at >= 8 else range(len(value) - 8)
        for to in half:
            assert index.find([rest[:to] + value[at] + rest[to:]]), (at, to, "moved")


def test_one_speakers_turns_are_searched_across_another_speakers() -> None:
    index = SecretIndex.build([("Martha Quillfeather", "LOCATION")], KEY)
    turns, speakers = ("it is Marta", "go on", "Quillfeather, thanks"), ("user", "agent", "user")
    (leaks,) = index.find_all([Transcript(turns, speakers)])
    assert [(leak.how, leak.turn, leak.end_turn) for leak in leaks] == [("near", 0, 2)]
    assert index.find_all([Transcript(turns, ("user", "user", "agent"))]) == ((),)


@given(st.text(string.ascii_lowercase, min_size=2, max_size=30), st.data())
def test_a_window_without_a_character_hashes_like_the_text_without_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    length = data.draw(st.integers(2, len(text) - start))
    at = data.draw(st.integers(0, length - 1))
    hasher = WindowHasher(KEY)
    window = text[start : start + length]
    whole = hasher.read(symbols(text)).without(*(np.array([value]) for value in (start, length, at)))
    cut = hasher.read(symbols(window[:at] + window[at + 1 :])).at(np.array([0]), length - 1)
    assert whole.tolist() == cut.tolist()


def edited(value: str, stream: random.Random) -> str:
    at = stream.randrange(len(value))
    return stream.choice(
        (value[:at] + value[at + 1 :], f"{value[:at]}c{value[at + 1 :]}", f"{value[:at]}a{value[at:]}")
    )


def one_edit(word: str, value: str) -> bool:
    """At most one character of each deleted makes them the same; the definition, tried in every place."""
    return bool(deletions(word) & deletions(value))


def deletions(word: str) -> set[str]:
    return {word} | {word[:at] + word[at + 1 :] for at in range(len(word))}


def one_edit_of_some_window(found: str, values: list[str]) -> bool:
    return any(one_edit("".join(found.split()), value) for value in values)
