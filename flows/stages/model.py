"""Training the adapter with differential privacy, and attacking it as an adversary would."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flows.models_used import pinned
from flows.progress import Advance
from flows.published import attack_gates, read_attacks
from flows.records import GateRecord
from flows.records_io import read_records
from flows.rundir import write_json
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation
from seed_engine.models import file_sha256
from seed_engine.strict_json import strict_json

if TYPE_CHECKING:
    from training.record import TrainingRun


def train(work: Workspace, advance: Advance) -> StageResult:
    """DP-SGD LoRA on the synthetic set; writes adapter/.

    A resumed run keeps the adapter that was trained on the same set under the same settings: to train once more would
    spend the privacy budget once more.
    """
    run = _trained(work, advance)
    ceiling, audited = work.config.certificate.max_epsilon, run.audit.epsilon_lower_bound
    gates = (
        GateRecord(
            name="epsilon",
            figure=_finite(run.epsilon),
            threshold=ceiling,
            verdict="pass" if run.private and run.epsilon <= ceiling else "fail",
            detail="claimed privacy loss against the largest that is certified",
        ),
        GateRecord(
            name="audit",
            figure=audited,
            threshold=_finite(run.epsilon),
            verdict="pass" if audited <= run.epsilon else "fail",
            detail="lower bound on epsilon from one run (95%) against the epsilon claimed",
        ),
    )
    return StageResult({"records": run.records, "steps": run.steps}, gates, models=pinned("smollm2"))


def _trained(work: Workspace, advance: Advance) -> TrainingRun:
    from flows.adapter_training import TRAINED_ON, staging_of, train_adapter
    from training.errors import CheckpointError
    from training.record import TrainingRun

    settings, target = work.config.training, work.directory / "adapter"
    synthetic = work.directory / "synthetic.jsonl"
    chosen = hashlib.sha256(json.dumps(settings.told(), sort_keys=True).encode()).hexdigest()
    trained_on = {synthetic.name: file_sha256(synthetic), "settings": chosen}
    if _digests(target / TRAINED_ON) == trained_on:
        return TrainingRun.model_validate_json((target / "training.json").read_bytes())
    shutil.rmtree(target, ignore_errors=True)
    conversations = tuple(read_records(synthetic, Conversation))
    try:
        return train_adapter(conversations, settings, target, advance, resume=True, trained_on=trained_on)
    except CheckpointError:
        shutil.rmtree(staging_of(target))  # a run that is gone on with under other settings
    return train_adapter(conversations, settings, target, advance, resume=False, trained_on=trained_on)


def _digests(file: Path) -> object:
    return strict_json(file.read_bytes()) if file.exists() else None


def attack(work: Workspace, advance: Advance) -> StageResult:
    """Attack the adapter with its planted canaries; adds to attacks.json and judges all attacks together."""
    from attacks.verdict import conclude
    from flows.attacking import attack_adapter

    texts = read_attacks(work.directory / "attacks.json")
    report = attack_adapter(work.directory / "adapter", work.config.attacks, advance)
    gates = attack_gates(report)
    plots = report.plots.model_copy(update={"roc": report.plots.roc | texts.plots.roc})
    whole = conclude([*texts.attacks, *report.attacks], plots)
    write_json(work.directory / "attacks.json", whole.model_dump(mode="json"))
    together = GateRecord(
        name="attacks.together",
        figure=whole.joint_p_value,
        threshold=1 - work.config.attacks.confidence,
        verdict=whole.verdict,
        detail="largest Holm-adjusted p-value over all attacks that are gates",
    )
    return StageResult({"attacks": len(report.attacks)}, (*gates, together), models=pinned("smollm2"))


def _finite(figure: float) -> float:
    """The largest number for infinity, which training without privacy has for its epsilon and JSON cannot say."""
    return min(figure, sys.float_info.max)
