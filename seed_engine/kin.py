"""Kinship in words: "my wife", "su hija", and the names that such words stand beside."""

# ruff: noqa: E501 - a regular expression is read in one piece.
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from seed_engine.cue_patterns import TITLE
from seed_engine.fold import fold, source_offset
from seed_engine.relations import Relation, relation_words

# Who owns the relation: the one who speaks ("my"), the one spoken to ("your"), somebody else ("her"), or in Spanish
# either of the last two ("su").
Owner = Literal["speaker", "addressee", "other", "either"]
OWNERS: dict[str, Owner] = {
    **dict.fromkeys(("my", "our", "mi", "nuestro", "nuestra"), "speaker"),
    **dict.fromkeys(("your", "ur", "tu", "vuestro", "vuestra"), "addressee"),
    **dict.fromkeys(("his", "her", "their"), "other"),
    "su": "either",
}
_BY_LENGTH = sorted(relation_words(), key=len, reverse=True)
_WORDS = "|".join(map(re.escape, _BY_LENGTH))
# "Señora" and "ex" are somebody's only with a possessive before them; else the one is a title.
_FREE_WORDS = "|".join(
    re.escape(word) for word in _BY_LENGTH if word not in ("senora", "ex", "ma", "pa", "girl", "boy")
)
_OWNER = "|".join(OWNERS)
_ADJECTIVE = (
    r"(?:(?:late|older|younger|elder|eldest|oldest|youngest|big|little|dear|own|new|elderly|lovely|poor|only|twin|"
    r"\d+[ -]year[ -]old|\w+[ -]year[ -]old|querid[oa]|pobre|difunt[oa]|propi[oa]|nuev[oa]|unic[oa])\s+){0,2}"
)
_YOUNGER = r"(?:\s+(?:mayor|menor|pequen[oa]|pequen[oa]|mediano|gemel[oa]))?"
_MENTION = re.compile(rf"(?<![\w@.-])(?P<owner>{_OWNER})\s+{_ADJECTIVE}(?P<kin>{_WORDS}){_YOUNGER}(?![\w-])")
_GAP = (
    r"(?:\s*(?:['’]?s? (?:full |first )?name(?:['’]?s| is)?,?|is called|called|is|named|,|:|\(|-|se llama|es|llamad[oa]|"
    r"de nombre|cuyo nombre es|cuya nombre es)\s*)?\s*(?:(?:la|el|the)\s+)?"
)
_BEFORE = re.compile(
    rf"(?<![\w@.-])(?:(?P<owner>{_OWNER})\s+{_ADJECTIVE}(?P<kin>{_WORDS})|(?:the|an?|el|la|una?)\s+{_ADJECTIVE}(?P<free>{_FREE_WORDS}))"
    rf"{_YOUNGER}s?(?![\w-]){_GAP}{TITLE}$"
)
_ASKED = re.compile(rf"(?<![\w@.-])(?:(?P<owner>{_OWNER})|the|la|el)\s+{_ADJECTIVE}(?P<kin>{_FREE_WORDS}|boy|girl)\b")
_BARE_BEFORE = re.compile(rf"(?:^|[,.;!?]\s*|\b(?:with|and|con|y|a)\s+)(?P<kin>{_FREE_WORDS})\s+$")
_AFTER = re.compile(
    rf"^(?:\s*,?\s*\(?\s*(?:is|es|was|era|who is|who's|he is|he's|she is|she's|that's|que es)\s+(?P<owner>{_OWNER})\s+{_ADJECTIVE}"
    rf"(?P<kin>{_WORDS})\b"
    rf"|\s*(?:,|\(|-)\s*(?P<owner2>{_OWNER})\s+{_ADJECTIVE}(?P<kin2>{_WORDS}){_YOUNGER}\s*(?:[,.;:!?)-]|$|\b(?:who|que|and|y)\b))"
)
_POINTED = re.compile(
    r"(?:^|[\s,.(])(?:that is|that['’]?s|thats|it is|it['’]?s|its|he['’]?s|she['’]?s|he is|she is|this is|es|"
    r"e[sr]a es|ese es|esa es|era)\s+$"
)
_FRIENDLY = re.compile(r"(?:^|[,.!?]\s*|\b(?:hi|hello|hey|thanks|thank you|thx|ok|sure|gracias|hola|oye|vale)[,\s]+)$")
_TITLE_GAP, _LONGEST_GAP = 12, 28


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody's relative, as words tell it."""

    relation: Relation
    owner: Owner | None


@dataclass(frozen=True, slots=True)
class KinMention:
    """A relative mentioned without a name.

    Attributes:
        start: first code point of the possessive, half-open span in the original text.
        end: one past the noun.
        kin: who it is, to whom.
        pointed: said of somebody just named: "that's my wife".
    """

    start: int
    end: int
    kin: Kin
    pointed: bool


def kin_mentions(text: str, names: list[tuple[int, int]]) -> Iterator[KinMention]:
    """Relatives mentioned in a text, left to right, unless their name stands right beside.

    Args:
        text: one turn.
        names: half-open spans of the names in it.
    """
    folded = fold(text)
    for match in _MENTION.finditer(folded):
        start = source_offset(text, match.start())
        end = source_offset(text, match.end(), end=True)
        kin = Kin(relation_words()[match["kin"]], OWNERS[match["owner"]])
        if kin.relation.name == "friend" and _FRIENDLY.search(folded[: match.start()]):
            continue
        if any(a < end and start < b for a, b in names) or _named_beside(text, start, end, names):
            continue
        yield KinMention(
            start, end, kin, _POINTED.search(folded[max(0, match.start() - 16) : match.start()]) is not None
        )


def leading_kin(name: str) -> tuple[int, Kin] | None:
    """The words of kinship that a name begins with, if a detector took them along, and their length."""
    match = _MENTION.match(fold(name))
    if match is None:
        return None
    return source_offset(name, match.end(), end=True), Kin(relation_words()[match["kin"]], OWNERS[match["owner"]])


def kin_before(before: str) -> Kin | None:
    """The relation that leads up to a name: "my daughter Ana"; takes the folded text before the name."""
    match = _BEFORE.search(before)
    if match is None:
        bare = _BARE_BEFORE.search(before)
        return Kin(relation_words()[bare["kin"]], None) if bare is not None else None
    return Kin(relation_words()[match["kin"] or match["free"]], OWNERS.get(match["owner"] or ""))


def kin_after(after: str) -> Kin | None:
    """The relation that follows a name: "Ana, my daughter,"; takes the folded text after the name."""
    match = _AFTER.match(after)
    if match is None:
        return None
    return Kin(relation_words()[match["kin"] or match["kin2"]], OWNERS[match["owner"] or match["owner2"]])


def kin_asked(question: str) -> Kin | None:
    """The relative that a question is about, the last one named: "and your mother's name?", "the child's name?"."""
    last = None
    for match in _ASKED.finditer(question):
        last = match
    return Kin(relation_words()[last["kin"]], OWNERS.get(last["owner"] or "")) if last is not None else None


def _named_beside(text: str, start: int, end: int, names: list[tuple[int, int]]) -> bool:
    for a, b in names:
        if a >= end and a - end <= _LONGEST_GAP and _BEFORE.match(fold(text[start:a])) is not None:
            return True
        if b <= start and start - b <= _TITLE_GAP and kin_after(fold(text[b : end + 2])) is not None:
            return True
    return False
