"""What a finished stage said, kept under a seal until publication: a run that is gone on with need not ask again.

A note is figures alone: counts, gates, digests of models, and the digest of the file that the stage wrote, a copy of
which stands beside it under that digest. The note is named by a keyed hash of everything that the stage follows from
(inputs, held-back people, staged files, settings, code, versions, models), so that whatever else is there is not taken
for it; and sealed under the user's key, as shards are. Who can write into the run's folder but has not that key can
have a stage done again, and can make none pass.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flows.inclusion import salted_digest
from flows.listing import walk_files
from flows.models_used import family_models
from flows.progress import Advance
from flows.records import GateRecord
from flows.reviewing import reviewed_path
from flows.runlog import ENGINES
from flows.shard_marks import PACKAGES, code_digest
from flows.workspace import KEPT, StageResult, Workspace
from seed_engine.atomic import atomic_path
from seed_engine.domain_file import own_domains
from seed_engine.models import file_sha256
from seed_engine.profiles import FAMILIES

Stage = Callable[[Workspace, Advance], StageResult]

_VERSIONS = tuple(dict.fromkeys((*PACKAGES, *ENGINES, "scipy", "tokenizers")))


@dataclass(frozen=True, slots=True)
class Finishing:
    """A stage that is not done twice on the same things.

    Attributes:
        name: the stage's.
        stage: the stage.
        reads: staged files and folders that it follows from.
        writes: the file that it leaves.
    """

    name: str
    stage: Stage
    reads: tuple[str, ...]
    writes: str

    def __call__(self, work: Workspace, advance: Advance) -> StageResult:
        """What an earlier process was told, its file put back in place; else what the stage says now.

        A stage that does not pass is not kept: the run ends with it.
        """
        mark = _mark(work, self.name, self.reads)
        kept = _taken_up(work, mark, self.writes) if mark else None
        if kept is not None:
            return kept
        result = self.stage(work, advance)
        if mark and all(gate.verdict == "pass" for gate in result.gates):
            _keep(work, mark, self.writes, result)
        return result


def once(work: Workspace, part: str, make: Callable[[], Any]) -> Any:
    """A part of a stage that follows from inputs and settings alone: figures as JSON has them.

    Args:
        work: the run's, after `extract`.
        part: names it.
        make: works it out, where no earlier process of the run has.
    """
    mark = _mark(work, part, ())
    body = work.kept.read(work.kept.name(mark, ())) if mark else None
    if body is not None:
        return json.loads(body)
    made = make()
    if mark:
        work.kept.write(work.kept.name(mark, ()), json.dumps(made))
    return made


def _taken_up(work: Workspace, mark: str, writes: str) -> StageResult | None:
    body = work.kept.read(work.kept.name(mark, ()))
    if body is None:
        return None
    note = json.loads(body)
    try:
        content = (work.directory / KEPT / note["file"]).read_bytes()
    except OSError:
        return None
    if hashlib.sha256(content).hexdigest() != note["file"]:
        return None
    with atomic_path(work.directory / writes) as part:
        part.write_bytes(content)
    gates = tuple(map(GateRecord.model_validate, note["gates"]))
    return StageResult(note["counts"] | {"taken_up": 1}, gates, models=note["models"])


def _keep(work: Workspace, mark: str, writes: str, result: StageResult) -> None:
    content = (work.directory / writes).read_bytes()
    digest, folder = hashlib.sha256(content).hexdigest(), work.directory / KEPT
    folder.mkdir(mode=0o700, exist_ok=True)
    with atomic_path(folder / digest) as part:
        part.write_bytes(content)
    gates = [gate.model_dump(mode="json") for gate in result.gates]
    note = {"file": digest, "counts": result.counts, "gates": gates, "models": result.models}
    # Only now: a note that stands names a file that is whole.
    work.kept.write(work.kept.name(mark, ()), json.dumps(note))


def _mark(work: Workspace, name: str, reads: Sequence[str]) -> str | None:
    """Changes with everything that a stage follows from; None where an input is no longer what was extracted."""
    assert work.source is not None
    salt = bytes.fromhex(work.source.salt or "")
    inputs = [file_sha256(path) for path in work.inputs]
    if tuple(salted_digest(digest, salt) for digest in inputs) != work.source.files:
        return None
    decided = [file_sha256(path) for path in map(reviewed_path, work.inputs) if path.is_file()]
    told = {
        "stage": name,
        "inputs": [list(map(str, work.inputs)), inputs, decided, work.limit, work.skip_bad],
        "people": [sorted(work.held_back), sorted(work.left_out), work.sees],
        "staged": [[path.as_posix(), *_digests(work.directory / path)] for path in map(Path, reads)],
        "config": work.config.digest(),
        "domains": [profile.model_dump_json() for profile in own_domains()],
        "code": [platform.python_version(), code_digest(), {name: version(name) for name in _VERSIONS}],
        "models": family_models(FAMILIES[work.config.detector.engine]),
    }
    return json.dumps(told, sort_keys=True)


def _digests(path: Path) -> Iterator[str]:
    if path.is_dir():
        yield from sorted(f"{name} {file_sha256(file)}" for name, file in walk_files(path))
    elif path.is_file():
        yield file_sha256(path)
