"""The detection bench: systems over marked sets in one process, their scores and what they cost.

The systems take turns set by set, so that a busy machine slows them alike; models are loaded before the clock starts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from seed_engine.conversation import Conversation, Turn
from seed_engine.gold import GoldSet
from seed_engine.scoring import Document, GoldSpan, PiiScore, View, pool, score
from seed_engine.spans import EntitySpan

Found = list[tuple[tuple[EntitySpan, ...], ...]]
Finder = Callable[[Sequence[Conversation]], Found]

# One text of each common kind: whatever a system loads late is loaded by it.
_WARM = Conversation(
    id="warm-up",
    turns=(
        Turn(role="text", text="Ann Lee wrote to ann@example.com on 3 May 2021 from 192.0.2.7, call 202-555-0143."),
    ),
    language="en",
)


@dataclass(frozen=True, slots=True)
class SetResult:
    """What one system did on one set, or on several.

    Attributes:
        score: counts and measures.
        characters: code points read.
        cpu_seconds: CPU time of this process in that time, of all its threads.
    """

    score: PiiScore
    characters: int
    cpu_seconds: float

    @property
    def speed(self) -> float:
        """Characters per CPU-second."""
        return self.characters / self.cpu_seconds if self.cpu_seconds else float("nan")


@dataclass(frozen=True, slots=True)
class Row:
    """One set, or several pooled.

    Attributes:
        name: of the set.
        language: ISO 639-1.
        view: what it was scored in; a set without marks is scored `strict`, else no find could be a mistake.
        results: by system, in the order given.
    """

    name: str
    language: str
    view: View
    results: dict[str, SetResult]


def run_bench(sets: Iterable[GoldSet], systems: Mapping[str, Finder], view: View = "core") -> Iterator[Row]:
    """Run every system on every set, and yield a row as soon as a set is done.

    Args:
        sets: read one at a time.
        systems: finders by name; each is called once for a set.
        view: as `scoring.score` has it.
    """
    for find in systems.values():
        find([_WARM])
    for gold in sets:
        yield _row(gold, systems, view if gold.is_marked else "strict")


def pooled(rows: Iterable[Row], language: str = "en") -> Row | None:
    """The marked sets of a language as one, by counts; None without any."""
    kept = [row for row in rows if row.language == language and any(item.score.gold for item in row.results.values())]
    if not kept:
        return None
    results = {name: _summed([row.results[name] for row in kept]) for name in kept[0].results}
    return Row(f"all {len(kept)} marked sets in {language}", language, kept[0].view, results)


def everyday(rows: Iterable[Row]) -> Row | None:
    """The sets without marks as one, by counts; None without any."""
    kept = [row for row in rows if row.view == "strict" and not any(r.score.gold for r in row.results.values())]
    if not kept:
        return None
    results = {name: _summed([row.results[name] for row in kept]) for name in kept[0].results}
    return Row(f"all {len(kept)} sets without marks", kept[0].language, "strict", results)


def _summed(results: Sequence[SetResult]) -> SetResult:
    return SetResult(
        pool(item.score for item in results),
        sum(item.characters for item in results),
        sum(item.cpu_seconds for item in results),
    )


def _row(gold: GoldSet, systems: Mapping[str, Finder], view: View) -> Row:
    return Row(gold.name, gold.language, view, {name: _result(gold, find, view) for name, find in systems.items()})


def _result(gold: GoldSet, find: Finder, view: View) -> SetResult:
    started = time.process_time()
    found = find(gold.documents)
    seconds = time.process_time() - started
    scored = score(map(_document, gold.documents, gold.gold, found), view)
    return SetResult(scored, sum(len(turn.text) for item in gold.documents for turn in item.turns), seconds)


def _document(
    document: Conversation, gold: Sequence[Sequence[GoldSpan]], found: Sequence[Sequence[EntitySpan]]
) -> Document:
    spans = [[(span.start, span.end, span.entity_type) for span in turn] for turn in found]
    return Document([turn.text for turn in document.turns], gold, spans)
