"""How a command or a run lets its seeds out: planned and booked before the source is read, told afterwards."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.errors import UsageError
from flows.signing import config_home, user_key
from seed_engine.config import CROWD, SeedConfig
from seed_engine.errors import InputError
from seed_engine.models import file_sha256
from seed_engine.strict_json import strict_json

if TYPE_CHECKING:
    from seed_engine.conversation import Conversation
    from seed_engine.release import Mechanism
    from seed_engine.seed import Seed

RELEASE = "release.json"
SEEDS = "seeds.jsonl"


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """What was decided before the source is read.

    Attributes:
        config: how seeds leave the house.
        mechanism: the noise of a `dp` release, else None.
        spent: epsilon of all releases of this source so far, this one included; 0 without one.
        kept: a run that is gone on with has this release in its folder already; drawn again, it would cost again.
        order: hex; draws the order of k-anonymous seeds. Nobody without the user's key can tell it, and a run that is
            gone on with draws the same: in another one every conversation would have to be generated again.
    """

    config: SeedConfig
    mechanism: Mechanism | None = None
    spent: float = 0.0
    kept: bool = False
    order: str = ""

    @property
    def private(self) -> bool:
        """Whether nothing exact about the source may be told, not even how many conversations it holds."""
        return self.mechanism is not None


def plan_release(
    config: SeedConfig, inputs: Sequence[Path], limit: int | None = None, folder: Path | None = None
) -> ReleasePlan:
    """Decide on the noise and book it on the ledger; of the inputs nothing but their digests is taken before.

    Args:
        config: how seeds leave the house.
        inputs: the files.
        folder: where an interrupted run may have left a private release of the same inputs under the same settings.
        limit: conversations read per file; a private release allows none, since a subject taken out of the file would
            let others in.

    Raises:
        UsageError: a private release with a limit; nothing is booked.
        BudgetError: the ledger does not allow it.
        InputError: the ledger cannot be read.
    """
    if config.release != "dp":
        return ReleasePlan(config, order=_order(inputs))
    if limit is not None:
        raise UsageError("a dp release reads its source whole; leave the limit out")
    from seed_engine.ledger import book, fingerprint
    from seed_engine.release import mechanism_for

    key = user_key("ledger.key")
    marks = [fingerprint(b"name:" + os.fsencode(path.resolve()), key) for path in inputs]
    if config.ledger is None:
        # Data that was moved or copied has another name and the same digest.
        marks += [fingerprint(b"content:" + file_sha256(path).encode(), key) for path in inputs]
    mechanism = mechanism_for(config.epsilon, config.delta)
    left = _left(folder, inputs, config) if folder is not None else None
    if left is not None:
        return ReleasePlan(config, mechanism, left, kept=True)
    spent = book(
        config.ledger or config_home() / "ledger.json",
        marks,
        mechanism.noise_multiplier,
        mechanism.epsilon,
        mechanism.delta,
        config.ceiling,
        every=config.ledger is not None,
    )
    return ReleasePlan(config, mechanism, spent)


def release_seeds(
    plan: ReleasePlan, seeds: Iterable[tuple[Conversation, Seed]], counts: Counter[str]
) -> Iterator[Seed]:
    """Yield the seeds that may be written.

    Args:
        plan: see `plan_release`.
        seeds: each with the conversation that it was made of.
        counts: filled with what was generalised and suppressed, and conversations `without_subject`.

    Raises:
        InputError: a private release protects subjects, and a conversation names none.
    """
    items = ((_unit(plan, conversation, counts), seed) for conversation, seed in seeds)
    if plan.mechanism is not None:
        from seed_engine.release import release_private

        yield from release_private(items, plan.mechanism, count=plan.config.count)
    elif plan.config.release == "none":
        yield from (seed for _, seed in items)
    else:
        import numpy as np

        from seed_engine.anonymity import anonymise

        crowd = CROWD * plan.config.k if plan.config.release == "auto" else 0
        yield from anonymise(items, plan.config.k, counts, crowd, np.random.default_rng(int(plan.order, 16)))


def bind_release(record: dict[str, Any], folder: Path, inputs: Sequence[Path], config: SeedConfig) -> dict[str, Any]:
    """The record with `binding`: what ties a private release to its seeds, inputs and settings.

    A keyed hash, which tells nothing to anybody without the user's key and lets the user's next run know its own.

    Args:
        record: see `release_record`.
        folder: holds seeds.jsonl.
        inputs: the files.
        config: how seeds leave the house.
    """
    from seed_engine.ledger import fingerprint

    parts = [file_sha256(path) for path in (folder / SEEDS, *inputs)]
    bound = {name: value for name, value in record.items() if name != "binding"}
    whole = json.dumps([parts, config.model_dump(mode="json"), bound], sort_keys=True)
    return bound | {"binding": fingerprint(whole.encode(), user_key("ledger.key"))}


def _left(folder: Path, inputs: Sequence[Path], config: SeedConfig) -> float | None:
    """Epsilon spent with the private release that the folder holds; None without one, or where anything differs."""
    try:
        record = strict_json((folder / RELEASE).read_bytes())
        if isinstance(record, dict) and bind_release(record, folder, inputs, config) == record:
            return float(record["epsilon_spent"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _order(inputs: Sequence[Path]) -> str:
    from seed_engine.ledger import fingerprint

    names = b"\0".join(os.fsencode(path.resolve()) for path in inputs)
    return fingerprint(b"order:" + names, user_key("ledger.key"))


def _unit(plan: ReleasePlan, conversation: Conversation, counts: Counter[str]) -> str:
    if plan.config.unit == "conversation":
        return conversation.id
    if conversation.subject is None:
        if plan.private:
            raise InputError(
                "[seeds]", None, 'a conversation names no subject; unit = "conversation" protects each for itself'
            )
        counts["without_subject"] += 1
    return conversation.unit


def release_record(plan: ReleasePlan, counts: Counter[str], seeds: int) -> dict[str, Any]:
    """release.json: what is promised to the subjects of the source, and what it took.

    Args:
        plan: see `plan_release`.
        counts: see `release_seeds`.
        seeds: how many were written.
    """
    # Classes are counted only where seeds were partitioned, which `auto` leaves to the number of subjects.
    release = plan.config.release if plan.private else "kanonymous" if "classes" in counts else "none"
    # A conversation that names nobody was counted for itself: of subjects nothing is promised then.
    unit = "conversation" if counts["without_subject"] else plan.config.unit
    record: dict[str, Any] = {"schema_version": "1", "release": release, "unit": unit, "seeds": seeds}
    if plan.mechanism is not None:
        return record | {
            "neighbours": f"one {unit} added or removed",
            "epsilon": plan.mechanism.epsilon,
            "delta": plan.mechanism.delta,
            "mechanism": "discrete Gaussian",
            "noise_multiplier": plan.mechanism.noise_multiplier,
            "accountant": "rdp",
            "epsilon_spent": plan.spent,
            "epsilon_ceiling": plan.config.ceiling,
        }
    return record | ({"k": plan.config.k, **counts} if release == "kanonymous" else {})
