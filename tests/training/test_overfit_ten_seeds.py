"""Ten overfit adapters and ten private ones, of the same records: no verdict of the gates is wrong."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from attacks.config import AttackConfig
from attacks.verdict import GateReport
from flows.attacking import attack_adapter
from seed_engine.conversation import Conversation, Turn
from training.config import TrainingConfig
from training.train import train

CONVERSATIONS = [Conversation(id="1", turns=(Turn(role="agent", text="hello there"),))]
LINEAR = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


def attacked(folder: Path, seed: int, epsilon: float) -> GateReport:
    """The gates' report on the tiny model, 300 visits to each of about 30 member canaries, which the seed draws."""
    config = TrainingConfig(
        epsilon=epsilon,
        seed=seed,
        canaries=60,
        canary_controls=800,
        epochs=300.0,
        batch_size=16,
        learning_rate=5e-3,
        r=16,
        lora_alpha=32.0,
        max_length=64,
        target_modules=LINEAR,
        precision="float32",
        secure_rng=False,
        physical_batch_tokens=16_384,
    )
    train(CONVERSATIONS, config, folder)
    return attack_adapter(folder, AttackConfig(), lambda done, total: None)


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("seed", range(10))
def test_overfit_fails_and_private_neither_fails_nor_passes_falsely(tmp_path: Path, seed: int) -> None:
    """The same 30 records or so: without privacy every gate sees them; with it, so few trials are inconclusive."""
    overfit = attacked(tmp_path / "open", seed, math.inf)
    assert {row.name: row.verdict for row in overfit.attacks} == {"membership": "fail", "extraction": "fail"}
    private = attacked(tmp_path / "private", seed, 8.0)
    assert private.verdict == "inconclusive", [(row.name, row.successes, row.trials) for row in private.attacks]
    assert max(float(private.attacks[0].details[f"auc_{name}"]) for name in ("loss", "reference")) < 0.75
