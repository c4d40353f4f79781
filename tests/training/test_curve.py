from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.training.test_train import CONFIG, conversations
from training.curve import POINTS, PUBLIC, due
from training.record import TrainingRun
from training.train import train


@pytest.mark.parametrize("steps", [1, 7, 10, 11, 99, 1563])
def test_a_curve_has_few_points_and_the_last_step(steps: int) -> None:
    taken = [step for step in range(steps + 1) if due(step, steps)]
    assert taken[0] == 0
    assert taken[-1] == steps
    assert len(taken) <= POINTS + 2


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("mode", ["fused", "hooks", "ghost"])
def test_the_curve_follows_what_is_learned_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """On the public texts themselves, without privacy, it falls; with the curve or without, the adapter is the same."""
    settings = {"epsilon": float("inf"), "canaries": 0, "canary_controls": 0, "epochs": 20.0, "learning_rate": 0.02}
    config = CONFIG.model_copy(update=settings | {"clipping": mode, "batch_size": 2})
    run = train(PUBLIC, config, tmp_path / "a")
    steps, losses = zip(*run.loss_curve, strict=True)
    assert list(steps) == [step for step in range(run.steps + 1) if due(step, run.steps)]
    assert losses[-1] < losses[0] - 1
    monkeypatch.setattr("training.train.public_windows", lambda *_: [])
    bare = train(PUBLIC, config, tmp_path / "b")
    assert bare.loss_curve == ()
    assert bare.adapter_sha256 == run.adapter_sha256


@pytest.mark.usefixtures("tiny")
def test_the_curve_reads_nothing_of_the_training_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trained on other texts but kept from moving, the curve is the same: it depends on the iterates alone."""
    still = CONFIG.model_copy(update={"learning_rate": 1e-30, "epsilon": float("inf")})
    monkeypatch.setattr("training.dpsgd.parameter_digest", lambda _, trainable: object() if trainable else "")
    curves = [train(conversations(count), still, tmp_path / str(count)).loss_curve for count in (10, 11)]
    assert len({loss for curve in curves for _, loss in curve}) == 1


@pytest.mark.usefixtures("tiny")
def test_the_curve_is_written_beside_the_adapter(tmp_path: Path) -> None:
    run = train(conversations(10), CONFIG.model_copy(update={"epsilon": float("inf")}), tmp_path / "a")
    written = json.loads((tmp_path / "a" / "training.json").read_text())["loss_curve"]
    assert [tuple(point) for point in written] == list(run.loss_curve)
    read = TrainingRun.model_validate_json((tmp_path / "a" / "training.json").read_text())
    assert read.loss_curve == run.loss_curve
