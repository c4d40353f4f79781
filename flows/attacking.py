"""Attacks what stands on disk: an adapter with its canaries and records, or a published set with its sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attacks.config import AttackConfig
from attacks.verdict import GateReport
from flows.errors import UsageError
from flows.progress import Advance
from flows.published import attack_texts
from seed_engine.strict_json import strict_json

if TYPE_CHECKING:
    from attacks.canaries import CanarySet
    from seed_engine.conversation import Conversation


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
        UsageError: no canaries, or none that can be read; only one of the two files, one that is empty, or two that
            share a conversation.
        AttackInputError: the canaries cannot be used.
        AdapterError: the folder is no adapter of the base model.
    """
    from attacks.gates import run_gates
    from training.scoring import load_adapter

    if (members is None) != (nonmembers is None):
        raise UsageError("--members and --nonmembers belong together")
    canaries = _canaries(adapter)
    records = _records(members, nonmembers) if members is not None and nonmembers is not None else (None, None)
    return run_gates(
        load_adapter(adapter),
        canaries,
        config,
        members=records[0],
        nonmembers=records[1],
        progress=lambda _attack, done, total: advance(done, total),
    )


def attack_published(published: Path, sources: Path, controls: Path | None, config: AttackConfig) -> GateReport:
    """Attack a synthetic set as somebody who has nothing else.

    Args:
        published: the set.
        sources: the conversations that it was made from.
        controls: conversations of the same origin that it was not made from; without them the attack is a `watch`.
        config: thresholds and splits.

    Raises:
        UsageError: a file is missing or empty, or sources and controls share a conversation or a person.
    """
    made, real = _read(published), _read(sources)
    held = _read(controls) if controls is not None else []
    _refuse_shared(sources, real, controls, held)
    shared = {item.subject for item in real if item.subject} & {item.subject for item in held}
    if shared:
        raise UsageError(f"{sources} and {controls}: {len(shared)} people stand in both")
    return attack_texts(made, real, held, config)


def _canaries(adapter: Path) -> CanarySet:
    from attacks.canaries import parse_canaries

    if not adapter.is_dir():
        raise UsageError(f"{adapter}: no such folder")
    planted = adapter / "canaries.json"
    if not planted.is_file():
        raise UsageError(f"{adapter}: no canaries.json, so this is not an adapter that was trained here")
    try:
        record = strict_json(planted.read_bytes())
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise UsageError(f"{planted}: not a JSON object")
    return parse_canaries(record)


def _records(members: Path, nonmembers: Path) -> tuple[list[str], list[str]]:
    from training.dataset import conversation_text

    inside, outside = _read(members), _read(nonmembers)
    _refuse_shared(members, inside, nonmembers, outside)
    return [conversation_text(item) for item in inside], [conversation_text(item) for item in outside]


def _read(path: Path) -> list[Conversation]:
    """The conversations of a file of any format, at least one; a text that stands twice counts once."""
    from seed_engine.readers import read_conversations

    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    kept = {_said(item): item for item in read_conversations(path)}
    if not kept:
        raise UsageError(f"{path}: no conversation in it")
    return list(kept.values())


def _refuse_shared(one: Path, first: list[Conversation], other: Path | None, second: list[Conversation]) -> None:
    # Whoever stands on both sides is neither member nor stranger, and every verdict would be wrong.
    shared = {_said(item) for item in first} & {_said(item) for item in second}
    if shared:
        raise UsageError(f"{one} and {other}: {len(shared)} conversations stand in both")


def _said(conversation: Conversation) -> tuple[tuple[str, str], ...]:
    return tuple((turn.role, turn.text) for turn in conversation.turns)
