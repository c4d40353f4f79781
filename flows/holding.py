"""Holds people of a source back before seeding: whom no seed knows tells what a stranger's resemblance is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from attacks.config import AttackConfig
from evaluator.scores import SourceCopies
from flows.signing import user_key

if TYPE_CHECKING:
    from evaluator.config import EvaluatorConfig
    from seed_engine.conversation import Conversation
    from seed_engine.fingerprints import Fingerprints

# With fewer controls a threshold is too coarse to tell a leak from chance.
_FEWEST_CONTROLS = 100
_CONFIDENCE = 0.95


def held_back(units: Sequence[str], config: AttackConfig) -> frozenset[int]:
    """Positions of the conversations whose people are held back; none where the source has nobody to spare.

    Decided by a keyed hash of each person's name, so that a run that is gone on with holds back the same people, and
    nobody without the user's key can tell who they are.

    Args:
        units: whose conversation each is.
        config: `held_back` and `text_people`.
    """
    from seed_engine.ledger import fingerprint

    people = dict.fromkeys(units)
    count = min(config.held_back, len(people) // 2, len(people) - config.text_people)
    if count < _FEWEST_CONTROLS:
        return frozenset()
    key = user_key("controls.key")
    ranked = sorted(people, key=lambda unit: fingerprint(unit.encode("utf-8", "surrogatepass"), key))
    chosen = set(ranked[:count])
    return frozenset(position for position, unit in enumerate(units) if unit in chosen)


def excusing(controls: Iterable[Conversation], used: Sequence[Conversation]) -> tuple[Conversation, ...]:
    """The controls that excuse no copy: no used source is among them, and they are no more than the used ones."""
    known = {tuple(turn.text for turn in item.turns) for item in used}
    others = (item for item in controls if tuple(turn.text for turn in item.turns) not in known)
    return tuple(islice(others, len(used)))


def passages(sources: Iterable[Conversation], key: bytes) -> Fingerprints:
    """Fingerprints of sources; what the house itself says is nobody's."""
    from generator.house import house_texts
    from seed_engine.fingerprints import Fingerprints

    said = ((item.unit, [turn.text for turn in item.turns]) for item in sources)
    return Fingerprints.build(said, key, allowed=tuple(house_texts()))


def against_strangers(
    synthetic: Sequence[Conversation],
    used: Iterable[Conversation],
    held_back: Iterable[Conversation],
    config: EvaluatorConfig,
) -> SourceCopies:
    """Of how many people used, and of how many strangers, a long stretch stands in a set.

    The interval is Newcombe's of a difference of two rates (1998, Statist. Med. 17, 873-890, method 10).

    Args:
        synthetic: the set.
        used: conversations that seeds were made of; at least one.
        held_back: conversations that no seed was made of; at least one.
        config: `copied_words`.
    """
    from attacks.attribute import advantage
    from evaluator.memorisation import copied_people
    from generator.house import house_texts
    from seed_engine.fingerprints import Fingerprints

    said = ((str(number), [turn.text for turn in item.turns]) for number, item in enumerate(synthetic))
    # What the set says many times over is not common property: it may be one person's words, copied many times.
    nobody = len(synthetic) + 2
    published = Fingerprints.build(said, os.urandom(32), allowed=tuple(house_texts()), shared_by=nobody)
    copied, people = copied_people(used, published, config)
    by_chance, strangers = copied_people(held_back, published, config)
    low, high = advantage(copied, people, by_chance, strangers, _CONFIDENCE)
    return SourceCopies(
        used=people,
        used_copied=copied,
        held_back=strangers,
        held_back_copied=by_chance,
        low=low,
        high=high,
        confidence=_CONFIDENCE,
    )
