"""The word table: places hold, company and length change nothing, and pairs of characters agree with a slow twin."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seed_engine.japanese import JapaneseTagger
from seed_engine.sensitive import cues
from seed_engine.sensitive.meaning import WIDTH, nearest_stretch, word_table
from seed_engine.sensitive.pair_codes import CODES, pair_codes

TEXTS = st.text(alphabet="田中さんは糖尿病です。ｶﾞﾝ😀\ud83d a\n「」逮捕された", max_size=60)
TAGGER = JapaneseTagger()


@given(TEXTS)
def test_a_stretch_lies_in_its_text(text: str) -> None:
    place = nearest_stretch(text)
    assert 0 <= place.start <= place.own <= place.end <= len(text)
    assert "".join(place.cut(text)) == text[place.start : place.end]


@given(TEXTS)
def test_pair_codes_are_those_of_the_slow_twin(text: str) -> None:
    slow = [(ord(one) * 31 + ord(two)) % CODES for one, two in pairwise(text)]
    assert pair_codes(text).tolist() == slow


@given(TEXTS)
def test_a_cue_may_begin_exactly_where_the_pattern_matches(text: str) -> None:
    pattern = cues._lexicon()[0]
    places = set(cues._starts(text))
    for at in range(len(text)):
        match = pattern.match(text, at)
        assert match is None or at in places, match


def test_numbers_are_of_the_stretch_alone() -> None:
    stretches = [("", "田中さんは糖尿病です。"), ("雨が降った。", "母は家を出た。"), ("", "")]
    together = word_table().meanings(stretches)
    assert together.shape == (3, WIDTH)
    assert np.array_equal(together, np.vstack([word_table().meanings([one]) for one in stretches]))
    assert not together[2].any()


def test_old_characters_and_half_width_kana_mean_the_same() -> None:
    read = word_table().meanings(
        [("", "醫師の檢査を受けた。"), ("", "医師の検査を受けた。"), ("", "ガンの検査"), ("", "ｶﾞﾝの検査")]
    )
    assert np.array_equal(read[0], read[1])
    assert np.array_equal(read[2], read[3])


@given(TEXTS.map(lambda text: text.replace("\ud83d", "\u3000\r\x85 ")))
def test_words_cut_quickly_are_those_of_the_slow_twin(text: str) -> None:
    slow = [text[start:end] for start, end, _, _ in TAGGER._words(text, 0)]
    assert TAGGER.surfaces(text) == slow
