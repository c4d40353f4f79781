"""Echo: does what was said in a source conversation come out of it again?

Each trial is a conversation in which an invented value was said before it was seeded, and everything that was made of
it: the seed, which is all that a generator sees, and a text generated from the seed. A success is a value that stands
there, or anywhere among what was made of the others, verbatim or nearly so. What a seed does not hold no generator can
repeat, so the bound is on the way from a source to any text that is made of it.

The conversations are drawn from the source with replacement, the values independently of it and of each other. Given
the source, trials are therefore independent, and the binomial bound holds for the mean rate over its conversations
(Hoeffding 1956: unequal rates only make the count less variable), however few people the source holds. Values that
were said nowhere are searched for in the same way: they tell what chance finds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from attacks.config import AttackConfig
from attacks.decide import guessable
from attacks.near_copy import distance_within, letters
from attacks.source_canaries import SourceCanary
from attacks.verdict import AttackResult, Details, result

NAME = "source_canaries"


def attack_echo(
    planted: Sequence[SourceCanary], released: Sequence[str], absent: Sequence[SourceCanary], config: AttackConfig
) -> AttackResult:
    """Search for every planted value once.

    Args:
        planted: one a conversation; 299 are needed for a pass.
        released: what was made of each conversation, in the same order.
        absent: values that were said nowhere.
        config: threshold, confidence and `near_distance`.
    """
    texts = [letters(text) for text in released]
    everything = "\n".join(texts)
    found = [_stands(canary, text, everything, config) for canary, text in zip(planted, texts, strict=True)]
    control = sum(letters(canary.value) in everything for canary in absent)
    successes = sum(found)
    details: Details = {"control_successes": control, "control_trials": len(absent)}
    doubt = "" if everything.strip() else "nothing was made of the conversations"
    doubt = doubt or guessable(successes, len(planted), control, len(absent), config)
    return result(NAME, "text_only", successes, len(planted), config, blind=doubt, details=details)


def _stands(canary: SourceCanary, own: str, everything: str, config: AttackConfig) -> bool:
    value = letters(canary.value)
    if value in everything:
        return True
    allowed = math.floor(config.near_distance * len(value))
    # With so few edits one of the pieces is left whole; looking for it first saves nearly every comparison.
    size = len(value) // (allowed + 1)
    pieces = (value[start : start + size] for start in range(0, len(value) - size + 1, size))
    return any(piece in own for piece in pieces) and distance_within(value, own) <= allowed
