"""Canaries: random records of which a coin decides whether the adapter is trained on them.

They are noise, say nothing about anybody, and are published with the adapter: whoever doubts the guarantee can repeat
audit and attacks. Their form was chosen for language models: a prefix of random words tells one canary from the next,
and a secret of random digits (one token each in SmolLM2) can be known from the training only.
"""

from __future__ import annotations

import random
from typing import Literal

from seed_engine.conversation import Boundary

_WORDS = """
amber anchor apple arrow autumn bamboo basket beacon bishop blanket bottle branch bridge bronze butter button
cabin camera candle canyon carbon castle cedar cherry circle clover cobalt copper coral cotton crystal desert
diamond dragon eagle ember falcon feather forest garden garlic ginger glacier granite harbor hazel hollow
honey island ivory jacket jungle kettle ladder lantern laurel lemon linen lizard magnet maple marble meadow
mirror
"""
WORDS = tuple(_WORDS.split())
SECRET_DIGITS = 6


class Canary(Boundary):
    """One planted record: `prefix + secret` is its text.

    Attributes:
        prefix: what an adversary is told.
        secret: what only the training can tell; starts with a space, so that prefix and secret never share a token.
    """

    prefix: str
    secret: str


class CanarySet(Boundary):
    """The canaries of one training.

    Attributes:
        members: stand in the training data.
        nonmembers: do not; drawn from the same distribution.
        flipped_nonmembers: how many of the non-members, from the first on, owe it to a coin; with the members they
            are what the audit may use. The rest are controls that were never in question.
    """

    schema_version: Literal["1"] = "1"
    members: tuple[Canary, ...]
    nonmembers: tuple[Canary, ...]
    flipped_nonmembers: int


def make_canaries(flips: int, controls: int, seed: int, coins: str | None = None) -> CanarySet:
    """Draw canaries and flip a fair coin for each of the first `flips`.

    Args:
        flips: canaries that a coin is flipped for, >= 0.
        controls: further non-members, >= 0.
        seed: of the texts and, without `coins`, of the coins too.
        coins: a secret of this training that decides the coins. The audit's theorem is about coins that nobody knew:
            those of a published seed fall alike in every training, and so does their luck.
    """
    rng = random.Random(f"canaries {seed}")
    prefixes: dict[str, None] = {}
    while len(prefixes) < flips + controls:
        prefixes[f"Access code {' '.join(rng.choice(WORDS) for _ in range(3))}:"] = None
    drawn = [Canary(prefix=prefix, secret=f" {rng.randrange(10**SECRET_DIGITS):06d}") for prefix in prefixes]
    flipped = rng if coins is None else random.Random(f"coins {coins}")
    fell = [flipped.random() < 0.5 for _ in range(flips)]
    heads = tuple(canary for canary, coin in zip(drawn[:flips], fell, strict=True) if coin)
    tails = tuple(canary for canary, coin in zip(drawn[:flips], fell, strict=True) if not coin)
    return CanarySet(members=heads, nonmembers=tails + tuple(drawn[flips:]), flipped_nonmembers=len(tails))
