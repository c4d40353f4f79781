"""Canaries: planted texts of which a coin decided whether the model was trained on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from attacks.errors import AttackInputError
from attacks.near_copy import letters


@dataclass(frozen=True, slots=True, repr=False)
class Canary:
    """One planted text, in two parts.

    Attributes:
        prefix: what the adversary knows; may be empty.
        secret: what follows it in the training text; has letters or digits, which the prefix does not tell yet.
    """

    prefix: str
    secret: str

    def __repr__(self) -> str:
        return f"Canary(prefix=<{len(self.prefix)}>, secret=<{len(self.secret)}>)"


@dataclass(frozen=True, slots=True, repr=False)
class CanarySet:
    """Members were trained on, non-members were drawn from the same distribution and kept out.

    Either side may be empty; the attacks then say `inconclusive`.
    """

    members: tuple[Canary, ...]
    nonmembers: tuple[Canary, ...]

    def __repr__(self) -> str:
        return f"CanarySet(members=<{len(self.members)}>, nonmembers=<{len(self.nonmembers)}>)"


def parse_canaries(record: Mapping[str, object]) -> CanarySet:
    """Read the decoded canaries.json of an adapter: `{"members": [{"prefix", "secret"}...], "nonmembers": [...]}`.

    Other keys, in the record or in an entry, are ignored: the trainer keeps its own notes there.

    Raises:
        AttackInputError: a side is missing or an entry is not usable; tells the side and the 0-based position.
    """
    members = _side(record, "members")
    nonmembers = _side(record, "nonmembers")
    if {c.prefix + c.secret for c in members} & {c.prefix + c.secret for c in nonmembers}:
        raise AttackInputError("canaries: a text stands among the members and among the non-members")
    return CanarySet(members, nonmembers)


def _side(record: Mapping[str, object], side: str) -> tuple[Canary, ...]:
    entries = record.get(side)
    if not isinstance(entries, list):
        raise AttackInputError(f"canaries: {side} is not a list")
    return tuple(_canary(entry, f"canaries: {side}[{position}]") for position, entry in enumerate(entries))


def _canary(entry: object, where: str) -> Canary:
    if not isinstance(entry, Mapping):
        raise AttackInputError(f"{where} is not an object")
    prefix, secret = entry.get("prefix"), entry.get("secret")
    if not isinstance(prefix, str) or not isinstance(secret, str):
        raise AttackInputError(f"{where}: prefix and secret must be strings")
    # An adversary ignores case, spacing and punctuation, and so does the extraction attack.
    if not letters(secret):
        raise AttackInputError(f"{where}: the secret has no letter and no digit")
    if letters(secret) in letters(prefix):
        raise AttackInputError(f"{where}: the prefix already tells the secret")
    return Canary(prefix, secret)
