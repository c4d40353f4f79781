"""A resumed run keeps the adapter it had trained: training again would spend the privacy budget again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from flows.adapter_training import TRAINED_ON
from flows.config import RunConfig
from flows.records_io import write_records
from flows.stages.model import train
from flows.workspace import Workspace
from seed_engine.conversation import Conversation, Turn
from training.audit import Audit
from training.config import TrainingConfig
from training.record import TrainingRun


def silent(done: int, total: int) -> None:
    pass


def record(number: int) -> TrainingRun:
    audit = Audit(**{name: 0 for name in Audit.model_fields})
    figures = {name: 0 for name in ("delta", "noise_multiplier", "sample_rate", "max_grad_norm", "tokens_per_second")}
    words = ("unit", "unit_bound", "clipping", "sampler", "noise_generator", "base_sha256", "frozen_sha256")
    rest: dict[str, Any] = {"accountants": {}, "config": {}, "versions": {}, "adapter_sha256": str(number)}
    return TrainingRun(
        private=True, epsilon=number, steps=number, units=3, member_canaries=1, audit=audit,
        **figures, **dict.fromkeys(words, ""), **rest,
    )  # fmt: skip


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the trainings that took place; the n-th claims epsilon n."""
    done: list[int] = []

    def fit(_: object, __: object, output: Path, **___: object) -> TrainingRun:
        done.append(len(done) + 1)
        (output / "training.json").write_text(record(done[-1]).model_dump_json())
        return record(done[-1])

    monkeypatch.setattr("training.train.train", fit)
    return done


def workspace(tmp_path: Path, text: str = "hi", **training: Any) -> Workspace:
    tmp_path.mkdir(exist_ok=True)
    write_records(tmp_path / "synthetic.jsonl", [Conversation(id="x", turns=(Turn(role="agent", text=text),))])
    return Workspace(tmp_path, (), RunConfig(training=TrainingConfig(**training)), None, False)


def test_the_same_set_under_the_same_settings_is_trained_once(tmp_path: Path, trainings: list[int]) -> None:
    first = train(workspace(tmp_path), silent)
    again = train(workspace(tmp_path), silent)
    assert trainings == [1]
    assert again == first


@pytest.mark.parametrize("change", [{"text": "ho"}, {"epochs": 2.0}, {"epsilon": 4.0}])
def test_another_set_or_another_setting_is_trained_anew(
    tmp_path: Path, trainings: list[int], change: dict[str, Any]
) -> None:
    train(workspace(tmp_path), silent)
    train(workspace(tmp_path, **change), silent)
    assert trainings == [1, 2]


def test_an_adapter_that_says_nothing_of_what_it_was_trained_on_is_trained_anew(
    tmp_path: Path, trainings: list[int]
) -> None:
    work = workspace(tmp_path)
    train(work, silent)
    (work.directory / "adapter" / TRAINED_ON).unlink()
    train(work, silent)
    assert trainings == [1, 2]


def test_a_kill_after_the_attack_trains_no_second_time(tmp_path: Path, trainings: list[int]) -> None:
    """Whatever a later stage leaves or removes beside the adapter: the adapter alone tells what it was trained on."""
    work = workspace(tmp_path)
    train(work, silent)
    for path in work.directory.iterdir():
        if path.name not in {"adapter", "synthetic.jsonl"}:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    train(work, silent)
    assert trainings == [1]
