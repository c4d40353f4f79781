"""Japanese people and places: what the dictionary knows, what a cue gives, and what is an ordinary word."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.config import DetectorConfig
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.japanese import _LONGEST, JapaneseTagger

TAGGER = JapaneseTagger()


@pytest.mark.parametrize(
    ("text", "entity_type", "values"),
    [
        ("山田太郎と申します", "PERSON", ["山田太郎"]),
        ("ジョン・スミスに会いました", "PERSON", ["ジョン・スミス"]),
        ("担当の田中部長にお願いします", "PERSON", ["田中"]),
        ("東京都新宿区に住んでいます", "LOCATION", ["東京都新宿区"]),
        ("大阪から京都へ行きます", "LOCATION", ["大阪", "京都"]),
        ("注文した商品がまだ届きません", "PERSON", []),
        ("返品の手続きを教えてください", "LOCATION", []),
    ],
)
def test_the_dictionary_knows_names_and_places(text: str, entity_type: str, values: list[str]) -> None:
    """Surname and given name are one span, a place has its kind with it, and ordinary words are none."""
    found = [text[s.start : s.end] for s in TAGGER.find(text) if s.entity_type == entity_type]
    assert found == values


def test_offsets_hold_across_blanks_and_pieces() -> None:
    """MeCab drops blanks and long texts are read in pieces: offsets still point at the name."""
    text = "  東京　に\n" + "あいうえお。" * _LONGEST + " 山田太郎 です"
    places = [text[s.start : s.end] for s in TAGGER.find(text)]
    assert places[0] == "東京"
    assert "山田太郎" in places


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_gives_sorted_spans_inside_it(text: str) -> None:
    """Nulls, lone marks and emoji are text as well."""
    spans = TAGGER.find(text)
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


def test_a_conversation_is_searched_for_a_name_said_once() -> None:
    """The default engine reads Japanese with the tagger; a surname alone is found again by propagation."""
    turns = ("佐藤健一と申します。大阪市に住んでいます。", "佐藤様、ありがとうございます。")
    conversation = Conversation(id="j", turns=tuple(Turn(role="customer", text=text) for text in turns), language="ja")
    first, second = Detector(DetectorConfig()).detect_conversation(conversation)
    assert [turns[0][s.start : s.end] for s in first] == ["佐藤健一", "大阪市"]
    assert next(turns[1][s.start : s.end] for s in second).startswith("佐藤")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("電話番号は090-1234-5678です", "090-1234-5678"),
        ("カードは4111111111111111です", "4111111111111111"),
        ("メールはtaro@example.comです", "taro@example.com"),
        ("IPは192.168.10.20でした", "192.168.10.20"),
        ("IBANはGB82WEST12345698765432です", "GB82WEST12345698765432"),
        ("전화는 010-1234-5678입니다", "010-1234-5678"),
    ],
)
def test_a_value_that_touches_kana_or_hangul_is_found(text: str, value: str) -> None:
    """For a regular expression kana are letters of the same word: no boundary stands before the number."""
    found = Detector(DetectorConfig()).detect(text, None)
    start = text.index(value)
    assert any(s.start <= start and start + len(value) <= s.end for s in found)


def test_a_name_behind_a_nul_is_found() -> None:
    text = "会議\x00。佐藤一郎が来た。"
    assert "佐藤一郎" in [text[span.start : span.end] for span in JapaneseTagger().find(text)]
