"""Words that a category is told by, found in Japanese text in one pass.

The lists are data (`data/cues_ja.txt`). All words stand in one pattern, folded into a trie, so that the longest match
wins at every place and a longer harmless word (ゲイリー, 障害物) hides the cue inside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from seed_engine.sensitive.pair_codes import CODES, character_codes, pair_codes
from seed_engine.sensitive.plain_form import plain_form

_TRAPS = "traps"
_ENDINGS = "endings:"
_KATAKANA = re.compile(r"[ァ-ヺー]")
_HIRAGANA_WORD = re.compile(r"[ぁ-ゖー]+")
_LATIN_WORD = re.compile(r"[A-Za-z0-9+]+")
_CLOSE_LEFT = re.compile(r"[一-鿿々ァ-ヺー]{2}$")
_WORD_GOES_ON = re.compile(r"[一-鿿々]")
# Before a word in hiragana another word must have ended: a particle, or no hiragana at all.
_PARTICLES = frozenset("のはがをにでともやへら")
# What happened to things or by nature is no crime and no illness.
_VETOES = {
    "被害": re.compile(
        r"(?:台風|地震|豪雨|大雨|水害|洪水|津波|噴火|干ばつ|竜巻|落雷|停電|風評|霜|害虫|獣|イノシシ|シカ)[^。]{0,12}$"
    ),
    "障害": re.compile(
        r"(?:システム|通信|サーバ|ネットワーク|回線|サービス|アプリ|電源|機器|接続|成長の|発展の|普及の|実現の|導入の|最大の)[^。]{0,8}$"
    ),
    "ハーフ": re.compile(r"(?:前半|後半|ピザ|トースト|サイズ)[^。]{0,3}$"),
    "信者": re.compile(r"(?:熱狂的な|iPhone|ブランドの)[^。]{0,4}$"),
    "前科": re.compile(
        r"(?:遅刻|寝坊|浮気|忘れ物|ドタキャン|つまみ食い|延期|約束|締め切り|夜更かし|食べ過ぎ)[^。]{0,8}$"
    ),
}
_VETO_REACH = 24


@dataclass(frozen=True, slots=True)
class Cue:
    """A word of a category.

    Attributes:
        start: first code point, in the text as given.
        end: one past the last.
        category: the category's id.
    """

    start: int
    end: int
    category: str


def find_cues(text: str) -> list[Cue]:
    """Cues of a text, sorted and not overlapping; half-width kana, full-width Latin and old characters are read too."""
    folded, origin = plain_form(text)
    pattern, known, endings = _lexicon()
    found: list[Cue] = []
    done = 0
    for place in _starts(folded):
        match = pattern.match(folded, place) if place >= done else None
        if match is None:
            continue
        word, start, done = match[0], place, match.end()
        end, category = done, known.get(word) or ""
        if category == _TRAPS:
            continue
        if not category or not _stands_alone(folded, start, end, word):
            category = endings.get(word, "")
            if not category or not _is_ending(folded, start, end):
                continue
        if _vetoed(folded, start, word):
            continue
        found.append(Cue(start, end, category) if origin is None else Cue(origin[start], origin[end], category))
    return found


def _starts(text: str) -> list[int]:
    """Where a word may begin, ascending: one look-up for all pairs is far quicker than the pattern at each place."""
    pairs, single, heads = _beginnings()
    may = pairs[pair_codes(text + " ")] | single[character_codes(text) & (CODES - 1)]
    # Many pairs begin ordinary words too, or share a code; three characters tell nearly all of them apart.
    return [
        at
        for at in np.flatnonzero(may).tolist()
        if not heads.isdisjoint((text[at], text[at : at + 2], text[at : at + 3]))
    ]


def known_words() -> dict[str, str]:
    """Every cue with its category; traps are not among them."""
    return {word: name for word, name in _lexicon()[1].items() if name != _TRAPS}


def _stands_alone(text: str, start: int, end: int, word: str) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    if _KATAKANA.match(word[0]) and before and _KATAKANA.match(before):
        return False
    if _KATAKANA.match(word[-1]):
        if after and _KATAKANA.match(after):
            return False
        # クリスチャン・何某 is somebody's name; ゲイ・レズビアン are two cues.
        if after == "・" and _KATAKANA.match(text[end + 1 : end + 2]):
            return _lexicon()[0].match(text, end + 1) is not None
    if _LATIN_WORD.fullmatch(word):
        return not (_latin(before) or _latin(after))
    if _HIRAGANA_WORD.fullmatch(word):
        return not before or before in _PARTICLES or not _HIRAGANA_WORD.match(before)
    return True


def _latin(sign: str) -> bool:
    return bool(sign) and sign.isascii() and sign.isalnum()


def _is_ending(text: str, start: int, end: int) -> bool:
    if _CLOSE_LEFT.search(text, max(0, start - 2), start) is None:
        return False
    return _WORD_GOES_ON.match(text, end) is None


def _vetoed(text: str, start: int, word: str) -> bool:
    for part, pattern in _VETOES.items():
        if part in word:
            return pattern.search(text, max(0, start - _VETO_REACH), start) is not None
    return False


@cache
def _lexicon() -> tuple[re.Pattern[str], dict[str, str], dict[str, str]]:
    text = (files("seed_engine.sensitive") / "data" / "cues_ja.txt").read_text("utf-8")
    known: dict[str, str] = {}
    endings: dict[str, str] = {}
    heading = ""
    for line in text.splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            target = endings if heading.startswith(_ENDINGS) else known
            for word in line.split():
                # A word of two lists belongs to the first; a trap is a trap.
                if heading == _TRAPS or word not in target:
                    target[word] = heading.removeprefix(_ENDINGS)
    return re.compile(trie_pattern([*known, *endings])), known, endings


@cache
def _beginnings() -> tuple[NDArray[np.bool_], NDArray[np.bool_], frozenset[str]]:
    """By code, whether a pair or a character alone may begin a word; and the first characters of all words, up to 3."""
    _, known, endings = _lexicon()
    pairs, single = np.zeros(CODES, dtype=bool), np.zeros(CODES, dtype=bool)
    for word in (words := [*known, *endings]):
        table, codes = (pairs, pair_codes(word[:2])) if word[1:] else (single, character_codes(word) & (CODES - 1))
        table[codes] = True
    return pairs, single, frozenset(word[:3] for word in words)


def trie_pattern(words: list[str]) -> str:
    """A pattern that matches the longest of the words, shared beginnings written once.

    Examples:
        >>> trie_pattern(["ab", "abc", "d"])
        '(?:ab(?:c)?|d)'
    """
    root: dict[str, dict[str, object]] = {}
    for word in words:
        node: dict[str, object] = root  # type: ignore[assignment]
        for sign in (*word, ""):
            node = node.setdefault(sign, {})  # type: ignore[assignment]
    return _branch(root)


def _branch(node: dict[str, object] | dict[str, dict[str, object]]) -> str:
    parts = []
    for sign in sorted(key for key in node if key):
        rest, text = node[sign], re.escape(sign)
        while isinstance(rest, dict) and len(rest) == 1 and "" not in rest:
            ((only, rest),) = rest.items()
            text += re.escape(only)
        parts.append(text + (_branch(rest) if isinstance(rest, dict) and set(rest) != {""} else ""))
    if not parts:
        return ""
    return f"(?:{'|'.join(parts)})" + ("?" if "" in node else "")
