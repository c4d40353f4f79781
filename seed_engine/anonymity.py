"""k-anonymity over seeds: whatever could single somebody out is shared by at least k subjects, or is not there.

Mondrian partitioning (LeFevre et al. 2006) over sets of labels: the seeds of a domain and language are split in two by
the label that halves them best, as long as both halves have k subjects. What the seeds of a class do not have in common
is generalised along the vocabulary: an objective to the domain's general one, a tone to `neutral`, roles to asking
and answering side, a marker to its kind, a topic to one that the class shares; or suppressed: an age band, a mention.
A domain and language with fewer than k subjects is suppressed whole.

Guarantees:
    Seeds that are written have combinations (`seed_engine.quasi_identifiers`) that at least k subjects share each.
    It is no promise against somebody who knows how a conversation went, or who sees several releases of one source.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seed_engine.generalise import Shared, generalise
from seed_engine.numbering import renumbered
from seed_engine.quasi_identifiers import attributes
from seed_engine.seed import Guarantee, Seed

Ints = NDArray[np.int64]

SUPPRESSED = -1


@dataclass(slots=True)
class Anonymised:
    """Seeds ready to be written, and what was done to them.

    Attributes:
        seeds: yields them once, in the order they came in.
        counts: `seeds_in`, `suppressed`, `classes`, `smallest_class` (subjects) and, filled while seeds are drawn,
            `generalised_<part>`: seeds in which that part was generalised or suppressed.
    """

    seeds: Iterator[Seed]
    counts: Counter[str] = field(default_factory=Counter)


def anonymise(items: Iterable[tuple[str, Seed]], k: int) -> Anonymised:
    """Generalise or suppress what fewer than k subjects share.

    All seeds are read before the first is yielded; they wait in an unnamed temporary file, and in memory as about a
    hundred bytes each.

    Args:
        items: the privacy unit and a seed of it.
        k: subjects, >= 2.
    """
    spool = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `seeds` below closes it
    index = _Index()
    for unit, raw in items:
        # A note that counts from a date which no step mentions goes first, so that what is counted is what is written.
        seed = raw.model_copy(update={"flow": renumbered(raw.flow)})
        spool.write(json.dumps(seed.model_dump(mode="json", exclude_none=True)) + "\n")
        index.add(unit, seed)
    classes, shared, smallest = index.classes(k)
    counts = Counter(seeds_in=len(classes), suppressed=int((classes == SUPPRESSED).sum()), classes=len(shared))
    counts["smallest_class"] = smallest

    def seeds() -> Iterator[Seed]:
        spool.seek(0)
        with spool:
            for line, number in zip(spool, classes.tolist(), strict=True):
                if number == SUPPRESSED:
                    continue
                seed, changed = generalise(Seed.model_validate_json(line), shared[number])
                counts.update(f"generalised_{part}" for part in changed)
                yield seed.model_copy(update={"privacy": Guarantee(k=k)})

    return Anonymised(seeds(), counts)


class _Index:
    """What partitioning needs of each seed: its subject, its cell (domain and language), and its labels by number."""

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}
        self._subjects: dict[str, int] = {}
        self._cells: dict[tuple[str, str], int] = {}
        self._subject, self._cell, self._ends, self._held = array("q"), array("q"), array("q", [0]), array("q")

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
    """The label's column that halves the rows best and leaves k subjects on both sides; None when there is none."""
    held = table.sum(0)
    balance = np.minimum(held, len(table) - held)
    for label in np.argsort(-balance, kind="stable"):
        if balance[label] < k:
            return None
        column = table[:, label]
        if all(len(np.unique(subject[side])) >= k for side in (column, ~column)):
            return column
    return None


def _shared(table: NDArray[np.bool_], names: list[str]) -> Shared:
    held = table.sum(0)
    common, most = defaultdict[str, set[str]](set), dict[str, tuple[int, str]]()
    for label in np.flatnonzero(held).tolist():
        part, _, value = names[label].partition("=")
        if held[label] == len(table):
            common[part].add(value)
        if part not in most or held[label] > most[part][0]:
            most[part] = (int(held[label]), value)
    return Shared({part: frozenset(values) for part, values in common.items()}, most["topic"][1])
