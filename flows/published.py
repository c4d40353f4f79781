"""Attacks what will be published, as somebody without any model sees it: source, controls and texts, no adapter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flows.errors import UsageError
from flows.progress import Advance
from flows.records import GateRecord

if TYPE_CHECKING:
    from attacks.config import AttackConfig
    from attacks.resemblance import People
    from attacks.verdict import AttackResult, GateReport
    from seed_engine.conversation import Conversation
    from seed_engine.detect import Detector


def attack_texts(
    published: Iterable[Conversation],
    sources: Sequence[Conversation],
    controls: Sequence[Conversation],
    config: AttackConfig,
) -> GateReport:
    """Ask of every person of the source whether the published set gives them away.

    Args:
        published: the synthetic set.
        sources: what its seeds were made from.
        controls: of the same origin, held back; empty where nobody was, and the attack is a `watch`.
        config: thresholds and splits.
    """
    from attacks.text_only import attack_published_text
    from attacks.verdict import conclude

    row, plots = attack_published_text(
        [_text(item) for item in published], _people(sources), _people(controls) if controls else None, config
    )
    return conclude([row], plots)


def attack_seeding(
    sources: Sequence[Conversation], detector: Detector, config: AttackConfig, advance: Advance
) -> AttackResult:
    """Say invented values in copies of the sources, seed those, and search what was made of them."""
    from attacks.echo import attack_echo
    from attacks.source_canaries import make_source_canaries
    from flows.planting import released_with

    drawn = make_source_canaries(2 * config.source_canaries, config.seed)
    planted, absent = drawn[: config.source_canaries], drawn[config.source_canaries :]
    kept, released = released_with(planted, sources, detector, config.seed, advance)
    return attack_echo(kept, released, absent, config)


def attack_gates(report: GateReport) -> tuple[GateRecord, ...]:
    """A gate for each attack of a report; a `watch` becomes one only when it fails, since nothing waits for it."""
    return tuple(
        GateRecord(
            name=f"attacks.{result.name}",
            figure=result.upper_bound,
            threshold=result.threshold,
            verdict=result.verdict,
            detail=f"{result.successes} of {result.trials} trials; bound at {result.confidence:.0%} confidence",
        )
        for result in report.attacks
        if result.bearing == "gate" or result.verdict == "fail"
    )


def attack_lines(report: GateReport) -> tuple[str, ...]:
    """One line an attack, for a person: counts, bound, verdict, and why it is inconclusive."""
    return tuple(
        f"{row.name}: {row.successes}/{row.trials}, below {row.upper_bound:.4f} at {row.confidence:.0%}: {row.verdict}"
        + (f" ({row.reason})" if row.reason else "")
        + (" [can fail, proves nothing]" if row.bearing == "watch" else "")
        for row in report.attacks
    )


def read_attacks(path: Path) -> GateReport:
    """What was attacked before; an empty report where nothing was.

    Raises:
        UsageError: the file is no report of attacks, or its figures do not carry its verdict.
    """
    from pydantic import ValidationError

    from attacks.verdict import GateReport, conclude

    if not path.is_file():
        return conclude([])
    report: GateReport | None
    try:
        report = GateReport.model_validate_json(path.read_bytes())
    except ValidationError:
        report = None
    if report is None:
        raise UsageError(f"{path.name}: not a report of attacks")
    return report


def _people(conversations: Sequence[Conversation]) -> People:
    from attacks.resemblance import People

    return People.of([_text(item) for item in conversations], [item.unit for item in conversations])


def _text(conversation: Conversation) -> str:
    return "\n".join(turn.text.replace("\n", " ") for turn in conversation.turns)
