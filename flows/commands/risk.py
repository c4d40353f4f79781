"""The verb that weighs what was found: `risk` scores documents, names the laws they touch, and says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from flows.commands.data import ENGINES, Domain, Language, Output, SkipBad, Source
from flows.console import ConfigPath, Json, finish, guarded, require_file, require_parent


@guarded
def risk(
    source: Source,
    output: Output,
    engine: Annotated[str | None, typer.Option(help=ENGINES)] = None,
    language: Language = None,
    domain: Domain = None,
    config: ConfigPath = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Risk of each document, 0 to 100, the regulations it touches, and advice; prints counts, never text."""
    from flows.detection import detector_for, read_as
    from flows.records_io import write_records
    from flows.reviewing import reviewed
    from flows.risk_summary import RiskSummary
    from seed_engine.risk import RiskReport, assess_conversation

    detector = reviewed(detector_for(config, engine=engine), require_file(source))
    summary = RiskSummary()

    def reports() -> Iterator[RiskReport]:
        for conversation in read_as(source, language, domain, skip_bad=skip_bad):
            report = assess_conversation(conversation, detector.detect_conversation(conversation))
            summary.add(report)
            yield report

    write_records(require_parent(output), reports())
    lines = (*summary.lines(), f"reports: {output}")
    finish({"output": str(output), **summary.payload()}, lines, as_json=as_json)
