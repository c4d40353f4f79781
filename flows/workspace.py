"""What the stages of one run share: paths, configuration, the detector, and the secrets held in memory."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from flows.config import RunConfig
from flows.records import GateRecord, SourceCommitment
from flows.shards import ShardStore
from flows.signing import user_key
from flows.spreading import Spread

if TYPE_CHECKING:
    from seed_engine.detect import Detector
    from seed_engine.fingerprints import Fingerprints
    from seed_engine.secrets import SecretIndex


# Folder in staging of what only a resumed run needs.
KEPT = ".kept"

# What the last stage that needs it leaves in its place.
_LAST_USE: dict[str, dict[str, bytes | None]] = {
    "extract": {"key": b""},
    "evaluate": {"fingerprints": None},
    "attack_text": {"_detector": None},
    "render": {"secrets": None},
}


@dataclass(frozen=True, slots=True)
class StageResult:
    """What a stage tells: counts and gates, never text.

    Attributes:
        counts: what went in, came out and was dropped, by reason.
        gates: in the order they were passed; the first that is not `pass` halts the run.
        seconds: wall time of the stage.
        cpu_seconds: CPU time of this process in that time.
        models: what it ran on: digests by file, and the provider's name.
    """

    counts: dict[str, float] = field(default_factory=dict)
    gates: tuple[GateRecord, ...] = ()
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    models: dict[str, str] = field(default_factory=dict)

    def timed(self, seconds: float, cpu_seconds: float) -> StageResult:
        """The same result with what it cost."""
        return replace(self, seconds=round(seconds, 3), cpu_seconds=round(cpu_seconds, 3))


class Workspace:
    """One run's working state.

    A plain class on purpose: Prefect walks through dataclasses and pydantic models that it is given, and nothing here
    is for it to look at. What is known of the inputs is forgotten as soon as the last stage that needs it has ended.

    Attributes:
        directory: the staging folder, where every stage reads and writes.
        inputs: the user's files.
        limit: conversations read per file, or None for all.
        skip_bad: count broken lines instead of stopping.
        config: the whole configuration; a stage passes its own section on.
        secrets: keyed hashes of the personal values of the inputs, found or carried; set by `extract`.
        sees: whether the detector found anything that can be searched for; set by `extract`.
        held_back: positions of the conversations that were held back from seeding; set by `extract`.
        left_out: positions of all that no seed was made of, those held back among them; set by `extract`.
        fingerprints: keyed hashes of the inputs' n-grams; set by `extract`.
        source: commitment to the inputs; set by `extract`.
        kept: what only a resumed run needs, sealed.
        spread: maps work over conversations, shard by shard.
    """

    def __init__(
        self, directory: Path, inputs: tuple[Path, ...], config: RunConfig, limit: int | None, skip_bad: bool
    ) -> None:
        self.directory, self.inputs, self.config = directory, inputs, config
        self.limit, self.skip_bad = limit, skip_bad
        self.key = os.urandom(32)
        self.secrets: SecretIndex | None = None
        self.sees = False
        self.held_back: frozenset[int] = frozenset()
        self.left_out: frozenset[int] = frozenset()
        self.fingerprints: Fingerprints | None = None
        self.source: SourceCommitment | None = None
        self._detector: Detector | None = None
        self.kept = ShardStore(directory / KEPT, user_key("ledger.key"))
        self.spread = Spread(config.run, self.kept, lambda: self.detector)

    def __repr__(self) -> str:
        return "Workspace()"

    @property
    def detector(self) -> Detector:
        """The run's one detector, loaded at first use."""
        if self._detector is None:
            from seed_engine.detect import Detector

            self._detector = Detector(self.config.detector)
        return self._detector

    def drop_kept(self) -> None:
        """Remove what only a resumed run needs; it is not to be published."""
        shutil.rmtree(self.directory / KEPT, ignore_errors=True)

    def forget_after(self, stage: str) -> None:
        """Drop what no stage after this one needs."""
        for name, empty in _LAST_USE.get(stage, {}).items():
            setattr(self, name, empty)

    def forget(self) -> None:
        """Throw the run's key, hashed secrets and detector away."""
        for stage in _LAST_USE:
            self.forget_after(stage)
