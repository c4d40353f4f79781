"""Evidence for a person's role: what stands around a name, who says it, and to whom."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from seed_engine.cue_patterns import (
    ADDRESS_GOES_ON,
    CLOSED,
    COMMA_NAME_END,
    GREETED,
    GREETED_ALONE,
    KIN_AFTER,
    KIN_BEFORE,
    KIN_WORD,
    NAME_ASKED,
    NAMED_BY_OTHER,
    NOUNS,
    OWNED_BY,
    PARENT_OF,
    SELF_AFTER,
    SELF_BEFORE,
    SENTENCE_END,
    SENTENCE_START,
    STANDS_FIRST,
    WHOSE_PARENT,
)
from seed_engine.fold import fold

# Weights: a name given by its owner decides, kinship or a title nearly so. A name given in answer to "your name?" may
# be the name of whoever the talk is about, so a name known before overrules it, as it does an address by name.
SELF, KIN, TITLE, OWNER, ASKED, VOCATIVE, HINT = 5, 4, 3, 3, 2, 2, 1

_BEFORE, _AFTER = 64, 32
_SENTENCE_OVER = re.compile(r"[.!?\n]\s")
# Whose mother speaks: the one who is taught or treated.
_FIRST_CARED_FOR = {"tutoring": "STUDENT", "medical": "PATIENT"}


@dataclass(frozen=True, slots=True)
class Scene:
    """Who speaks, to whom, after what.

    Attributes:
        domain: the domain profile's name.
        speaker: the speaker's role.
        addressee: the role spoken to.
        asker: the domain's first role, whose account or record it is.
        before: the previous turn's text, when somebody else said it; else "".
    """

    domain: str
    speaker: str
    addressee: str
    asker: str
    before: str


def role_votes(text: str, start: int, end: int, scene: Scene) -> Counter[str]:
    """Votes for marker kinds of the person named at `[start, end)`; empty when nothing speaks for a role."""
    before = fold(text[max(0, start - _BEFORE) : start])
    after = fold(text[end : end + _AFTER])
    surface = fold(text[start:end])
    votes = _noun_votes(before, surface, scene)
    if kind := _kin_vote(before, after, scene):
        votes[kind] += KIN
    elif SELF_BEFORE.search(before) or (SELF_AFTER.match(after) and STANDS_FIRST.search(before)):
        votes[scene.speaker.upper()] += SELF
    elif OWNED_BY.search(before):
        votes[scene.asker.upper()] += OWNER
    elif GREETED.search(before) and (
        CLOSED.match(after) or ADDRESS_GOES_ON.match(after) or GREETED_ALONE.match(before)
    ):
        votes[scene.addressee.upper()] += VOCATIVE
    elif start < 48 and not _SENTENCE_OVER.search(before) and NAME_ASKED.search(fold(scene.before[-240:])):
        votes += _asked_votes(scene)
    elif COMMA_NAME_END.search(before) and SENTENCE_END.match(after):
        votes[scene.addressee.upper()] += VOCATIVE
    elif SENTENCE_START.search(before) and ADDRESS_GOES_ON.match(after):
        votes[scene.addressee.upper()] += HINT
    return votes


def _kin_vote(before: str, after: str, scene: Scene) -> str | None:
    """The marker kind of somebody's relative: "my daughter Ana", "Ana, my daughter", "her name is Ana"."""
    if PARENT_OF.search(before) or WHOSE_PARENT.match(after):
        return _FIRST_CARED_FOR.get(scene.domain)
    kin = KIN_BEFORE.search(before) or KIN_AFTER.match(after)
    if kin is None and NAMED_BY_OTHER.search(before):
        kin = next(iter(KIN_WORD.finditer(f"{fold(scene.before[-120:])} {before}")), None)
    return _kin_kind(kin, scene) if kin is not None else None


def _noun_votes(before: str, surface: str, scene: Scene) -> Counter[str]:
    votes: Counter[str] = Counter()
    title = surface.split()[0] if " " in surface.strip() else ""
    for kind, domain, pattern in NOUNS:
        if domain in ("", scene.domain) and (pattern.search(before) or (title and pattern.fullmatch(title))):
            votes[kind] += TITLE if domain or scene.domain == "medical" else VOCATIVE
    return votes


def _asked_votes(scene: Scene) -> Counter[str]:
    """A name given as the answer to "your name?" is the speaker's, unless a relative's was asked for."""
    asked = KIN_WORD.search(fold(scene.before[-120:]))
    if asked is not None:
        return Counter({_kin_kind(asked, scene): KIN})
    return Counter({scene.speaker.upper(): ASKED})


def _kin_kind(kin: re.Match[str], scene: Scene) -> str:
    """A relative's marker kind: who is treated or taught keeps that role when a relative speaks."""
    sides = {scene.speaker, scene.addressee}
    if scene.domain == "tutoring":
        if kin["child"] and "parent" in sides:
            return "STUDENT"
        if kin["parent"] and "student" in sides:
            return "PARENT"
    if scene.domain == "medical" and "relative" in sides and "patient" not in sides:
        return "PATIENT"
    return "RELATIVE"
