"""Japanese as today's dictionaries spell it: old characters, half-width kana and full-width Latin, with places kept."""

from __future__ import annotations

import re
import unicodedata

# Old and variant characters of words that tell health, faith, crime, and of names; one for one, so places stay.
_OLD = (
    "醫圖國學會體發斷檢藥齒殘驗竊盜處證辯勞聽覺廢黨佛敎教禪靈礙眞澤邊邉齋齊髙﨑惡鬪應當實寫對歸屬"
    "廣縣區號聲變來經續總轉戀戰單獸譯讀賣豐雙壽巖櫻曉榮濱瀨瀧藏嶋嶌與餘獨腦膽蠱癩攝假傳圓壞學"
)
_NEW = (
    "医図国学会体発断検薬歯残験窃盗処証弁労聴覚廃党仏教教禅霊碍真沢辺辺斎斉高崎悪闘応当実写対帰属"
    "広県区号声変来経続総転恋戦単獣訳読売豊双寿巌桜暁栄浜瀬滝蔵島島与余独脳胆蠱癩摂仮伝円壊学"
)
_TABLE = str.maketrans(_OLD, _NEW)
_IS_OLD = re.compile(f"[{_OLD}]")
_IS_WIDE = re.compile(r"[！-～｡-ﾟ㍻-㍿㌀-㍗]+")


def plain_form(text: str) -> tuple[str, list[int] | None]:
    """The text in today's spelling.

    Returns:
        The plain text, and for each of its code points (and one past the last) the place in `text` where it came
        from; None where places are the same.
    """
    if _IS_OLD.search(text):
        text = text.translate(_TABLE)
    if not _IS_WIDE.search(text):
        return text, None
    pieces: list[str] = []
    origin: list[int] = []
    done = 0
    for match in _IS_WIDE.finditer(text):
        pieces.append(text[done : match.start()])
        origin += range(done, match.start())
        piece, places = _narrow(match[0], match.start())
        pieces.append(piece)
        origin += places
        done = match.end()
    pieces.append(text[done:])
    origin += range(done, len(text) + 1)
    plain = "".join(pieces)
    return plain, None if len(plain) == len(text) else origin


def _narrow(run: str, at: int) -> tuple[str, list[int]]:
    """One run in normal form; a voiced mark joins the kana before it."""
    pieces: list[str] = []
    places: list[int] = []
    k = 0
    while k < len(run):
        width = 2 if run[k + 1 : k + 2] in ("ﾞ", "ﾟ") and "ｦ" <= run[k] <= "ﾝ" else 1
        plain = unicodedata.normalize("NFKC", run[k : k + width])
        pieces.append(plain)
        places += [at + k] * len(plain)
        k += width
    return "".join(pieces), places
