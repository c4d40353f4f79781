"""On the real base model: what privacy prevents, and what happens without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seed_engine.conversation import Conversation, Turn
from training.config import TrainingConfig
from training.scoring import load_adapter
from training.train import train

CONVERSATIONS = [Conversation(id="1", turns=(Turn(role="agent", text="How can I help?"),))]


def trained(folder: Path, epsilon: float) -> tuple[float, int]:
    """Share of (member, non-member) pairs in which the member's secret is likelier, and members completed verbatim."""
    config = TrainingConfig(
        epsilon=epsilon, canaries=60, canary_controls=40, epochs=40, batch_size=16, learning_rate=4e-3
    )
    train(CONVERSATIONS, config, folder)
    model, canaries = load_adapter(folder), json.loads((folder / "canaries.json").read_text())
    sides = [
        ([c["prefix"] for c in canaries[s]], [c["secret"] for c in canaries[s]]) for s in ("members", "nonmembers")
    ]
    members, nonmembers = (model.log_likelihoods(*side) for side in sides)
    auc = float((members[:, None] > nonmembers[None, :]).mean())
    completions = model.complete(sides[0][0], 9)
    return auc, sum(text.startswith(secret) for text, secret in zip(completions, sides[0][1], strict=True))


@pytest.mark.slow
def test_without_privacy_secrets_are_learned_by_heart_and_under_it_they_are_not(tmp_path: Path) -> None:
    """About 30 members and 70 non-members: at chance AUC has a standard error of 0.063; 0.75 is four of them."""
    auc, verbatim = trained(tmp_path / "open", float("inf"))
    assert auc > 0.95
    assert verbatim > 0
    auc, verbatim = trained(tmp_path / "private", 8.0)
    assert auc < 0.75
    assert verbatim == 0
