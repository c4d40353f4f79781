"""Holds people of a source back before seeding: whom no seed knows tells what a stranger's resemblance is."""

from __future__ import annotations

import os
from collections.abc import Sequence

from attacks.config import AttackConfig
from flows.signing import config_home, write_private

# With fewer controls a threshold is too coarse to tell a leak from chance.
_FEWEST_CONTROLS = 100


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
    key = _key()
    ranked = sorted(people, key=lambda unit: fingerprint(unit.encode("utf-8", "surrogatepass"), key))
    chosen = set(ranked[:count])
    return frozenset(position for position, unit in enumerate(units) if unit in chosen)


def _key() -> bytes:
    """The user's key of this choice; made at first use."""
    path = config_home() / "controls.key"
    if not path.exists():
        write_private(path, os.urandom(32))
    return path.read_bytes()
