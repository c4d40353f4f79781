"""Cue words: what is one, what only looks like one, and where it stands in odd spellings."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seed_engine.errors import UnknownNameError
from seed_engine.sensitive.categories import all_categories, category, japanese_categories
from seed_engine.sensitive.cues import _lexicon, find_cues, known_words, trie_pattern
from seed_engine.sensitive.plain_form import plain_form


def _found(text: str) -> list[tuple[str, str]]:
    return [(text[cue.start : cue.end], cue.category) for cue in find_cues(text)]


def test_categories_are_the_laws_and_each_names_its_source() -> None:
    assert len(japanese_categories(extensions=False)) == 11
    assert len({item.id for item in all_categories()}) == len(all_categories())
    assert all(item.source and item.ja and item.en and item.es and item.definition for item in all_categories())
    assert all(item.definition_ja for item in japanese_categories())
    with pytest.raises(UnknownNameError, match="medical_history"):
        category("astrology")


def test_every_japanese_category_has_cues() -> None:
    assert {item.id for item in japanese_categories()} == set(known_words().values())


@pytest.mark.parametrize(
    ("text", "word", "name"),
    [
        ("胃がんと診断された", "胃がん", "medical_history"),
        ("メニエール症候群を患う", "症候群", "medical_history"),
        ("凶器準備集合罪が成立", "罪", "criminal_procedure"),
        ("彼はゲイである", "ゲイ", "lgbt"),
        ("ゲイ・レズビアンの会", "レズビアン", "lgbt"),
        ("ＨＩＶに感染", "ＨＩＶ", "medical_history"),
        ("ﾄﾗﾝｽｼﾞｪﾝﾀﾞｰと公表", "ﾄﾗﾝｽｼﾞｪﾝﾀﾞｰ", "lgbt"),
        ("醫師の診斷書", "診斷書", "health_check"),
        ("詐欺の被害に遭った", "被害に遭", "crime_victim"),
        ("被差別部落の出身", "被差別部落", "social_status"),
        ("前科がある", "前科", "criminal_record"),
    ],
)
def test_a_cue_is_found_where_it_stands(text: str, word: str, name: str) -> None:
    assert (word, name) in _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "ゲイリー・オールドマンが来日した",
        "クリスチャン・ベール主演",
        "クリスチャン・ナントカさん",
        "かけがえのない人",
        "がんばってください",
        "遅刻の前科がある",
        "台風の被害に遭った",
        "システム障害のお知らせ",
        "ハーフマラソンに出る",
        "左翼手の好守備",
        "ガンダムの新作",
        "ライブの告知です",
        "臆病な犬",
        "ALSOKに電話した",
        "シマウマとアライグマ",
    ],
)
def test_a_word_that_only_looks_like_a_cue_is_none(text: str) -> None:
    assert _found(text) == []


def test_every_word_of_the_lexicon_is_found_alone() -> None:
    lost = [word for word in known_words() if word not in [found for found, _ in _found(word)]]
    assert lost == []


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="がん病ゲイリ障害被・の者１ｶﾞ癌 a\n診断され😀", max_size=60))
def test_places_are_sorted_and_inside_and_as_a_plain_search_finds_them(text: str) -> None:
    cues = find_cues(text)
    assert all(0 <= cue.start < cue.end <= len(text) for cue in cues)
    assert all(first.end <= second.start for first, second in itertools.pairwise(cues))
    plain, origin = plain_form(text)
    # The twin: the pattern at every place. What the quick search found, it must find too.
    matches = {m.start() if origin is None else origin[m.start()] for m in _lexicon()[0].finditer(plain)}
    assert {cue.start for cue in cues} <= matches


@given(st.text(max_size=80))
def test_plain_form_keeps_a_place_for_every_sign(text: str) -> None:
    plain, origin = plain_form(text)
    if origin is None:
        assert len(plain) == len(text)
    else:
        assert len(origin) == len(plain) + 1
        assert origin == sorted(origin)
        assert origin[-1] == len(text)


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=4), min_size=1, max_size=12))
def test_the_trie_matches_the_longest_word(words: list[str]) -> None:
    import re

    pattern, text = re.compile(trie_pattern(words)), "abcabcaabbcc"
    for start in range(len(text)):
        longest = max((word for word in words if text.startswith(word, start)), key=len, default=None)
        match = pattern.match(text, start)
        assert (match[0] if match else None) == longest
