"""Attacks an adapter on disk: reads its canaries, loads it, runs the gates."""

from __future__ import annotations

from pathlib import Path

from attacks.config import AttackConfig
from attacks.verdict import GateReport
from flows.errors import UsageError
from flows.progress import Advance
from flows.records_io import read_records
from seed_engine.conversation import Conversation
from seed_engine.strict_json import strict_json


def attack_adapter(
    adapter: Path,
    config: AttackConfig,
    advance: Advance,
    *,
    members: Path | None = None,
    nonmembers: Path | None = None,
) -> GateReport:
    """Run every gate on an adapter that was trained here.

    Args:
        adapter: its folder, with canaries.json.
        config: thresholds and splits.
        advance: progress, in texts scored.
        members: conversations it was trained on; with `nonmembers`, they are attacked too.
        nonmembers: conversations of the same kind that it has not seen.

    Raises:
        UsageError: no canaries, or none that can be read, or only one of the two files.
    """
    from attacks.canaries import parse_canaries
    from attacks.gates import run_gates
    from training.scoring import load_adapter

    planted = adapter / "canaries.json"
    if not planted.is_file():
        raise UsageError(f"{adapter}: no canaries.json, so this is not an adapter that was trained here")
    if (members is None) != (nonmembers is None):
        raise UsageError("members and nonmembers belong together")
    try:
        canaries = strict_json(planted.read_bytes())
    except ValueError:
        canaries = None
    if not isinstance(canaries, dict):
        raise UsageError(f"{planted}: not a JSON object")
    return run_gates(
        load_adapter(adapter),
        parse_canaries(canaries),
        config,
        members=_texts(members),
        nonmembers=_texts(nonmembers),
        progress=lambda _attack, done, total: advance(done, total),
    )


def _texts(path: Path | None) -> list[str] | None:
    if path is None:
        return None
    from training.dataset import conversation_text

    return [conversation_text(conversation) for conversation in read_records(path, Conversation)]
