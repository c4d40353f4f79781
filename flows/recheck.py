"""Attacks a certified run's adapter again, with the attacks of today, and revokes what no longer holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.attacking import attack_adapter
from flows.blocks import signing_key
from flows.config import load_config
from flows.revocation import revoke
from flows.verify import verify


def recheck_run(run: Path, config: Path | None) -> dict[str, Any]:
    """Verify a run and attack its adapter.

    Args:
        run: a certified run's directory.
        config: semilla.toml; None for the defaults.

    Returns:
        `run`, the directory's name; `status`: `holds`; `revoked`, now, because an attack succeeded; `broken`, where
        it does not verify (also: was revoked before, or has expired); or `inconclusive`.
    """
    settings = load_config(config)
    key = signing_key(settings.certificate)
    result = verify(run, key.path.with_suffix(".pub"))
    row: dict[str, Any] = {"run": run.name}
    if not result.ok:
        return row | {"status": "broken", "reason": f"{result.faults[0].path}: {result.faults[0].rule}"}
    report = attack_adapter(run / "adapter", settings.attacks, lambda _done, _total: None)
    row |= {attack.name: attack.upper_bound for attack in report.attacks}
    if report.verdict == "fail":
        failed = ", ".join(attack.name for attack in report.attacks if attack.verdict == "fail")
        revoke(run, f"attacked again, and it failed: {failed}", key)
        return row | {"status": "revoked"}
    return row | {"status": "holds" if report.verdict == "pass" else "inconclusive"}
