"""What a process of a scan does with one block, whichever engine it works for; text comes in and none goes out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from flows.sensitive_pieces import Block
from seed_engine.readers.record import Fault
from seed_engine.sensitive.records import Judge, Judgement
from seed_engine.sensitive.scan_documents import Document


class LoadJudge(Protocol):
    """Loads a judge in any process; found by its module's name, and compared by value."""

    @property
    def mark(self) -> str:
        """Changes whenever the judge does: a scan that was killed goes on with the same judge only."""
        ...

    def __call__(self) -> Judge:
        """The judge."""
        ...

    def __hash__(self) -> int:
        """A judge is loaded once a process."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeFolder:
    """Loads a judge; compared by what it loads, so that a process loads it once.

    Attributes:
        path: folder that `semilla sensitive train` wrote; None for the starter model.
    """

    path: str | None = None

    @property
    def mark(self) -> str:
        """SHA-256 of its files."""
        from seed_engine.models import file_sha256
        from seed_engine.sensitive.judge import starter_folder

        folder = Path(self.path) if self.path else starter_folder()
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        told = "".join(f"{file.relative_to(folder).as_posix()}\0{file_sha256(file)}\0" for file in files)
        return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()

    def __call__(self) -> Judge:
        """The judge.

        Raises:
            SensitiveModelError: a file of it is missing, altered or of another version.
        """
        from seed_engine.sensitive.judge import load_judge

        return load_judge(Path(self.path) if self.path else None)


@dataclass(frozen=True, slots=True)
class ScanSpec:
    """How to judge; small, since it goes to every process.

    Attributes:
        load: loads the judge.
        threshold: score from which a text is a hit, in [0, 1]; None leaves the judge its own.
        all: write a line for every text, not for hits only.
        skip_bad: count broken lines instead of stopping at the first.
    """

    load: LoadJudge = JudgeFolder()
    threshold: float | None = None
    all: bool = False
    skip_bad: bool = False


@dataclass(slots=True)
class Tally:
    """What a scan has met.

    Attributes:
        texts: judged.
        skipped: broken lines passed over.
        labels: texts by label.
        categories: hits by category.
        stages: texts by the stage that decided.
    """

    texts: int = 0
    skipped: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)
    stages: dict[str, int] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Count another's on top."""
        self.texts += other.texts
        self.skipped += other.skipped
        for name in ("labels", "categories", "stages"):
            own = getattr(self, name)
            for label, count in getattr(other, name).items():
                own[label] = own.get(label, 0) + count

    def count(self, judgement: Judgement) -> None:
        """Count one text."""
        self.texts += 1
        self.labels[judgement.label] = self.labels.get(judgement.label, 0) + 1
        self.stages[judgement.stage] = self.stages.get(judgement.stage, 0) + 1
        if judgement.label == "scpi" and judgement.category is not None:
            self.categories[judgement.category] = self.categories.get(judgement.category, 0) + 1


@dataclass(frozen=True, slots=True)
class Scanned:
    """What became of a block.

    Attributes:
        lines: of the output, UTF-8.
        tally: of the block.
        faults: `(line, rule)` of its broken lines; only the first without `skip_bad`.
    """

    lines: bytes
    tally: Tally
    faults: tuple[tuple[int | None, str], ...]


@lru_cache(maxsize=1)
def judge_of(load: LoadJudge) -> Judge:
    """The judge, loaded once a process."""
    return load()


def documents_of(block: Block) -> Iterator[Document | Fault]:
    """The documents of a block, and its broken lines."""
    from flows.sensitive_rows import unpack_rows
    from seed_engine.sensitive.scan_documents import read_lines, read_rows

    if block.rows:
        return read_rows(unpack_rows(block.content), block.line, block.prefix)
    return read_lines(block.content, block.line, block.prefix)


def scan_block(block: Block, spec: ScanSpec) -> Scanned:
    """Judge a block.

    Raises:
        SensitiveModelError: the judge cannot be loaded.
    """
    from seed_engine.sensitive.scan import hit_record, scan

    lines, tally, faults = [], Tally(), []
    for item in scan(documents_of(block), judge_of(spec.load), spec.threshold):
        if isinstance(item, Fault):
            faults.append((item.line, item.rule))
            tally.skipped += 1
            continue
        document, judgement = item
        tally.count(judgement)
        if spec.all or judgement.label == "scpi":
            lines.append(json.dumps(hit_record(document, judgement), ensure_ascii=False) + "\n")
    return Scanned("".join(lines).encode("utf-8"), tally, tuple(faults))
