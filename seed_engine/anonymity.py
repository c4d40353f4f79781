"""k-anonymity over seeds: whatever could single somebody out is shared by at least k subjects, or is not there.

Mondrian partitioning (LeFevre et al. 2006) over sets of labels: the seeds of a domain and language are split in two by
the label that tells most about the others, as long as both parts have k subjects. What the seeds of a class do not
have in common is generalised along the vocabulary: an objective to the domain's general one, a tone to `neutral`,
roles to asking and answering side, a marker to its kind, a topic to one that the class shares; or suppressed: an age
band, a mention. A domain and language with fewer than k subjects is suppressed whole.

Guarantees:
    Seeds that are written have combinations (`seed_engine.quasi_identifiers`) that at least k subjects share each.
    Order and ids are drawn anew, so that neither tells whose seed is missing.
    It is no promise against somebody who knows how a conversation went, or who sees several releases of one source.
"""

from __future__ import annotations

import tempfile
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from seed_engine.generalise import Shared, generalise
from seed_engine.numbering import renumbered
from seed_engine.quasi_identifiers import attributes
from seed_engine.seed import Guarantee, Seed

Ints = NDArray[np.int64]

SUPPRESSED = -1


def anonymise(
    items: Iterable[tuple[str, Seed]],
    k: int,
    counts: Counter[str],
    crowd: int = 0,
    rng: np.random.Generator | None = None,
) -> Iterator[Seed]:
    """Yield seeds in random order, numbered anew, with what fewer than k subjects share generalised or suppressed.

    All seeds are read before the first is yielded; they wait in an unnamed temporary file, and in memory as about two
    hundred bytes each.

    Args:
        items: the privacy unit and a seed of it.
        k: subjects, >= 2.
        counts: filled with `seeds_in`, `suppressed`, `classes`, `smallest_class` (subjects) and `generalised_<part>`,
            seeds in which that part was generalised or suppressed; left alone when nothing is done.
        crowd: with fewer subjects than this nothing is done at all.
        rng: draws the order; None takes the operating system's entropy.
    """
    with tempfile.TemporaryFile() as spool:
        index, places = _Index(), array("q")
        for unit, raw in items:
            # A note that counts from a date which no step mentions goes first: what is counted is what is written.
            seed = raw.model_copy(update={"flow": renumbered(raw.flow)})
            places.append(spool.tell())
            spool.write(seed.model_dump_json().encode() + b"\n")
            index.add(unit, seed)
        if index.subjects < crowd:
            spool.seek(0)
            yield from map(Seed.model_validate_json, spool)
            return
        classes, shared, smallest = index.classes(k)
        counts.update(seeds_in=len(classes), suppressed=int((classes == SUPPRESSED).sum()))
        counts.update(classes=len(shared), smallest_class=smallest)
        order = (rng or np.random.default_rng()).permutation(np.flatnonzero(classes != SUPPRESSED))
        for written, row in enumerate(order.tolist(), 1):
            spool.seek(places[row])
            seed, changed = generalise(Seed.model_validate_json(spool.readline()), shared[int(classes[row])])
            counts.update(f"generalised_{part}" for part in changed)
            yield seed.model_copy(update={"id": f"seed-{written:06d}", "privacy": Guarantee(k=k)})


class _Index:
    """What partitioning needs of each seed: its subject, its cell (domain and language), and its labels by number."""

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}
        self._subjects: dict[str, int] = {}
        self._cells: dict[tuple[str, str], int] = {}
        self._subject, self._cell, self._ends, self._held = array("q"), array("q"), array("q", [0]), array("q")

    @property
    def subjects(self) -> int:
        """How many there are."""
        return len(self._subjects)

    def add(self, unit: str, seed: Seed) -> None:
        self._subject.append(self._subjects.setdefault(unit, len(self._subjects)))
        self._cell.append(self._cells.setdefault((seed.domain, seed.language), len(self._cells)))
        self._held.extend(self._labels.setdefault(label, len(self._labels)) for label in attributes(seed))
        self._ends.append(len(self._held))

    def classes(self, k: int) -> tuple[Ints, list[Shared], int]:
        """Class number of each seed (`SUPPRESSED` for none), what each class shares, subjects of the smallest."""
        numbers = np.full(len(self._subject), SUPPRESSED, np.int64)
        subject, cell = np.array(self._subject, np.int64), np.array(self._cell, np.int64)
        names, shared, smallest = list(self._labels), list[Shared](), 0
        for number in range(len(self._cells)):
            members = np.flatnonzero(cell == number)
            table = self._table(members)
            for part in _partition(table, subject[members], k):
                size = len(np.unique(subject[members][part]))
                smallest = min(smallest or size, size)
                numbers[members[part]] = len(shared)
                shared.append(_shared(table[part], names))
        return numbers, shared, smallest

    def _table(self, members: Ints) -> NDArray[np.bool_]:
        """One row a seed, one column a label."""
        table = np.zeros((len(members), len(self._labels)), bool)
        for row, seed in enumerate(members.tolist()):
            table[row, self._held[self._ends[seed] : self._ends[seed + 1]]] = True
        return table


def _partition(table: NDArray[np.bool_], subject: Ints, k: int) -> Iterator[Ints]:
    """Row numbers of each class; none when all rows together have fewer than k subjects."""
    if len(np.unique(subject)) < k:
        return
    waiting = [np.arange(len(table))]
    while waiting:
        rows = waiting.pop()
        halves = _halves(table[rows], subject[rows], k)
        if halves is None:
            yield rows
        else:
            waiting += [rows[halves], rows[~halves]]


def _halves(table: NDArray[np.bool_], subject: Ints, k: int) -> NDArray[np.bool_] | None:
    """The column of the label that tells most about all others, with k subjects on both sides; None without one."""
    held = table.sum(0)
    open_labels = np.flatnonzero((held > 0) & (held < len(table)))
    if not len(open_labels):
        return None
    part = table[:, open_labels]
    for label in np.argsort(-_gains(part), kind="stable"):
        column = part[:, label]
        if all(len(np.unique(subject[side])) >= k for side in (column, ~column)):
            return column
    return None


def _gains(table: NDArray[np.bool_]) -> NDArray[np.float64]:
    """By label, how far splitting by it lowers the entropy of all labels together (Quinlan 1986), in nats a seed."""
    rows, ones = len(table), table.astype(np.float32)
    together = (ones.T @ ones).astype(np.float64)
    with_it = np.diag(together).copy()
    without = rows - with_it
    inside = _entropy(together / with_it[:, None]).sum(1) * with_it
    outside = _entropy((with_it[None, :] - together) / without[:, None]).sum(1) * without
    gains: NDArray[np.float64] = _entropy(with_it / rows).sum() - (inside + outside) / rows
    return gains


def _entropy(share: NDArray[np.float64]) -> NDArray[np.float64]:
    inner = np.clip(share, 1e-12, 1 - 1e-12)
    entropy: NDArray[np.float64] = -inner * np.log(inner) - (1 - inner) * np.log(1 - inner)
    return entropy


def _shared(table: NDArray[np.bool_], names: list[str]) -> Shared:
    held = table.sum(0)
    common, most = defaultdict[str, set[str]](set), dict[str, tuple[int, str]]()
    for label in np.flatnonzero(held).tolist():
        part, _, value = names[label].partition("=")
        if held[label] == len(table):
            common[part].add(value)
        if part not in most or held[label] > most[part][0]:
            most[part] = (int(held[label]), value)
    return Shared({part: frozenset(values) for part, values in common.items()}, most.get("topic", (0, ""))[1])
