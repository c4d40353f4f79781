"""Excerpts: every unusual capitalised word stands in one, whole, and long texts stay in pieces."""

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from seed_engine.excerpts import excerpts

words = st.lists(
    st.sampled_from(["Quillfeather", "the", "Monday", "runs", "X", "a" * 70, "B" + "b" * 80, "\n", "Ñuño"]), max_size=60
)


@given(words.map(" ".join))
def test_sorted_apart_and_around_every_unusual_word(text: str) -> None:
    found = excerpts(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(found))
    for match in re.finditer(r"Quillfeather|Ñuño", text):
        assert any(start <= match.start() and match.end() <= end for start, end in found)


def test_ordinary_text_needs_no_reading() -> None:
    assert excerpts("The order is late. Thanks for waiting. " * 20) == []


def test_an_excerpt_is_short_however_long_the_text() -> None:
    found = excerpts("Quillfeather " * 100_000)
    assert max(end - start for start, end in found) <= 5_000
    assert sum(end - start for start, end in found) >= 1_290_000
