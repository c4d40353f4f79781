"""Finished stages are not done again, on the same things; on others, or where anybody touched a note, they are."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attacks.config import AttackConfig
from attacks.verdict import result
from flows.config import RunConfig, load_config
from flows.engine_config import EngineConfig
from flows.errors import StageError
from flows.progress import Advance
from flows.records import GateRecord
from flows.records_io import read_records, write_records
from flows.shard_work import Detecting, Made, Shard
from flows.stages import STAGES
from flows.workspace import KEPT, StageResult, Workspace
from seed_engine.conversation import Conversation, Turn
from seed_engine.detect import Detector
from seed_engine.seed import Seed
from tests.chaos.world import CONFIG, SWEEP, conversations

NAMES = ("extract", "validate", "generate", "evaluate", "attack_text", "render")
# The package names its function as it names the module.
ATTACKING = sys.modules["flows.stages.attack_text"]
WRITTEN = ("synthetic.jsonl", "scores.json", "attacks.json", "rendered.jsonl")


class Killed(BaseException):
    """Stands for SIGKILL: nothing that is ours catches it."""


@dataclass
class Runs:
    """Processes of one run, or of others, and what they have done between them."""

    root: Path
    done: Counter[str]
    config: RunConfig
    embedded: int = 0
    kill_at: int = -1

    def process(self, folder: str = "run", until: str = "render", **settings: Any) -> Workspace:
        """Do the stages, from whatever the folder holds."""
        (self.root / folder).mkdir(exist_ok=True)
        config = self.config.model_copy(update=settings)
        work = Workspace(self.root / folder, (self.root / "in.jsonl",), config, None, False)
        for name in NAMES[: NAMES.index(until) + 1]:
            STAGES[name](work, lambda done, total: None)
            work.forget_after(name)
        return work

    def files(self, folder: str = "run") -> dict[str, bytes]:
        return {name: (self.root / folder / name).read_bytes() for name in WRITTEN}

    def notes(self, folder: str = "run") -> list[Path]:
        """Notes of stages, and not of shards."""
        return [path for path in self.kept(folder) if '"gates"' in path.read_text()[64:]]

    def kept(self, folder: str = "run") -> list[Path]:
        return sorted((self.root / folder / KEPT).iterdir())


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "in.jsonl").write_text(conversations(12))
    (tmp_path / "semilla.toml").write_text(CONFIG.replace("strategy", "redraws = 0\nstrategy"))
    config = load_config(tmp_path / "semilla.toml")
    config = config.model_copy(update={"run": EngineConfig(engine="plain", shard=4)})
    made = Runs(tmp_path, Counter(), config)

    def embed(texts: list[str]) -> Any:
        if 0 <= made.kill_at <= made.embedded:
            raise Killed
        made.embedded += len(texts)
        vectors = np.array([np.random.default_rng(len(text)).normal(size=384) for text in texts], dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def detecting(self: Detecting, detector: Detector | None = None) -> Callable[[Shard], Made]:
        assert detector is not None

        def detect(shard: Shard) -> Made:
            made.done["detected"] += len(shard)
            return Made([[[] for _ in item.turns] for item in shard], ())

        return detect

    monkeypatch.setattr("evaluator.embedding.embed_alone", embed)
    monkeypatch.setattr("flows.embedded._SHARD", 8)
    monkeypatch.setattr(Detecting, "load", detecting)
    monkeypatch.setattr("flows.judging._false_alarms", lambda language, detect: None)
    monkeypatch.setitem(STAGES, "generate", generated)

    def planted(*_: object) -> Any:
        made.done["planted"] += 1
        return result("source_canaries", "text_only", 0, 400, AttackConfig(), details={"share": 0.1 + 0.2})

    monkeypatch.setattr(ATTACKING, "attack_seeding", planted)
    for name in ("evaluate", "attack_text", "render"):
        monkeypatch.setitem(STAGES, name, replace(STAGES[name], stage=counted(name, STAGES[name].stage, made.done)))
    return made


def generated(work: Workspace, advance: Advance) -> StageResult:
    """Three turns of each seed; the stage itself has tests of its own, and takes its time."""
    seeds = read_records(work.directory / "seeds.jsonl", Seed)
    said = ("Where is my order?", "On its way, as of today.", "Thank you, that was quick.")
    made = (
        Conversation(
            id=f"{seed.id}-0",
            seed_id=seed.id,
            domain=seed.domain,
            language=seed.language,
            turns=tuple(
                Turn(role=seed.roles[i % len(seed.roles)], text=f"{text} {'Indeed. ' * (i + number)}".strip())
                for i, text in enumerate(said)
            ),
        )
        for number, seed in enumerate(seeds)
    )
    return StageResult({"conversations": write_records(work.directory / "synthetic.jsonl", made)})


def counted(name: str, stage: Any, done: Counter[str]) -> Any:
    def body(work: Workspace, advance: Advance) -> StageResult:
        done[name] += 1
        said: StageResult = stage(work, advance)
        return said

    return body


@pytest.mark.parametrize("last", ["generate", "evaluate", "attack_text", "render"])
def test_a_run_that_is_gone_on_with_does_each_stage_once(last: str, runs: Runs) -> None:
    runs.process("whole")
    once, texts = Counter(runs.done), runs.embedded
    assert set(once) == {"evaluate", "attack_text", "render", "planted", "detected"}
    runs.process(until=last)
    runs.process()
    assert runs.done == once + once
    assert runs.embedded == 2 * texts
    assert runs.files() == runs.files("whole")


def test_what_is_taken_up_says_what_was_said(runs: Runs) -> None:
    runs.process(until="generate")
    work = runs.process(until="generate")
    first = STAGES["evaluate"](work, lambda done, total: None)
    again = STAGES["evaluate"](runs.process(until="generate"), lambda done, total: None)
    assert again == replace(first, counts=first.counts | {"taken_up": 1})
    assert again.gates
    assert again.models


def test_a_kill_in_the_middle_of_evaluation_costs_a_shard(runs: Runs) -> None:
    runs.process("whole")
    texts, detected = runs.embedded, runs.done["detected"]
    assert texts > 24
    runs.embedded, runs.kill_at = 0, 16
    with pytest.raises(Killed):
        runs.process()
    assert runs.embedded == 16
    runs.kill_at = -1
    runs.process()
    assert runs.embedded == texts
    assert runs.done["detected"] == 2 * detected
    assert runs.files() == runs.files("whole")


def test_a_kill_in_the_middle_of_the_attack_costs_the_other_part(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*args: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(ATTACKING, "attack_texts", killed)
        with pytest.raises(Killed):
            runs.process()
    runs.process()
    assert runs.done["planted"] == 1
    assert runs.done["attack_text"] == 2
    runs.process("whole")
    assert runs.files() == runs.files("whole")


CHANGES: dict[str, Callable[[Runs, pytest.MonkeyPatch], object]] = {
    "another input": lambda runs, _: (runs.root / "in.jsonl").write_text(conversations(13)),
    "another setting": lambda runs, _: setattr(runs, "config", runs.config.with_seed(7)),
    "a line of code": lambda _, patch: patch.setattr("flows.finished.code_digest", lambda: "other"),
    "another version": lambda _, patch: patch.setattr("flows.finished.version", lambda name: "0"),
    "another user": lambda runs, patch: patch.setenv("XDG_CONFIG_HOME", str(runs.root / "elsewhere")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_on_other_things_it_is_done_again(change: str, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    runs.process()
    CHANGES[change](runs, monkeypatch)
    runs.process()
    assert (runs.done["evaluate"], runs.done["attack_text"], runs.done["render"]) == (2, 2, 2)


def test_another_set_is_judged_anew(runs: Runs) -> None:
    work = runs.process()
    path = work.directory / "synthetic.jsonl"
    path.write_bytes(path.read_bytes().replace(b"?", b" ?", 1))
    work = runs.process(until="extract")
    for name in ("evaluate", "attack_text", "render"):
        STAGES[name](work, lambda done, total: None)
    assert (runs.done["evaluate"], runs.done["attack_text"], runs.done["render"]) == (2, 2, 2)


def test_a_note_that_was_touched_is_no_verdict(runs: Runs) -> None:
    """A verdict that somebody wrote, moved or copied into the folder without the user's key counts for nothing."""
    runs.process()
    whole, notes = runs.files(), runs.notes()
    assert len(notes) == 3
    contents = [note.read_bytes() for note in notes]
    forged = [content.replace(b'"figure": 0.0', b'"figure": 0.5') for content in contents]
    swapped = contents[1:] + contents[:1]
    unsealed = [content[64:] for content in contents]
    resealed = [b"0" * 64 + content[64:] for content in contents]
    for number, wrong in enumerate((forged, swapped, unsealed, resealed, [b""] * 3), 1):
        assert wrong != contents
        for note, content in zip(notes, wrong, strict=True):
            note.write_bytes(content)
        before = sum(runs.done[name] for name in NAMES)
        runs.process()
        touched = sum(a != b for a, b in zip(wrong, contents, strict=True))
        assert sum(runs.done[name] for name in NAMES) == before + touched, number
        assert runs.files() == whole


def test_a_file_that_was_touched_is_made_again_and_one_in_its_place_is_replaced(runs: Runs) -> None:
    runs.process()
    whole = runs.files()
    for note in runs.notes():
        copy = runs.root / "run" / KEPT / json.loads(note.read_text()[64:])["file"]
        copy.write_bytes(copy.read_bytes().replace(b"0", b"1"))
    (runs.root / "run" / "scores.json").write_text('{"verdict": "pass"}')
    runs.process()
    assert runs.files() == whole
    assert (runs.done["evaluate"], runs.done["attack_text"], runs.done["render"]) == (2, 2, 2)
    (runs.root / "run" / "scores.json").write_text('{"verdict": "pass"}')
    runs.process()
    assert runs.files() == whole
    assert runs.done["evaluate"] == 2


@pytest.mark.parametrize("verdict", ["fail", "inconclusive"])
def test_a_stage_that_does_not_pass_leaves_no_note(verdict: Any, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = GateRecord(name="leak", figure=1, threshold=0, verdict=verdict)
    doing = replace(STAGES["evaluate"], stage=lambda work, advance: StageResult({}, (gate,)))  # type: ignore[type-var]
    monkeypatch.setitem(STAGES, "evaluate", doing)
    runs.process(until="evaluate")
    assert runs.notes() == []


def test_an_input_that_changes_during_the_run_is_noticed_all_the_same(runs: Runs) -> None:
    runs.process()
    work = runs.process(until="generate")
    (runs.root / "in.jsonl").write_text(conversations(13))
    with pytest.raises(StageError, match="an input changed"):
        STAGES["attack_text"](work, lambda done, total: None)


def test_what_is_kept_says_nothing_of_the_source_and_is_its_owners(runs: Runs) -> None:
    runs.process()
    assert SWEEP.below(runs.root / "run") == []
    kept = runs.kept()
    assert len(kept) > 10
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    assert not [path for path in kept if set(path.name) - set("0123456789abcdef")]
    for note in runs.notes():
        told = json.loads(note.read_text()[64:])
        assert set(told) == {"file", "counts", "gates", "models"}
