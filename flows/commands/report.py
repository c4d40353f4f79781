"""`semilla report`: the page of a run in another language, or several runs side by side."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.console import Json, finish, guarded, require_parent
from flows.errors import UsageError

if TYPE_CHECKING:
    from flows.records import RunRecord


@guarded
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="A run's directory; several are compared.")],
    language: Annotated[str, typer.Option(help="en or es.")] = "en",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The page; beside the run without it.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(help="Of releases or of trainings; its epsilon is drawn over time. One run only.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Show the page in a browser.")] = False,
    as_json: Json = False,
) -> None:
    """Write one self-contained page about a run, in English or Spanish; or compare several runs."""
    from flows.comparison import comparison_page
    from flows.language import language_of
    from flows.report import report_page
    from flows.spent import spent_over_time
    from seed_engine.atomic import atomic_text

    words = language_of(language)
    records = [(run, _record(run)) for run in runs]
    if ledger is not None and len(runs) > 1:
        raise UsageError("--ledger is about one run's data; comparing draws none")
    if len(runs) > 1:
        page = comparison_page(records, words)
    else:
        entries = spent_over_time(ledger) if ledger is not None else ()
        page = report_page(runs[0], records[0][1], _certificate(runs[0], records[0][1]), words, entries)
    path = output or _beside(runs, language)
    _outside(path, runs)
    require_parent(path)
    atomic_text(path, page)
    if open_:
        webbrowser.open(path.absolute().as_uri())
    finish({"report": str(path), "runs": len(runs), "language": language}, (f"report: {path}",), as_json=as_json)


def _record(run: Path) -> RunRecord:
    from pydantic import ValidationError

    from flows.certificate import RUN, read_object
    from flows.errors import CertificateError
    from flows.records import RunRecord

    record: RunRecord | None
    try:
        record = RunRecord.model_validate(read_object(run / RUN))
    except (CertificateError, ValidationError):
        record = None
    if record is None:
        raise UsageError(f"{run}: no run's directory; run.json is missing or is none")
    return record


def _certificate(run: Path, record: RunRecord) -> dict[str, Any] | None:
    """The statement of a run whose files are as they were signed; a page must not repeat what was changed since."""
    from flows.listing import CERTIFICATE
    from flows.statements import read_certificate
    from flows.verify import verify

    if record.status != "certified":
        return None
    result = verify(run)
    if not result.ok:
        fault = result.faults[0]
        raise UsageError(f"{run}: does not verify ({fault.path}: {fault.rule}); no page is made of it")
    return read_certificate(run / CERTIFICATE)[1]


def _beside(runs: list[Path], language: str) -> Path:
    first = runs[0].absolute()
    return first.parent / ("comparison.html" if len(runs) > 1 else f"{first.name}.report.{language}.html")


def _outside(path: Path, runs: list[Path]) -> None:
    """A run's directory holds exactly what was signed."""
    for run in runs:
        if path.absolute().resolve().is_relative_to(run.absolute().resolve()):
            raise UsageError(f"{path}: inside a run's directory, which is signed as it is; choose another place")
