"""Trainings that are killed: gone on with, the same steps and epsilon, booked once, published once."""

from __future__ import annotations

import functools
import os
import random
import signal
import time
from pathlib import Path

import pytest
import torch

from flows.adapter_training import staging_of, train_adapter
from flows.errors import UsageError
from seed_engine.conversation import Conversation, Turn
from seed_engine.errors import BudgetError
from tests.training.tiny import tiny_base
from training.accountants import epsilons
from training.canaries import make_canaries
from training.config import TrainingConfig
from training.errors import CheckpointError
from training.ledger import read_ledger
from training.record import TrainingRun
from training.train import plan

SETTINGS = TrainingConfig(
    r=4, canaries=16, canary_controls=8, epochs=12, batch_size=8, max_length=64, precision="float32", epsilon=4.0
)
TALKS = [Conversation(id=f"id{i}", turns=(Turn(role="agent", text="hello there"),)) for i in range(20)]


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.adapter.load_base", tiny_base)
    monkeypatch.setattr("training.train.load_base", tiny_base)
    torch.set_num_threads(1)


def silent(done: int, total: int) -> None:
    pass


def training(output: Path, ledger: Path | None, **changes: object) -> TrainingRun:
    settings = SETTINGS.model_copy(update={"ledger": ledger, **changes})
    return train_adapter(TALKS, settings, output, silent, resume=True)


def killed_after(seconds: float, output: Path, ledger: Path) -> bool:
    """Train in a child and kill it so long after its first step; whether the kill came before its end."""
    begun, tell = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            settings = SETTINGS.model_copy(update={"ledger": ledger})
            train_adapter(TALKS, settings, output, lambda done, total: os.write(tell, b".") and None, resume=True)
            code = 0
        finally:
            os._exit(code)
    os.close(tell)
    os.read(begun, 1)
    moment = time.monotonic() + seconds
    while time.monotonic() < moment and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(begun)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def test_killed_at_ten_moments_a_training_is_the_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The sums are done once for all children, so that the kills fall into the steps.
    planned = plan(len(TALKS) + len(make_canaries(16, 8, 0).members), SETTINGS)
    monkeypatch.setattr("training.train.plan", lambda units, config: planned)
    known = functools.cache(epsilons)
    monkeypatch.setattr("training.ledger.epsilons", lambda done, delta: known(tuple(done), delta))
    whole = training(tmp_path / "whole", tmp_path / "whole.json")
    start = time.monotonic()
    training(tmp_path / "again", None)
    lasts = (time.monotonic() - start) / 2
    moments, kills, attempt, resumed = random.Random(9), 0, 0, 0
    while kills < 10:
        output, ledger = tmp_path / f"adapter{attempt}", tmp_path / f"ledger{attempt}.json"
        while not output.exists() and kills < 10:
            kept = (staging_of(output) / "checkpoint.safetensors").exists()
            kills += killed_after(moments.uniform(0, lasts), output, ledger)
            resumed += kept
        if not output.exists():
            training(output, ledger)
        run = TrainingRun.model_validate_json((output / "training.json").read_text("utf-8"))
        assert (run.steps, run.epsilon, run.epsilon_spent) == (whole.steps, whole.epsilon, whole.epsilon_spent)
        assert len(read_ledger(ledger).entries) == 1
        with pytest.raises(UsageError, match="exists"):
            train_adapter(TALKS, SETTINGS, output, silent, resume=True)
        attempt += 1
    assert resumed > 2
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".staging")] in ([], [".adapter0.staging"])


def test_a_resumed_seeded_training_repeats_the_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = training(tmp_path / "whole", None, secure_rng=False)

    def stop(done: int, total: int) -> None:
        if done == total // 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("training.checkpoint.SHARE", 1e9)
    settings = SETTINGS.model_copy(update={"secure_rng": False})
    with pytest.raises(KeyboardInterrupt):
        train_adapter(TALKS, settings, tmp_path / "a", stop, resume=False)
    assert not (tmp_path / "a").exists()
    with pytest.raises(UsageError, match="give --resume"):
        train_adapter(TALKS, settings, tmp_path / "a", silent, resume=False)
    seen: list[int] = []
    run = train_adapter(TALKS, settings, tmp_path / "a", lambda done, total: seen.append(done), resume=True)
    assert seen == list(range(whole.steps // 2 + 1, whole.steps + 1))
    assert run.adapter_sha256 == whole.adapter_sha256
    assert not staging_of(tmp_path / "a").exists()


def test_what_is_left_of_other_data_is_not_gone_on_with(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_adapter(TALKS, SETTINGS, tmp_path / "a", stop, resume=False)
    with pytest.raises(CheckpointError):
        train_adapter([*TALKS[1:], TALKS[0].model_copy(update={"id": "new"})][:19], SETTINGS, tmp_path / "a", silent,
                      resume=True)  # fmt: skip
    assert staging_of(tmp_path / "a").exists()
    assert training(tmp_path / "a", None).steps > 1


def test_a_ledger_halts_before_it_overspends(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    first = training(tmp_path / "a", ledger, ceiling=6.0)
    assert first.epsilon_spent == pytest.approx(first.epsilon)
    before = ledger.read_bytes()
    with pytest.raises(BudgetError):
        training(tmp_path / "b", ledger, ceiling=4.5)
    assert ledger.read_bytes() == before
    assert not (tmp_path / "b").exists()
    assert not staging_of(tmp_path / "b").exists()
    second = training(tmp_path / "b", ledger, ceiling=8.0)
    assert first.epsilon < float(second.epsilon_spent or 0) < 2 * first.epsilon
    assert "ledger" not in (tmp_path / "b" / "training.json").read_text("utf-8")
