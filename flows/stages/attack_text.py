"""Attacking the published text before anything is trained on it: sources against controls, and planted values."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flows.errors import StageError
from flows.inputs import read_inputs
from flows.models_used import detector_models
from flows.progress import Advance
from flows.published import attack_gates, attack_seeding, attack_texts
from flows.records_io import read_records
from flows.rundir import write_json
from flows.stages.extract import commit
from flows.workspace import StageResult, Workspace
from seed_engine.conversation import Conversation


def attack_text(work: Workspace, advance: Advance) -> StageResult:
    """Attack the synthetic set without any model; writes attacks.json, to which `attack` adds.

    The inputs are read a second time, so that no text of theirs has to be held in memory between stages. Beside a
    private release the people of the source are not attacked one by one: how many they are must not be told.

    Raises:
        StageError: an input is no longer the file that was seeded.
    """
    from attacks.verdict import conclude

    private = work.config.seeds.private
    how: dict[str, Any] = {"limit": work.limit, "skip_bad": work.skip_bad, "unique_ids": private}
    conversations = tuple(read_inputs(work.inputs, Counter(), **how))
    assert work.source is not None
    salt = bytes.fromhex(work.source.salt or "")
    if commit(work.inputs, conversations, private=private, salt=salt) != work.source:
        raise StageError("attack_text", "an input changed while the run was going on")
    seeded = [item for position, item in enumerate(conversations) if position not in work.left_out]
    controls = [item for position, item in enumerate(conversations) if position in work.held_back]
    config = work.config.attacks
    report = conclude([attack_seeding(seeded, work.detector, config, advance)])
    if not private:
        synthetic = read_records(work.directory / "synthetic.jsonl", Conversation)
        found = attack_texts(synthetic, seeded, controls, config)
        report = conclude([*report.attacks, *found.attacks], found.plots)
    write_json(work.directory / "attacks.json", report.model_dump(mode="json"))
    models = detector_models(work.detector, private=private)
    return StageResult({"attacks": len(report.attacks)}, attack_gates(report), models=models)
