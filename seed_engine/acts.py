"""Dialogue acts by rule: what a turn does, as a communicative function of ISO 24617-2, in English and Spanish.

The rules look at the turn's abstract text (markers in place), at its place in the conversation and at the act before
it: "yes, please" confirms a question, accepts an offer or accepts a suggestion.
"""

from __future__ import annotations

import re

from seed_engine import act_patterns as said
from seed_engine.fold import fold

# What a turn does stands at its two ends; the middle of a 5 MB turn adds nothing but time.
_HEAD, _TAIL = 1200, 400

# What is longer than this says more than a bare reaction does.
_SHORT_REPLY = 30
# A yes to what was asked is what its turn does, whatever is asked after it.
_YES_TO = {"offer": "acceptOffer", "suggest": "acceptSuggest", "checkQuestion": "confirm"}
_QUESTIONS = frozenset({"setQuestion", "propositionalQuestion", "choiceQuestion", "checkQuestion"})


def dialogue_act(
    text: str, previous: str | None, *, first: bool = False, greeted: bool = False, before: str = ""
) -> str:
    """The act of one turn.

    Args:
        text: the turn's text, best with markers in place of personal data; only its ends are looked at.
        previous: the act of the turn before (another speaker's), None at the start.
        first: whether this is the conversation's first turn.
        greeted: whether somebody greeted before.
        before: text of the turn before; tells an offer of more help, which is refused by taking leave, from another.
    """
    ends = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]} {text[-_TAIL:]}"
    folded = fold(ends).replace("’", "'").strip()
    if not folded:
        return "stalling"
    return (
        _closing(folded, previous, before)
        or _opening(folded, first=first, greeted=greeted)
        or _asking(folded, previous, before)
        or _reacting(folded, previous)
        or _telling(folded, previous)
    )


def _closing(folded: str, previous: str | None, before: str) -> str | None:
    asks = "?" in folded
    if asks:
        return None
    thanks, done = said.THANKS.search(folded), said.DONE.search(folded)
    refuses, accepts = said.NO.match(folded), said.YES.match(folded)
    if len(folded) < 160 and not said.REQUEST.search(said.DONE.sub("", folded)):
        # "No, that's all" to "Anything else?" takes leave, and so does who says that it is all (Schegloff, Sacks 1973).
        if (done and not (accepts and previous == "checkQuestion")) or (refuses and _offers_more(before)):
            return "thanking" if thanks else "initialGoodbye"
        if previous in ("offer", "suggest") and refuses and not accepts:
            return "declineOffer" if previous == "offer" else "declineSuggest"
    if said.SUCCESS.search(folded) and not thanks and previous not in said.LEAVING:
        return None
    if said.BYE.search(folded) and len(folded) < 220:
        return "returnGoodbye" if previous in ("initialGoodbye", "returnGoodbye") else "initialGoodbye"
    if said.WELCOME.search(folded) and len(folded) < 160:
        return "acceptThanking"
    if thanks and len(folded) < 120 and not said.REQUEST.search(folded):
        return _YES_TO.get(previous or "", "thanking") if accepts else "thanking"
    return None


def _offers_more(before: str) -> bool:
    """Whether the turn before ends by offering more help, whatever it was about."""
    return said.FURTHER_HELP.search(_question(fold(before[-_TAIL:]).replace("’", "'").strip())) is not None


def _opening(folded: str, *, first: bool, greeted: bool) -> str | None:
    if not said.HELLO.match(folded) or (not first and greeted and len(folded) > 60):
        return None
    if said.SELF.search(folded) and len(folded) < 200 and not said.REQUEST.search(folded):
        return "initialSelfIntroduction"
    if said.REQUEST.search(folded) or len(folded) > 90 or ("?" in folded and not said.OFFER.search(folded)):
        return None
    return "returnGreeting" if greeted else "initialGreeting"


def _asking(folded: str, previous: str | None, before: str) -> str | None:
    last = _question(folded)
    if said.YES.match(folded) and said.REQUEST.search(folded) and _offers_more(before):
        return "request"
    if said.YES.match(folded) and previous in _YES_TO and not said.WH_START.match(folded) and len(folded) < 160:
        return _YES_TO[previous] if "?" in folded else None
    if said.CONFUSED.search(folded) and len(folded) < 160:
        return "autoNegative"
    if said.VERIFY.match(folded) or (said.CHECK.search(folded) and ("?" in folded or "confirm" in folded)):
        return "checkQuestion"
    if "?" not in folded and not said.SET.match(folded):
        return "setQuestion" if said.REQUEST_INFO.search(folded) and len(folded) < 160 else None
    if previous == "checkQuestion" and said.REQUEST.search(folded) and not said.YES.match(folded):
        return "correction"
    return _question_act(folded, last, previous)


def _question_act(folded: str, last: str, previous: str | None) -> str:
    """Which kind of question or proposal it is; `last` is its last question."""
    if said.MORE_HELP_ALONE.match(folded):
        return "request" if previous == "suggest" else "offer"
    if said.ALTERNATIVES.search(folded) and not said.SERVING.search(last):
        return "request"
    if said.PROPOSING.search(folded):
        return "suggest"
    if said.WH_START.match(last) and not said.MORE_HELP.search(last):
        return "setQuestion"
    if previous in ("setQuestion", "choiceQuestion") and said.TRY_IT.search(folded):
        return "answer"
    if said.REQUEST_INFO.search(last):
        return "setQuestion"
    if said.ASKS_WHAT.search(last) and not said.MORE_HELP.search(last):
        return "setQuestion"
    if said.CHOICE.search(last) and said.OFFER.search(last):
        return "choiceQuestion"
    if said.OFFER.search(last):
        return "offer"
    if said.CHOICE.search(last):
        return "choiceQuestion"
    if said.SET.search(last):
        return "setQuestion"
    return "request" if said.REQUEST.search(last) else "propositionalQuestion"


def _question(folded: str) -> str:
    """The last sentence that asks, or the last one."""
    sentences = re.split(r"(?<=[.!?])\s", folded)
    return next((sentence for sentence in reversed(sentences) if "?" in sentence), sentences[-1])


def _reacting(folded: str, previous: str | None) -> str | None:
    """Reactions to the act before; only what says yes or no can be one."""
    yes, no = said.YES.match(folded), said.NO.match(folded)
    if (
        said.PRAISE.search(folded)
        and not no
        and len(folded) < 120
        and previous in ("checkQuestion", "propositionalQuestion")
    ):
        return "confirm"
    if said.STALLING.search(folded) and len(folded) < 120:
        return "stalling"
    if no and previous == "checkQuestion":
        return "disconfirm"
    if said.WRONG.search(folded) and len(folded) < 200 and previous not in (None, "setQuestion", "choiceQuestion"):
        return "correction"
    if said.PRAISE.search(folded) and not no and len(folded) < 120 and previous not in _QUESTIONS:
        return "acceptSuggest" if previous in ("suggest", "offer") else "autoPositive"
    if said.DISAGREE.search(folded):
        return "disagreement"
    if (not yes and not no) or (yes and said.SUCCESS.search(folded)):
        return None
    if yes and previous == "request" and said.SUGGEST.search(folded):
        return "suggest"
    if previous in ("offer", "suggest", "request", "instruct") and len(folded) < 160:
        kind = {"offer": "Offer", "suggest": "Suggest", "request": "Request", "instruct": "Request"}[previous]
        return ("accept" if yes else "decline") + kind
    if previous in _QUESTIONS and previous != "setQuestion":
        return "confirm" if yes else "disconfirm"
    if previous == "apology" and yes and len(folded) < 60:
        return "acceptApology"
    if len(folded) < 60 and previous != "setQuestion":
        return "agreement" if yes else "disagreement"
    return None


def _telling(folded: str, previous: str | None) -> str:
    asked = previous in _QUESTIONS or previous == "request"
    if previous == "checkQuestion" and said.REQUEST.search(folded):
        return "correction"
    if asked and said.WISH.match(folded) and len(folded) < 120 and previous != "propositionalQuestion":
        return "answer"
    if said.INSTRUCT.match(folded):
        return "instruct"
    if said.REQUEST.search(folded):
        return "answer" if previous in ("setQuestion", "choiceQuestion") and len(folded) < 160 else "request"
    if said.SUCCESS.search(folded):
        return "answer" if asked else "inform"
    if said.UNDERSTOOD.match(folded) and len(folded) < 80:
        return "autoPositive"
    if said.SELF.search(folded) and len(folded) < 120 and previous in (None, "initialGreeting"):
        return "initialSelfIntroduction"
    if said.SORRY.search(folded):
        # "Unfortunately it is not furnished" answers what was asked.
        return "answer" if previous in _QUESTIONS and len(folded) > _SHORT_REPLY else "apology"
    if said.PROMISE.search(folded):
        return "promise"
    if said.OFFER.search(folded):
        return "offer"
    if said.SUGGEST.search(folded):
        return "suggest"
    return "answer" if asked else "inform"
