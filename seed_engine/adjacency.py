"""Adjacency: how well a dialogue act follows another, known beforehand and from nobody's data.

An acceptance follows what is accepted, an answer a question, and after a goodbye nothing but a goodbye is said
(adjacency pairs; Schegloff and Sacks 1973). What responds stays with the matter that it responds to, and a number or a
name is told rather than thanked for. A private release knows such pairs through noise, or not at all; what every
conversation has in common need not be learnt from anybody, so weighing by it costs no privacy.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from seed_engine.vocabulary import vocabulary

_YES_NO = ("propositionalQuestion", "checkQuestion")
_ASKS = (*_YES_NO, "setQuestion", "choiceQuestion", "request")
_GREETS = ("initialGreeting", "returnGreeting", "initialSelfIntroduction")
_LEAVES = ("initialGoodbye", "returnGoodbye")
# What an act responds to.
_AFTER: dict[str, tuple[str, ...]] = {
    "answer": _ASKS,
    "confirm": _YES_NO,
    "disconfirm": _YES_NO,
    "acceptRequest": ("request", "instruct"),
    "declineRequest": ("request", "instruct"),
    "acceptSuggest": ("suggest", "instruct"),
    "declineSuggest": ("suggest", "instruct"),
    "acceptOffer": ("offer",),
    "declineOffer": ("offer",),
    "acceptThanking": ("thanking",),
    "acceptApology": ("apology",),
    "returnGreeting": ("initialGreeting",),
    "returnGoodbye": _LEAVES,
}
# What a conversation can begin with.
_BEGINS = (
    *("initialGreeting", "initialSelfIntroduction", "inform", "request", "setQuestion", "propositionalQuestion"),
    *("checkQuestion", "choiceQuestion", "offer", "suggest", "instruct", "apology", "thanking"),
)
# What leaves a question or a request as it was.
_IGNORES = ("autoPositive", "agreement", "disagreement", "thanking", "acceptThanking", "acceptApology", "correction")
# How much likelier an act is where it responds to something, and how much rarer where it responds to nothing; after a
# goodbye or, for a greeting, after anything but greetings, hardly anything else is said.
_RESPONDS, _HANGS, _OUT_OF_PLACE = 4.0, 0.05, 0.02
# How much likelier a response keeps its topic than it would without being one.
_STAYS = 12.0
# Acts that say something of the talk itself; a name, a day or a number seldom stands in them.
_SAYS_LITTLE = (
    *("autoPositive", "autoNegative", "alloPositive", "pausing", "stalling", "turnTake", "thanking", "acceptThanking"),
    *("apology", "acceptApology", "agreement", "disagreement", "initialGoodbye", "returnGoodbye", "returnGreeting"),
)
_RARELY = 0.1


@cache
def adjacency() -> NDArray[np.float64]:
    """Weight of each act after each: [before, act] in the vocabulary's order; the last row is for nothing before."""
    acts = vocabulary().dialogue_acts
    table = np.ones((len(acts) + 1, len(acts)))
    for column, act in enumerate(acts):
        for row, before in enumerate((*acts, "")):
            table[row, column] = _weight(before, act)
    return table


@cache
def staying() -> NDArray[np.float64]:
    """How much likelier a step keeps the topic, by the act before and its own: [before, act], as `adjacency`."""
    return np.where(adjacency() == _RESPONDS, _STAYS, 1.0)


@cache
def leaving() -> NDArray[np.float64]:
    """Weight of each act after each before the closing steps, [before, act] as `adjacency`.

    Leave is taken at the end; where it was taken before, the talk goes on, and is no string of goodbyes.
    """
    acts = vocabulary().dialogue_acts
    leaves = np.isin(acts, _LEAVES)
    table = np.where(leaves, _OUT_OF_PLACE, 1.0) * np.ones((len(acts) + 1, 1))
    table[np.ix_(np.flatnonzero(leaves), np.flatnonzero(~leaves & ~np.isin(acts, _GREETS)))] = 1.0 / _OUT_OF_PLACE
    return table


@cache
def bearing() -> NDArray[np.float64]:
    """Weight of a mention by the act of its step, in the vocabulary's order."""
    return np.array([_RARELY if act in _SAYS_LITTLE else 1.0 for act in vocabulary().dialogue_acts])


def _weight(before: str, act: str) -> float:
    if (before in _LEAVES and act not in _LEAVES) or (act in _GREETS and before not in ("", *_GREETS)):
        return _OUT_OF_PLACE
    if (not before and act not in _BEGINS) or (before in _ASKS and act in _IGNORES) or before == act == "autoPositive":
        return _HANGS
    if act not in _AFTER:
        return 1.0
    return _RESPONDS if before in _AFTER[act] else _HANGS
