"""Where a Japanese text speaks of a person: names, honorifics, titles, kin, pronouns.

The dictionary's names are joined with what stands beside a name that it does not know: 〜さん, 〜容疑者, a
katakana name with a dot, initials, a name with its reading or age in brackets. Recall comes first; linking
decides whom a fact is said of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from seed_engine.japanese import JapaneseTagger

Kind = Literal["name", "title", "kin", "role", "pronoun"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A person in a text.

    Attributes:
        start: first code point.
        end: one past the last, honorific included.
        kind: `name`; `title`, a name known by what stands beside it (さん, 容疑者); `kin` (父, 妻); `role`, one unnamed
            person (会社員の男); `pronoun` (私, 彼女).
    """

    start: int
    end: int
    kind: Kind


_KANJI, _KATA = "一-鿿々ヶ", "ァ-ヺー"
_HONORIFIC = (
    "さん|さま|様|氏|君|くん|ちゃん|容疑者|被告人|被告|受刑者|死刑囚|元死刑囚|服役囚|選手|監督|投手|捕手|内野手|外野手|教授|准教授|助教|博士|先生|"
    "医師|弁護士|議員|代議士|知事|市長|町長|村長|区長|首相|大臣|外相|総裁|総理|大統領|社長|会長|専務|常務|部長|課長|係長|店長|校長|園長|院長|理事長|"
    "教諭|巡査|警部|警視|巡査部長|記者|アナウンサー|アナ|キャスター|画伯|棋士|名人|九段|八段|七段|六段|五段|四段|三段|横綱|大関|関脇|親方|師匠|"
    "騎手|力士|女流|夫人|夫妻|女史|嬢|殿|卿|天皇|皇后|親王|内親王|上人|法師|和尚|住職|牧師|神父|司教|大佐|中佐|少佐|大尉|中尉|少尉|大将|中将|少将|"
    "元帥|将軍|提督|兄弟|姉妹|自身|本人|一家|遺族|館長|主将|隊長|艦長"
)
_TITLED = re.compile(
    rf"(?:[{_KANJI}]{{1,5}}|[{_KATA}]{{2,12}}(?:[・＝=][{_KATA}]{{1,12}})*|[A-ZＡ-Ｚ])(?:{_HONORIFIC})(?![{_KANJI}]{{2}})"
    r"|(?<![ぁ-ん])[ぁ-ん]{2,5}(?:さん|ちゃん|くん|氏)"
)
# A word in katakana, or a name in the Chinese or Korean manner, that acts and that no dictionary knows.
_ACTING = re.compile(
    rf"(?<![{_KATA}・A-Za-z{_KANJI}])[{_KATA}]{{3,10}}(?=は|が|も、?|によ|を[^含使用]|に[はよ]|と[会共]|の[妻夫父母死弟兄息娘子言])"
)
_SURNAMES = (
    "李王張劉陳楊黄趙呉周徐孫馬朱胡郭何高林鄭梁謝宋唐許韓馮鄧曹彭"
    "曾蕭田董袁潘蔡蒋余于杜葉程魏蘇呂丁任盧姚金朴崔尹姜柳申洪英"
)
_CONTINENTAL = re.compile(rf"(?<![{_KANJI}])[{_SURNAMES}][{_KANJI}]{{1,2}}(?=は|が|も|と|を|に|の|、|（|\()")
# The titles without a name before them, and people in general.
_NOBODY = re.compile(
    r"(?:お|ご|御)?(?:[患医]者|皆|みな|みんな|読者|お客|客|奥|お子|子ども|子供|母|父|兄|姉|爺|婆|孫|神|仏|王|店員|隊員|業者|相手|担当者?|家族|親|保護者|"
    r"学生|生徒|児童|視聴者|利用者|当事者|会員|参加者|候補者?|若者|旦那|娘|息子|看護師|医師|先生|弁護士|警察官?|駅員|記者|専門医?|名誉|担任|主治医?|現役|"
    r"同|両|各|全|元|前|現|新|副|名|貴|逆|摂|華|源|平|諸|無|和|彼|奴|我|僕|俺|お前|女性|男性|男|女|代表|大学|高校|中学|小学校|学校|病院|会社|政府|"
    r"外国人|日本人|国民|市民|住民|被害者|加害者|容疑者|お医者|お坊|お巡り|お嬢|お相撲|大家|隣|お隣|たく|沢山|たくさん|屋|ひと|人)"
    r"(?:の)?(?:さん|さま|様|氏|君|くん|ちゃん|たち)*(?:先生|ら|方)?$"
)
_DOTTED = re.compile(rf"[{_KATA}]{{2,}}(?:[・＝=][{_KATA}A-ZＡ-Ｚ]{{1,}})+")
_LATIN = re.compile(r"(?<![A-Za-z])(?:[A-Z][a-z]+|[A-Z]\.)(?: (?:[A-Z][a-z]+|[A-Z]\.|[A-Z])){1,3}(?![A-Za-z])")
# 佐藤一郎（さとう いちろう、1950年; a name with its reading, birth or age behind it.
_BRACKETED = re.compile(
    rf"(?:[{_KANJI}]{{2,6}}|[{_KATA}・]{{2,20}}|[{_KANJI}]{{1,3}}[ぁ-ん{_KATA}]{{1,4}})"
    r"(?=[（(](?:[ぁ-ん]{1,8}[ 　・][ぁ-ん]{1,8}|[0-9０-９]{1,3}(?:歳|[）)])|18|19|20|旧姓|本名))"
)
_KIN = re.compile(
    rf"(?<![{_KANJI}])(?:義?(?:父|母|兄|姉|弟|妹)親?|祖父|祖母|夫|妻|主人|旦那|嫁|息子|娘|長男|次男|三男|長女|次女|三女|叔父|叔母|伯父|伯母|従兄弟|いとこ|甥|姪|孫|"
    rf"お父さん|お母さん|お兄さん|お姉さん|おじいちゃん|おばあちゃん|親友|彼氏|元夫|元妻|元彼|元カレ|婚約者|友人|同僚|上司|後輩|先輩|恩師)(?![{_KANJI}]|たち|など|同士)"
)
_ROLE = re.compile(
    r"(?:[0-9０-９十二三四五六七八]{1,3}(?:歳|代)の)?(?:[一-鿿]{2,6}の)?(?:少年|少女|男児|女児|男性|女性|男子生徒|女子生徒|男(?![一-鿿])|女(?![一-鿿]))(?=[（(][0-9０-９]|は、?[0-9]|が|は)"
)
_PRONOUN = re.compile(
    r"(?<![公一-鿿])(?:私|わたし|わたくし|あたし|僕|ぼく|俺|おれ|ワイ|小生|自分|彼女|彼|本人)(?!立|鉄|的|服|見|営|有|物|費|設|道|生|塾|大|岸|方|ら|達|たち|氏)"
)
_PATTERNS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (_TITLED, "title"),
    (_DOTTED, "name"),
    (_BRACKETED, "name"),
    (_LATIN, "name"),
    (_KIN, "kin"),
    (_ROLE, "role"),
    (_PRONOUN, "pronoun"),
)


def candidates(text: str) -> list[Mention]:
    """Person mentions of a text, sorted and not overlapping; a text without one is no candidate."""
    found = [Mention(span.start, span.end, "name") for span in _tagger().find(text) if span.entity_type == "PERSON"]
    for pattern, kind in _PATTERNS:
        for match in pattern.finditer(text):
            if kind == "title" and _NOBODY.fullmatch(match[0]):
                continue
            found.append(Mention(match.start(), match.end(), kind))
    for pattern in (_ACTING, _CONTINENTAL):
        found += [Mention(m.start(), m.end(), "name") for m in pattern.finditer(text) if not _in_dictionary(m[0])]
    return _merged(found)


def _merged(found: list[Mention]) -> list[Mention]:
    """Overlapping mentions as one: the kind of the first in the order of `_PATTERNS`, names before all."""
    merged: list[Mention] = []
    for mention in sorted(found, key=lambda item: (item.start, -item.end)):
        last = merged[-1] if merged else None
        if last is None or mention.start >= last.end:
            merged.append(mention)
        elif mention.end > last.end or (mention.kind == "name" and last.kind != "name"):
            kind: Kind = "name" if "name" in (mention.kind, last.kind) else last.kind
            merged[-1] = Mention(last.start, max(mention.end, last.end), kind)
    return merged


@lru_cache(maxsize=65_536)
def _in_dictionary(word: str) -> bool:
    return _tagger().knows(word)


@cache
def _tagger() -> JapaneseTagger:
    return JapaneseTagger()
