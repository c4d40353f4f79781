"""What a ledger has spent so far, entry by entry: of private releases, or of trainings on one data set."""

from __future__ import annotations

from pathlib import Path

from flows.errors import UsageError
from seed_engine.errors import InputError


def spent_over_time(path: Path) -> tuple[tuple[str, float], ...]:
    """Moment and composed epsilon after each entry; every entry counts, whatever input it was booked under.

    Args:
        path: a ledger of `seed_engine.ledger` or of `training.ledger`.

    Raises:
        UsageError: it is neither, or not there.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    for read in (_releases, _trainings):
        try:
            return read(path)
        except InputError:
            continue
    raise UsageError(f"{path}: neither a ledger of releases nor one of trainings")


def _releases(path: Path) -> tuple[tuple[str, float], ...]:
    from seed_engine.ledger import read_ledger
    from seed_engine.release_accounting import composed_epsilon

    entries = read_ledger(path).entries
    growing = [entries[: place + 1] for place in range(len(entries))]
    return tuple(
        (group[-1].at, composed_epsilon((one.noise_multiplier for one in group), min(one.delta for one in group)))
        for group in growing
    )


def _trainings(path: Path) -> tuple[tuple[str, float], ...]:
    from training.accountants import epsilons
    from training.accounting import claimed_epsilon
    from training.ledger import read_ledger

    entries = read_ledger(path).entries
    growing = [entries[: place + 1] for place in range(len(entries))]
    return tuple(
        (group[-1].at, claimed_epsilon(epsilons([one.mechanism for one in group], min(one.delta for one in group))))
        for group in growing
    )
