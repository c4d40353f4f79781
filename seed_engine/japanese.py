"""Japanese names and places, from the word classes that a morphological tagger gives.

Japanese is written without blanks and without capitals, so that a name is known by the dictionary: UniDic marks proper
nouns as people's (姓 surname, 名 given name) or as places. The door to fugashi (MeCab) and unidic-lite, loaded late.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from seed_engine.spans import EntitySpan

_SCORE = 0.85
# MeCab is quick on short input; a seam at a line or sentence end cuts no name.
_LONGEST = 5_000
_SEAM = re.compile(r"[\n。！？]")
# What may stand between two parts of one foreign or spaced name.
_JOINTS = frozenset({"・", "=", "＝", "·"})
# 東京 + 都, 新宿 + 区: the kind of place belongs to its name.
_ENDINGS = "都 道 府 県 市 区 町 村 郡 州 省 島 諸島 半島 川 山 湖 湾 港 空港 駅 丁目 番地 番 号"
_PLACE_ENDINGS = frozenset(_ENDINGS.split())
# The tagger takes these for surnames or given names; alone they say nothing about a person.
_COMMON = "神 仏 王 父 母 夢 光 愛 心 空 花 桜 春 夏 秋 冬 海 星 月 太陽 皇 殿 姫 様 君 僕 俺"
_NOT_NAMES = frozenset(_COMMON.split())
_KATAKANA = re.compile(r"[ァ-ヶー]{2,20}")
_NUMBER = re.compile(r"[0-9０-９一二三四五六七八九十〇]+")

Word = tuple[int, int, str, str]


class JapaneseTagger:
    """Finds people and places in Japanese text.

    Guarantees:
        The same text gets the same spans, wherever it stands; nothing is kept between calls.
    """

    def find(self, text: str) -> list[EntitySpan]:
        """Spans of a text, sorted: PERSON and LOCATION, each with the same score."""
        found: list[EntitySpan] = []
        for at, piece in _pieces(text):
            found += _spans(list(self._words(piece, at)))
        return found

    def knows(self, word: str) -> bool:
        """Whether the dictionary has a word whole, and not as somebody's name."""
        words = list(self._tagger(word))
        return len(words) == 1 and not words[0].is_unk and words[0].feature.pos3 != "人名"

    def surfaces(self, text: str) -> list[str]:
        """The words of a text as they stand, blanks left out."""
        found: list[str] = []
        for _, piece in _pieces(text):
            if not piece or piece[-1].isspace():
                # The quick way drops the blanks at the end, some of which are words of the dictionary.
                found += [word.surface for word in self._tagger(piece)]
            else:
                found += filter(None, self._cutter.parse(piece).split(" "))
        return found

    def _words(self, piece: str, at: int) -> Iterator[Word]:
        place = 0
        for word in self._tagger(piece):
            # MeCab drops blanks, so the place of a word is looked up.
            start = piece.find(word.surface, place)
            place = start + len(word.surface)
            kind = ""
            # Most words are neither, and taking a feature apart costs more than finding the word.
            if "名詞" in (raw := word.feature_raw) and ("固有名詞" in raw or "数詞" in raw):
                feature = word.feature
                kind = feature.pos3 if feature.pos2 == "固有名詞" else "数" if feature.pos2 == "数詞" else ""
            if word.is_unk and _KATAKANA.fullmatch(word.surface):
                kind = "未知"
            yield at + start, at + place, word.surface, kind

    @cached_property
    def _tagger(self) -> Any:
        return _fugashi("")

    @cached_property
    def _cutter(self) -> Any:
        # Words alone, written out by MeCab itself: half again as quick as one object a word.
        return _fugashi(" -Owakati")


def _fugashi(form: str) -> Any:
    import fugashi
    import unidic_lite

    # The dictionary is named: else fugashi would take any that the machine has.
    return fugashi.Tagger(f'-d "{unidic_lite.DICDIR}" -r "{unidic_lite.DICDIR}/dicrc"{form}')


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    # MeCab ends a text at a NUL.
    text = text.replace("\x00", " ")
    start = 0
    while len(text) - start > _LONGEST:
        seams = [match.end() for match in _SEAM.finditer(text, start, start + _LONGEST)]
        end = seams[-1] if seams else start + _LONGEST
        yield start, text[start:end]
        start = end
    yield start, text[start:]


def _spans(words: Sequence[Word]) -> list[EntitySpan]:
    found: list[EntitySpan] = []
    k = 0
    while k < len(words):
        kind = words[k][3]
        end = _end_of_place(words, k) if kind == "地名" else _end_of_person(words, k)
        if end == k:
            k += 1
            continue
        if end - k > 1 or words[k][2] not in _NOT_NAMES:
            entity_type = "LOCATION" if kind == "地名" else "PERSON"
            found.append(EntitySpan(words[k][0], words[end - 1][1], entity_type, _SCORE, "japanese"))
        k = end
    return found


def _end_of_person(words: Sequence[Word], k: int) -> int:
    """The end of a name that begins at word `k`, or `k`: known to the dictionary, or unknown but joined."""
    if words[k][3] not in ("人名", "未知"):
        return k
    end, joined = k + 1, False
    while end < len(words):
        if words[end][3] == "人名":
            end += 1
        elif words[end][2] in _JOINTS and end + 1 < len(words) and words[end + 1][3] in ("人名", "未知", "地名"):
            end, joined = end + 2, True
        else:
            break
    return end if joined or words[k][3] == "人名" else k


def _end_of_place(words: Sequence[Word], k: int) -> int:
    end = k + 1
    while end < len(words):
        surface, kind = words[end][2], words[end][3]
        numbered = kind == "数" or _NUMBER.fullmatch(surface) or surface in "-－の"
        counted = numbered and any(words[i][2] in _PLACE_ENDINGS for i in range(end, min(end + 3, len(words))))
        if kind == "地名" or surface in _PLACE_ENDINGS or counted:
            end += 1
        else:
            break
    return end
