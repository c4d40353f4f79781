"""A real adapter, overfit on its canaries: the gates see it, and such a run is halted before it could be certified."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.config import AttackConfig
from flows.attacking import attack_adapter
from seed_engine.conversation import Conversation, Turn
from training.config import TrainingConfig
from training.train import train

CONVERSATIONS = [Conversation(id="1", turns=(Turn(role="agent", text="How can I help?"),))]


@pytest.mark.slow
def test_an_adapter_overfit_on_its_canaries_fails_the_gates(tmp_path: Path) -> None:
    config = TrainingConfig(
        epsilon=float("inf"), canaries=60, canary_controls=40, epochs=40, batch_size=16, learning_rate=4e-3
    )
    run = train(CONVERSATIONS, config, tmp_path / "adapter")
    assert not run.private
    report = attack_adapter(tmp_path / "adapter", AttackConfig(), lambda done, total: None)
    verdicts = {row.name: row.verdict for row in report.attacks}
    assert report.verdict == "fail"
    assert verdicts["membership"] == "fail"
