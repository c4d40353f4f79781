from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.errors import SeedEngineError
from seed_engine.fingerprints import PASSAGE_WORDS, Copy, Fingerprints
from tests.clock import growth

KEY = b"a key that only this test knows."
LINE = "The parcel lay for two weeks behind the blue shed of my neighbour, and nobody told me."


def prints(*sources: tuple[str, list[str]], allowed: tuple[str, ...] = ()) -> Fingerprints:
    return Fingerprints.build(sources, KEY, allowed=allowed)


def test_finds_a_copy_in_another_spelling_at_its_place() -> None:
    overlap = prints(("a", [LINE])).overlap(
        ["Yes.", "Well: THE PARCEL lay, for two weeks -- behind the blue shéd of mine."]
    )
    (copy,) = overlap.copies
    assert copy == Copy(1, 6, 62, 11)
    assert overlap.copied == 4


def test_seven_words_are_not_a_copy_and_eight_are() -> None:
    words = ["one", "cat", "may", "look", "at", "a", "king", "now"]
    found = prints(("a", [" ".join(words)]))
    assert found.overlap([" ".join(words[:7]) + " then"]).copied == 0
    assert found.overlap(["so " + " ".join(words) + " then"]).copied == 1


def test_forty_letters_are_enough_for_long_words() -> None:
    long = "Donaudampfschifffahrtsgesellschaft Kapitänsmützenabzeichen"
    assert prints(("a", [long])).overlap([f"x {long.upper()} y"]).copied == 1


def test_a_copy_neither_crosses_turns_nor_markers() -> None:
    found = prints(("a", [LINE]))
    assert found.overlap(["The parcel lay for two weeks", "behind the blue shed of"]).copied == 0
    assert found.overlap(["The parcel lay for two [DATE_1] weeks behind the blue shed"]).copied == 0


def test_what_three_people_said_is_nobodys() -> None:
    sources = [(unit, [LINE]) for unit in "abc"]
    assert prints(*sources).size == 0
    assert prints(*sources[:2]).size > 0
    assert prints(*[("a", [LINE])] * 5).size > 0


def test_house_texts_are_allowed() -> None:
    assert prints(("a", [LINE]), allowed=(LINE,)).size == 0


LEXICON = ["red", "green", "blue", "rock", "river", "cloud", "seven", "12", "año", "über"]


@given(st.lists(st.sampled_from(LEXICON), max_size=40), st.data())
def test_agrees_with_a_naive_twin(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    other = data.draw(st.permutations(words)) + words[: data.draw(st.integers(0, len(words)))]
    assert all(sum(map(len, words[i : i + PASSAGE_WORDS - 1])) < 40 for i in range(len(words)))
    naive = {tuple(words[i : i + 8]) for i in range(len(words) - 7)}
    expected = [tuple(other[i : i + 8]) in naive for i in range(len(other) - 7)]
    overlap = prints(("a", [text])).overlap([" ".join(other)])
    assert (overlap.passages, overlap.copied) == (len(expected), sum(expected))


def test_copying_one_conversation_is_always_seen_and_fresh_text_never() -> None:
    stream = random.Random(11)
    lexicon = ["".join(stream.choices("aeioulnrst", k=stream.randint(2, 8))) for _ in range(3000)]
    talk = [[" ".join(stream.choices(lexicon, k=12)) for _ in range(6)] for _ in range(400)]
    found = Fingerprints.build(((str(i), turns) for i, turns in enumerate(talk[:200])), KEY)
    assert all(found.overlap(turns).copied == found.overlap(turns).passages > 0 for turns in talk[:200])
    assert all(found.overlap(turns).copied == 0 for turns in talk[200:])


def test_fingerprints_are_neither_pickled_nor_shown() -> None:
    found = prints(("a", [LINE]))
    assert "parcel" not in repr(found)
    with pytest.raises(SeedEngineError):
        pickle.dumps(found)


def test_a_large_source_makes_a_conversation_no_dearer() -> None:
    rng = random.Random(5)

    def said(count: int) -> str:
        return " ".join("".join(rng.choices("abcdefghij", k=7)) for _ in range(count))

    small, large = (Fingerprints.build([("a", [said(words)])], KEY) for words in (2_000, 200_000))
    text = [said(200) for _ in range(4)]
    assert large.size > 90 * small.size
    for index in (small, large):
        assert index.overlap(text).copied == 0

    def often(index: Fingerprints) -> None:
        for _ in range(20):
            index.overlap(text)

    # Sorting the index for each conversation, as was once done, failed this.
    assert growth(lambda: often(large), lambda: often(small)) < 5
