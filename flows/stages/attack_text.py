"""Attacking the published text before anything is trained on it: sources against controls, and planted values."""

from __future__ import annotations

from flows.finished import once
from flows.models_used import detector_models
from flows.progress import Advance
from flows.published import attack_gates, attack_seeding, attack_texts
from flows.records_io import read_records
from flows.rundir import write_json
from flows.stages.again import read_again
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation


def attack_text(work: Workspace, advance: Advance) -> StageResult:
    """Attack the synthetic set without any model; writes attacks.json, to which `attack` adds.

    Beside a private release the people of the source are not attacked one by one: how many they are must not be told.

    Raises:
        StageError: an input is no longer the file that was seeded.
    """
    from attacks.verdict import AttackResult, conclude

    private = work.config.seeds.private
    seeded, controls = read_again(work, "attack_text")
    config = work.config.attacks
    # In parts, since either may be ended in the middle.
    made = once(work, "planted", lambda: attack_seeding(seeded, work.detector, config, advance).model_dump(mode="json"))
    report = conclude([AttackResult.model_validate(made)])
    if not private:
        synthetic = read_records(work.directory / "synthetic.jsonl", Conversation)
        found = attack_texts(synthetic, seeded, controls, config)
        report = conclude([*report.attacks, *found.attacks], found.plots)
    write_json(work.directory / "attacks.json", report.model_dump(mode="json"))
    models = detector_models(work.detector, private=private)
    return StageResult({"attacks": len(report.attacks)}, attack_gates(report), models=models)
