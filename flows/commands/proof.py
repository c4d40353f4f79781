"""Verbs about proof: certify, verify, publish, prove, revoke, doctor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from flows.console import FAILED, PASSED, ConfigPath, Json, finish, guarded, require_file
from flows.errors import UsageError


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
    revocations: Annotated[Path | None, typer.Option(help="The signer's list of revoked certificates.")] = None,
    proof: Annotated[Path | None, typer.Option(help="Of `semilla prove`; needs --conversation.")] = None,
    conversation: Annotated[Path | None, typer.Option(help="File of the one conversation that was proven.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the signed statement too.")] = False,
    as_json: Json = False,
) -> None:
    """Check a certificate and every file it covers, offline; names what changed."""
    from flows.verify import statement_of
    from flows.verify import verify as check

    if (proof is None) != (conversation is None):
        raise UsageError("--proof and --conversation go together")
    included = (proof, conversation) if proof is not None and conversation is not None else None
    result = check(target, public_key, revocations, included)
    faults = [{"path": fault.path, "rule": fault.rule} for fault in result.faults]
    lines = [f"{fault.path}: {fault.rule}" for fault in result.faults]
    lines += [*result.notes, "verified" if result.ok else "NOT verified"]
    payload = {"ok": result.ok, "faults": faults, "notes": list(result.notes)}
    if show:
        # ASCII only: whoever made the certificate chose what stands in it.
        payload["statement"] = statement = statement_of(target)
        lines.insert(0, json.dumps(statement, indent=1))
    finish(payload, lines, as_json=as_json, exit_code=PASSED if result.ok else FAILED)


@guarded
def publish(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a certified run.")],
    target: Annotated[str, typer.Argument(metavar="URL", help="Folder or address that fsspec writes: s3://, file://.")],
    public_key: Annotated[Path | None, typer.Option(help="Whose signature it must bear (PEM).")] = None,
    as_json: Json = False,
) -> None:
    """Copy a certified run to object storage, its certificate last; verified first, and never over another."""
    from flows.putting import put_run

    written = put_run(run, target, public_key)
    finish({"files": written}, (f"{written} files written, the certificate last",), as_json=as_json)


@guarded
def prove(
    target: Annotated[Path, typer.Argument(metavar="RUN", help="Directory of a certified run, or its certificate.")],
    input_: Annotated[list[Path], typer.Option("--input", help="The run's inputs, in the order they were given.")],
    conversation_id: Annotated[str, typer.Option("--id", help="Of the conversation, as `semilla detect` names it.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The proof; tells no text.")],
    as_json: Json = False,
) -> None:
    """Prove that one conversation was an input of a certified run; needs the run's salt, on the machine it ran on."""
    from flows.inclusion import prove as make
    from seed_engine.atomic import atomic_text

    shown = make(target, [require_file(path) for path in input_], conversation_id)
    atomic_text(output, shown.model_dump_json(indent=1) + "\n")
    finish({"proof": str(output), "index": shown.index}, (f"proof: {output}",), as_json=as_json)


@guarded
def revoke(
    target: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="certificate.json, or a run's directory.")],
    reason: Annotated[str, typer.Option(help="One line, published with the revocation; no personal data.")],
    listed: Annotated[Path | None, typer.Option("--list", help="The list to add to; your own without it.")] = None,
    config: ConfigPath = None,
    as_json: Json = False,
) -> None:
    """Mark a certificate as no longer valid; verification fails from then on."""
    from flows.blocks import signing_key
    from flows.config import load_config
    from flows.revocation import default_list
    from flows.revocation import revoke as mark

    entry = mark(target, reason, signing_key(load_config(config).certificate), listed)
    path = listed or default_list()
    lines = (f"revoked: run {entry.run}, at {entry.at}", f"list, to publish: {path}")
    finish({"revoked": entry.model_dump(mode="json"), "list": str(path)}, lines, as_json=as_json)


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
