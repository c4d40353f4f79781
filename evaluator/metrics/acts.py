"""Acts realised: whether a conversation's turns do, in order, what the steps of its seed say.

The acts of the turns are read by rule (`seed_engine.acts`) and compared as families (a question, a statement, a yes, a
closing), since the rules confuse functions of one family, with the seed's by longest common subsequence.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.lcs import lcs_length
from evaluator.metrics.metric import Evidence, Metric
from seed_engine.acts import dialogue_act
from seed_engine.conversation import Conversation
from seed_engine.seed import Seed

_FAMILIES = {
    "open": "initialGreeting returnGreeting initialSelfIntroduction",
    "close": "initialGoodbye returnGoodbye thanking acceptThanking",
    "ask": "setQuestion propositionalQuestion choiceQuestion checkQuestion autoNegative",
    "tell": "inform answer correction stalling apology acceptApology promise",
    "yes": "confirm agreement acceptRequest acceptSuggest acceptOffer autoPositive",
    "no": "disconfirm disagreement declineRequest declineSuggest declineOffer",
    "want": "request instruct suggest offer",
}
FAMILY = {act: family for family, acts in _FAMILIES.items() for act in acts.split()}


def acts_of(texts: Sequence[str]) -> list[str]:
    """The act of each turn, read by rule."""
    acts: list[str] = []
    greeted = False
    before = ""
    for text in texts:
        act = dialogue_act(text, acts[-1] if acts else None, first=not acts, greeted=greeted, before=before)
        before = text
        greeted |= act.endswith("Greeting")
        acts.append(act)
    return acts


def acts_realised(conversation: Conversation, seed: Seed) -> float:
    """Longest common subsequence of act families / the longer of the two, [0, 1]."""
    said = [FAMILY.get(act, act) for act in acts_of([turn.text for turn in conversation.turns])]
    asked = [FAMILY.get(step.act, step.act) for step in seed.flow]
    return lcs_length(said, asked) / max(len(said), len(asked))


def _measure(evidence: Evidence) -> float | None:
    pairs = ((c, evidence.seeds.get(c.seed_id or "")) for c in evidence.conversations)
    values = [acts_realised(conversation, seed) for conversation, seed in pairs if seed is not None]
    return sum(values) / len(values) if values else None


ACTS_REALISED = Metric("acts_realised", (0.0, 1.0), "higher", _measure)
