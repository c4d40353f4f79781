"""Adjacency pairs: what must have been said for a turn to make sense, and what is owed to who has just spoken.

A seed's acts come from a source's labels, or from noise, and need not pair up: an offer is accepted that nobody made, a
question is met by a question. The acts stand, each in its turn; what is missing between them is said along with them
(Schegloff and Sacks 1973): a turn ends by asking what the next one answers, or begins by answering what was asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.scene import GOODBYES, GREETINGS, side
from seed_engine.seed import FlowStep

_ASKS = frozenset({"setQuestion", "propositionalQuestion", "choiceQuestion", "checkQuestion", "request"})
_YES_NO = frozenset({"propositionalQuestion", "checkQuestion"})
_TELLS = frozenset({"inform", "answer", "suggest", "promise", "offer"})
# What can stand before an act that responds; the first is what is said where nothing of it was.
_BEFORE: dict[str, tuple[str, frozenset[str]]] = {
    # An answer that nobody asked for tells something, and a statement can be confirmed or denied as it is.
    "confirm": ("propositionalQuestion", _YES_NO | _TELLS),
    "disconfirm": ("propositionalQuestion", _YES_NO | _TELLS | {"choiceQuestion"}),
    "acceptRequest": ("request", frozenset({"request", "instruct"})),
    "declineRequest": ("request", frozenset({"request", "instruct"})),
    "acceptSuggest": ("suggest", frozenset({"suggest", "instruct"})),
    "declineSuggest": ("suggest", frozenset({"suggest", "instruct"})),
    "acceptOffer": ("offer", frozenset({"offer"})),
    "declineOffer": ("offer", frozenset({"offer"})),
    "acceptThanking": ("thanking", frozenset({"thanking"})),
    "acceptApology": ("apology", frozenset({"apology"})),
}
# Who says yes may ask something along with it, and the answer that follows is to that.
_ASKED_ALONG = frozenset({"confirm", "acceptSuggest", "acceptOffer"})
# A yes that closes one matter often opens the next in the same breath; what the other side says then tells which.
_YESES = frozenset({"agreement", "autoPositive", "acceptSuggest", "confirm"})
_OPENED_BY = {
    "answer": "setQuestion",
    "suggest": "request",
    "setQuestion": "request",
    "checkQuestion": "request",
    "propositionalQuestion": "request",
    "request": "request",
}
# What asks for something in return, and which acts do not give it.
OWING = _ASKS | {"offer", "suggest"}
_OPENS = frozenset({"inform", "setQuestion", "request", "propositionalQuestion", "suggest"})
# What every conversation comes to, without a word about it.
_EVERYWHERE = frozenset({"closing", "identity_check", "contact_details", "small_talk", "encouragement"})
_PASSING_OVER = frozenset(
    {"setQuestion", "propositionalQuestion", "choiceQuestion", "checkQuestion", "request", "offer", "suggest"}
    | {"instruct", "promise", "autoPositive", "apology", "correction"}
)


def missing_before(flow: Sequence[FlowStep], index: int, act: str) -> str | None:
    """The act that a turn must end with, so that the next turn responds to something; None when nothing is missing.

    Args:
        flow: of the seed.
        index: of the turn.
        act: what the turn does, as it is realised.
    """
    if index + 1 >= len(flow) or act in GOODBYES or flow[index + 1].role == flow[index].role:
        return None
    if flow[index + 1].act == "answer" and act in _ASKED_ALONG:
        return "setQuestion"
    wanted, fine = _BEFORE.get(flow[index + 1].act, ("", frozenset[str]()))
    if not wanted or act in fine or (wanted == "thanking" and act in GREETINGS):
        return None
    return wanted


def opened_along(flow: Sequence[FlowStep], index: int, act: str) -> str | None:
    """The act that a yes may end with, where the other side goes on as if it had been asked for something; else None.

    Args:
        flow: of the seed.
        index: of the turn.
        act: what the turn does, as it is realised.
    """
    if act not in _YESES or index + 1 >= len(flow) or flow[index + 1].role == flow[index].role:
        return None
    step, following = flow[index], flow[index + 1]
    opened = _OPENED_BY.get(following.act)
    # A number is asked for, and nobody requests "something about how to reach you".
    fine = opened == "setQuestion" and following.topic == "contact_details"
    return opened if side(step.role) == "asks" and (fine or following.topic not in _EVERYWHERE) else None


def passes_over(act: str) -> bool:
    """Whether an act says nothing to a question or an offer, so that it must be answered beside it."""
    return act in _PASSING_OVER


def turns_away(flow: Sequence[FlowStep], index: int, act: str) -> bool:
    """Whether a turn begins what nobody has spoken of yet, and is no reaction: then it says that it does."""
    topic = flow[index].topic
    begins = index > 0 and topic not in _EVERYWHERE and all(step.topic != topic for step in flow[:index])
    return begins and act in _OPENS
