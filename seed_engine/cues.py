"""Evidence for a person's role: what stands around a name, who says it, and to whom."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from seed_engine import cue_patterns as cue
from seed_engine.fold import fold
from seed_engine.kin import Kin, Owner, kin_after, kin_asked, kin_before
from seed_engine.names import name_tokens
from seed_engine.relations import relation_words
from seed_engine.role_nouns import noun_roles
from seed_engine.vocabulary import vocabulary

# Weights: a name given by its owner decides, kinship or a title nearly so. A name given in answer to "your name?" may
# be the name of whoever the talk is about, so a name known before overrules it, as it does an address by name.
SELF, KIN, TITLE, OWNER, ASKED, VOCATIVE, HINT = 5, 4, 3, 3, 2, 2, 1

_BEFORE, _AFTER = 72, 40
_LAST_QUESTION, _SHORT_QUESTION = 240, 60
_ANSWER_STARTS = 48
_TITLE_END = re.compile(rf"(?<!\w){cue.TITLE[:-1]}$")
# Pupils call their teachers so.
_SCHOOL_TITLE = re.compile(r"\b(?:mr|mrs|ms|miss|sir|don|dona)\b\.?\s*[\w'’-]*$")
_TITLE_START = re.compile(cue.TITLE[:-1])
_SENTENCE_OVER = re.compile(r"[.!?\n]\s")
# Whose mother speaks: the one who is taught or treated.
_CARED_FOR = {"tutoring": "STUDENT", "medical": "PATIENT"}
# Who owns a relation in the answer, by who did in the question: "your mother" is now "my mother".
_ANSWERED: dict[Owner | None, Owner] = {"addressee": "speaker", "either": "speaker", "speaker": "addressee"}


@dataclass(frozen=True, slots=True)
class Scene:
    """Who speaks, to whom, after what.

    Attributes:
        domain: the domain profile's name.
        language: ISO 639-1.
        speaker: the speaker's role.
        addressee: the role spoken to.
        asker: the domain's first role, whose account or record it is.
        staff: the domain's second role, who serves the first.
        before: the previous turn's text, when somebody else said it; else "".
        opens: whether this is the speaker's first turn.
        speaker_named: whether the speaker's name is known by now.
        addressee_named: likewise.
    """

    domain: str
    language: str
    speaker: str
    addressee: str
    asker: str
    staff: str
    before: str
    opens: bool = False
    speaker_named: bool = False
    addressee_named: bool = False


@dataclass(frozen=True, slots=True)
class Cues:
    """What a name's surroundings say.

    Attributes:
        votes: evidence for the person's role, by marker kind.
        side: the role of the speaker or addressee whom the name is given to; empty when it is of somebody else.
        alias: whether the name is another one of somebody known: the side's, or the one last spoken of.
        kin: whose relative the person is.
        stranger: whether the person is introduced as unknown ("a Mr. Dunmore").
        met: whether the person is greeted for the first time.
        unclear: whether it was asked for without saying whose name: "¿Cómo se llama?".
    """

    votes: Counter[str] = field(default_factory=Counter)
    side: str = ""
    alias: bool = False
    kin: Kin | None = None
    stranger: bool = False
    met: bool = False
    unclear: bool = False


def read_cues(text: str, start: int, end: int, scene: Scene) -> Cues:
    """What speaks for the role of the person named at `[start, end)`."""
    before = fold(text[max(0, start - _BEFORE) : start])
    after = fold(text[end : end + _AFTER])
    nouns = Counter({kind: TITLE for kind in noun_roles(before, fold(text[start:end]), scene.domain)})
    if (
        scene.domain == "tutoring"
        and scene.speaker == scene.asker
        and _SCHOOL_TITLE.search(before + fold(text[start:end]))
    ):
        nouns[scene.staff.upper()] += HINT
    # The dot of a title ends no sentence.
    before = _TITLE_END.sub("", before)
    short = len(name_tokens(text[start:end])) == 1 or _TITLE_START.match(fold(text[start:end])) is not None
    found = (
        _named_after(fold(text[start:end]), after)
        or _kin(before, after, scene)
        or _self(text, start, end, before, after, scene)
        or _called(before, after, scene, short=short)
    )
    if found is None and start < _ANSWER_STARTS and not _SENTENCE_OVER.search(before):
        found = _answer(scene)
    found = found or _mentioned(before, after, scene, short=short)
    pattern = cue.STRANGER_ES if scene.language == "es" else cue.STRANGER_EN
    stranger = pattern.search(before) is not None and not found.votes
    met = cue.MEETING.search(before) is not None
    if found.side:
        # A pupil's "Dr. Pell" is his tutor: the office he is called by in other domains does not count.
        here = {role.upper() for role in vocabulary().domain(scene.domain).roles}
        nouns = Counter({kind: votes for kind, votes in nouns.items() if kind in here})
    return replace(found, votes=found.votes + nouns, stranger=stranger, met=met)


def _named_after(surface: str, after: str) -> Cues | None:
    """A son or father of the same name: "Aurelio hijo", "Harold Sr."."""
    for pattern, relation in ((cue.JUNIOR, "son"), (cue.SENIOR, "father")):
        if (" " in surface and pattern.search(surface)) or pattern.match(after):
            return Cues(kin=Kin(relation_words()[relation], None))
    return None


def _kin(before: str, after: str, scene: Scene) -> Cues | None:
    """Somebody's relative: "my daughter Ana", "Ana, my daughter", "her name is Ana"; or whoever's mother that is."""
    if cue.PARENT_OF.search(before) or cue.WHOSE_PARENT.match(after):
        kind = _CARED_FOR.get(scene.domain)
        return Cues(Counter({kind: KIN})) if kind is not None else None
    kin = kin_before(before)
    if kin is None:
        kin = kin_after(after)
        # "I'm Ana, his mother" presents the speaker, "it's Ana, your wife" somebody else.
        if kin is not None and cue.SELF_BEFORE.search(before):
            kin = kin if cue.PRESENTED.search(before) and kin.owner in ("speaker", "addressee", "either") else None
    if kin is None and cue.NAMED_BY_OTHER.search(before):
        kin = kin_asked(before) or _answered(kin_asked(fold(scene.before[-_LAST_QUESTION:])))
    return Cues(kin=kin) if kin is not None else None


def _self(text: str, start: int, end: int, before: str, after: str, scene: Scene) -> Cues | None:
    """The speaker's own name."""
    if cue.THEIR_ALIAS.search(before):
        return Cues(alias=True)
    if cue.ALIAS_BEFORE.search(before) or (cue.ALIAS_AFTER.match(after) and cue.STANDS_FIRST.search(before)):
        return Cues(Counter({scene.speaker.upper(): ASKED}), scene.speaker, alias=True)
    rest = text[end : end + _AFTER]
    opens = scene.opens and (
        (cue.OPENING.search(before) and cue.SELF_OPENS.match(rest))
        or (cue.SENTENCE_START.search(before) and cue.SELF_OPENS_FIRST.match(rest))
    )
    asked = scene.before.rstrip().endswith("?") and not before.strip()
    if (
        cue.SELF_BEFORE.search(before)
        or (asked and cue.SELF_AFFIRMED.match(after))
        or (cue.SELF_AFTER.match(after) and cue.STANDS_FIRST.search(before))
        or (opens and not scene.speaker_named)
    ):
        return Cues(Counter({scene.speaker.upper(): SELF}), scene.speaker)
    return None


def _called(before: str, after: str, scene: Scene, *, short: bool) -> Cues | None:
    """The name of the one whose record is open, or of the one spoken to."""
    if cue.OWNED_BY.search(before) or cue.RECORD_AFTER.match(after):
        return Cues(Counter({scene.asker.upper(): OWNER}), scene.asker)
    if cue.SPOKEN_TO.search(before):
        return Cues(Counter({scene.addressee.upper(): VOCATIVE}), scene.addressee)
    closed = cue.CLOSED.match(after) or cue.ADDRESS_GOES_ON.match(after) or (short and cue.GREETED_ALONE.search(before))
    called = closed and (cue.GREETED.search(before) or (short and cue.ASSENTED.search(before)))
    called = called or (short and cue.COMMA_NAME_END.search(before) and cue.SENTENCE_END.match(after))
    if called or (cue.SENTENCE_START.search(before) and cue.ASKED_BY_NAME.match(after) and not scene.addressee_named):
        return Cues(Counter({scene.addressee.upper(): VOCATIVE}), scene.addressee)
    return None


def _answer(scene: Scene) -> Cues | None:
    """A name given as the answer to "your name?" is the speaker's, unless a relative's was asked for."""
    question = fold(scene.before[-_LAST_QUESTION:])
    if cue.ALIAS_ASKED.search(question):
        return Cues(Counter({scene.speaker.upper(): ASKED}), scene.speaker, alias=True)
    last = question.rstrip("? ").rpartition("?")[2][-_SHORT_QUESTION:].rpartition(". ")[2]
    asked = kin_asked(last if question.rstrip().endswith("?") else question)
    if not cue.NAME_ASKED.search(question) and (asked is None or not question.rstrip().endswith("?")):
        return None
    if asked is not None:
        return Cues(kin=_answered(asked))
    if cue.THEIR_NAME_ASKED.search(question):
        return Cues()
    unclear = cue.YOURS_ASKED.search(last) is None
    return Cues(Counter({scene.speaker.upper(): ASKED}), scene.speaker, unclear=unclear)


def _answered(asked: Kin | None) -> Kin | None:
    return Kin(asked.relation, _ANSWERED.get(asked.owner)) if asked is not None else None


def _mentioned(before: str, after: str, scene: Scene, *, short: bool) -> Cues:
    """Somebody spoken of: one who served the asker before, or, weakly, whoever a sentence begins by addressing."""
    served = cue.SERVED_BY.search(before) or (cue.IS_THERE.search(before) and cue.THERE.match(after))
    works = cue.AT_WORK.match(after) or cue.NOTE_BY.search(before) or (served and scene.speaker == scene.asker)
    if works and scene.domain not in _CARED_FOR:
        return Cues(Counter({scene.staff.upper(): VOCATIVE}))
    if cue.SENTENCE_START.search(before) and cue.COMMA_AFTER.match(after) and short and not scene.addressee_named:
        return Cues(Counter({scene.addressee.upper(): VOCATIVE}), scene.addressee)
    if short and cue.SENTENCE_START.search(before) and cue.ADDRESS_GOES_ON.match(after):
        return Cues(Counter({scene.addressee.upper(): HINT}), scene.addressee)
    return Cues()
