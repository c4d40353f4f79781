"""Verbs about proof: certify, verify, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.console import FAILED, PASSED, ConfigPath, Json, finish, guarded


@guarded
def certify(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a certified run.")],
    public_key: Annotated[Path | None, typer.Option(help="Of whoever signed before (PEM); ours without it.")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Sign a certified run again, with the key of the configuration; its gates and digests must still hold."""
    from flows.config import load_config
    from flows.recertify import recertify

    path = recertify(run, load_config(config).certificate, public_key)
    finish({"certificate": str(path)}, (f"certificate: {path}",), as_json=as_json)


@guarded
def verify(
    target: Annotated[Path, typer.Argument(metavar="RUN|CERTIFICATE", help="Run directory or certificate.json.")],
    public_key: Annotated[Path | None, typer.Option(help="The signer's public key (PEM), from elsewhere.")] = None,
    as_json: Json = False,
) -> None:
    """Check a certificate and every file it covers, offline; names what changed."""
    from flows.verify import verify as check

    result = check(target, public_key)
    faults = [{"path": fault.path, "rule": fault.rule} for fault in result.faults]
    lines = [f"{fault.path}: {fault.rule}" for fault in result.faults]
    lines += [*result.notes, "verified" if result.ok else "NOT verified"]
    exit_code = PASSED if result.ok else FAILED
    finish(
        {"ok": result.ok, "faults": faults, "notes": list(result.notes)}, lines, as_json=as_json, exit_code=exit_code
    )


@guarded
def doctor(config: ConfigPath = None, as_json: Json = False) -> None:
    """Models found, versions, digests, and what would leave this machine."""
    from flows.config import load_config
    from flows.diagnosis import diagnose

    report = diagnose(load_config(config))
    lines = [f"{row.name}: {row.state}" for row in report.rows]
    lines.append("leaves this machine: " + ("; ".join(report.leaves) or "nothing"))
    lines += [f"stays on this machine: {sent}" for sent in report.stays]
    payload = {
        "checks": {row.name: row.state for row in report.rows},
        "leaves_this_machine": list(report.leaves),
        "stays_on_this_machine": list(report.stays),
    }
    finish(payload, lines, as_json=as_json, exit_code=PASSED if report.ok else FAILED)
