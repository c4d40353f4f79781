from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.digests import DigestBuilder
from seed_engine.rolling import MemberSet
from seed_engine.spoken import SPOKEN, spoken_digits
from seed_engine.streams import Transcript, read

PAIRS = st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**16 - 1)), max_size=40)


@given(PAIRS, st.lists(st.integers(0, 2**64 - 1), max_size=10))
def test_a_table_is_a_dictionary_that_keeps_the_smallest_number(
    pairs: list[tuple[int, int]], others: list[int]
) -> None:
    builder, naive = DigestBuilder(), dict[int, int]()
    for digest, number in pairs:
        builder.add(digest, number)
        naive[digest] = min(number, naive.get(digest, number))
    table = builder.table()
    assert len(table) == len(naive)
    asked = [*others, *naive]
    assert [table.get(digest) for digest in asked] == [naive.get(digest) for digest in asked]
    assert [digest in table for digest in asked] == [digest in naive for digest in asked]
    assert table.first(asked) == next((naive[digest] for digest in asked if digest in naive), None)


def test_a_member_set_misses_none_and_takes_few_strangers_in() -> None:
    """Of a million strangers beside 5000 members, fewer than one in a hundred pass; expected: one in a thousand."""
    stream = np.random.default_rng(2)
    members = stream.integers(0, 2**64, 5000, dtype=np.uint64)
    strangers = stream.integers(0, 2**64, 1_000_000, dtype=np.uint64)
    kept = MemberSet(members)
    assert len(kept.members(members)) == 5000
    assert len(kept.members(strangers)) < 10_000
    assert len(MemberSet(members[:0]).members(strangers)) == 0


@given(st.lists(st.sampled_from([*SPOKEN, "ones", "fiv", "x", "zeroes", "word", "ñ"]), max_size=12))
def test_spoken_digits_are_found_where_a_naive_search_finds_them(said: list[str]) -> None:
    points = np.array([ord(letter) for word in said for letter in word], dtype=np.uint32)
    edges = np.cumsum([0, *map(len, said)])
    first, digit, size = spoken_digits(points, edges)
    naive = [(int(edges[n]), ord(SPOKEN[word]), len(word)) for n, word in enumerate(said) if word in SPOKEN]
    assert list(zip(first.tolist(), digit.tolist(), size.tolist(), strict=True)) == naive


TURNS = st.lists(st.text("ab1 ", max_size=8), max_size=6)


@given(st.lists(TURNS, max_size=4), st.data())
def test_streams_hold_every_order_of_turns_and_their_digits(talks: list[list[str]], data: st.DataObject) -> None:
    transcripts = [
        Transcript(
            tuple(turns), tuple(data.draw(st.lists(st.sampled_from("xy"), min_size=len(turns), max_size=len(turns))))
        )
        for turns in talks
    ]
    orders = []
    for one in transcripts:
        orders.append("".join(one.turns))
    known = dict.fromkeys(speaker for one in transcripts for speaker in one.speakers or ())
    for one in transcripts:
        speakers = one.speakers or ()
        for speaker in known:
            own = [turn for turn, name in zip(one.turns, speakers, strict=True) if name == speaker]
            if 1 < len(own) < len(speakers):
                orders.append("".join(own))
    text = "".join(orders).replace(" ", "")
    for streams in read(transcripts):
        assert streams.text(0, streams.digits) == text
        assert streams.text(streams.digits, streams.spoken - streams.digits) == "".join(filter(str.isdecimal, text))
        for start in range(streams.digits):
            place = streams.place(start, 1)
            assert transcripts[place.conversation].turns[place.turn][place.start : place.end] == streams.text(start, 1)
