from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from seed_engine.conversation import Conversation, Turn
from training.config import TrainingConfig
from training.errors import AccountingError, AdapterError, TrainingDataError
from training.record import TrainingRun
from training.scoring import load_adapter
from training.train import train

CONFIG = TrainingConfig(
    r=4, canaries=24, canary_controls=8, epochs=2, batch_size=8, max_length=64, secure_rng=False, precision="float32"
)


def conversations(count: int) -> list[Conversation]:
    return [
        Conversation(id=f"id{i}", turns=(Turn(role="agent", text="hello there"), Turn(role="user", text="my code")))
        for i in range(count)
    ]


@pytest.mark.usefixtures("tiny")
def test_a_training_leaves_a_whole_adapter(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    run = train(conversations(10), CONFIG, tmp_path / "a", lambda *at: calls.append(at))
    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert {"adapter_model.safetensors", "adapter_config.json", "canaries.json", "training.json", "README.md"} <= names
    assert not [name for name in names if name.endswith(".part")]
    assert TrainingRun.model_validate_json((tmp_path / "a" / "training.json").read_text()) == run
    record = json.loads((tmp_path / "a" / "training.json").read_text())
    promised = [
        "epsilon",
        "delta",
        "noise_multiplier",
        "sample_rate",
        "steps",
        "max_grad_norm",
        "unit",
        "sampler",
        "tokens_per_second",
    ]
    assert set(promised) <= set(record)
    assert set(record["accountants"]) == {"prv", "rdp", "pld"}
    assert {"epsilon_lower_bound", "ceiling", "guesses", "correct"} <= set(record["audit"])
    card = (tmp_path / "a" / "README.md").read_text()
    assert f"({run.epsilon:.3f}, 1e-05)-differential privacy" in card
    assert run.private
    assert 7.9 < run.epsilon <= 8.0
    assert run.units == 10 + run.member_canaries
    assert calls[-1] == (run.steps, run.steps)
    assert run.audit.epsilon_lower_bound <= run.epsilon


@pytest.mark.usefixtures("tiny")
def test_the_folder_names_no_place_and_no_conversation(tmp_path: Path) -> None:
    train(conversations(10), CONFIG, tmp_path / "a")
    for path in (tmp_path / "a").iterdir():
        content = path.read_bytes()
        for secret in (str(tmp_path), str(Path.home()), "site-packages", "hello there", "id3"):
            assert secret.encode() not in content, (path.name, secret)


@pytest.mark.usefixtures("tiny")
def test_a_saved_adapter_answers_as_the_trained_one(tmp_path: Path) -> None:
    config = CONFIG.model_copy(update={"epsilon": float("inf"), "epochs": 30.0, "learning_rate": 0.02})
    run = train(conversations(10), config, tmp_path / "a")
    loaded = load_adapter(tmp_path / "a")
    canaries = json.loads((tmp_path / "a" / "canaries.json").read_text())
    prefixes, secrets = zip(*((c["prefix"], c["secret"]) for c in canaries["members"]), strict=True)
    moved = loaded.log_likelihoods(prefixes, secrets) - loaded.log_likelihoods(prefixes, secrets, reference=True)
    assert np.abs(moved).mean() > 1
    assert not run.private
    assert run.epsilon == float("inf")
    assert run.accountants == {}
    assert "WITHOUT privacy" in (tmp_path / "a" / "README.md").read_text()
    assert json.loads((tmp_path / "a" / "training.json").read_text())["epsilon"] == "Infinity"


@pytest.mark.usefixtures("tiny")
def test_nothing_to_train_on_and_impossible_deltas_stop_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(TrainingDataError):
        train([], CONFIG, tmp_path / "a")
    with pytest.raises(AccountingError, match="below 1 / units"):
        train(conversations(10), CONFIG.model_copy(update={"delta": 0.5}), tmp_path / "a")
    with pytest.raises(AccountingError, match="more than one unit"):
        train(conversations(10), CONFIG.model_copy(update={"canary_repeats": 2}), tmp_path / "a")
    assert not (tmp_path / "a").exists()


@pytest.mark.usefixtures("tiny")
def test_an_unknown_layer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match="no layer no_such"):
        train(conversations(3), CONFIG.model_copy(update={"target_modules": ("no_such",)}), tmp_path / "a")


def test_a_folder_without_an_adapter_of_ours_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AdapterError):
        load_adapter(tmp_path)
    (tmp_path / "adapter_model.safetensors").write_bytes(b"")
    for content in ("", "[]", '{"base_model_name_or_path": "another"}'):
        (tmp_path / "adapter_config.json").write_text(content)
        with pytest.raises(AdapterError):
            load_adapter(tmp_path)
