"""What runs on a schedule: every new drop through the pipeline at night, every certified adapter attacked each week.

Flow parameters are paths; what Prefect stores of a night is the names of runs, which are keyed hashes, and figures.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.artifacts import create_table_artifact
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.drops import pending, run_status
from flows.errors import FlowsError
from flows.offline import keep_private
from flows.pipeline import pipeline
from flows.recheck import recheck_run
from flows.sealed import sealed


@flow(name="semilla-nightly", persist_result=False, log_prints=False)
def nightly(drops: str, runs: str, config_path: str | None = None, settle_s: float = 60) -> State[Any]:
    """Certify, or halt on, each file of a folder that no earlier night has decided on.

    Args:
        drops: folder that files are put into.
        runs: folder of run directories; made where there is none.
        config_path: semilla.toml; None for the defaults.
        settle_s: seconds that a file must have been left unchanged.

    Returns:
        A completed state when every new drop was certified, or there was none; otherwise a failed one whose message
        tells how many were not. Each drop's verdict stands in its run.json.
    """
    keep_private()
    Path(runs).mkdir(mode=0o700, parents=True, exist_ok=True)
    rows = []
    for drop in sealed("drops", pending, Path(drops), Path(runs), settle_s):
        state = pipeline(
            str(drop.run), [str(drop.path)], config_path=config_path, resume=drop.resume, return_state=True
        )
        record = run_status(drop.run)
        row = {
            "run": drop.run.name,
            "status": record.get("status", str(state.name)),
            "halted_at": record.get("halted_at"),
        }
        rows.append(row | {"gates": len(record.get("gates", ())), "seconds": record.get("seconds")})
    return _told("semilla-nightly", rows, "certified")


@flow(name="semilla-weekly-attack", persist_result=False, log_prints=False)
def weekly_attack(runs: str, config_path: str | None = None) -> State[Any]:
    """Attack the adapter of each certified run again; an attack that succeeds now revokes its certificate.

    Args:
        runs: folder of run directories.
        config_path: semilla.toml with the attacks of today; None for the defaults.

    Returns:
        A completed state when every certificate still holds; otherwise a failed one.
    """
    keep_private()
    rows = []
    for run in sorted(Path(runs).iterdir()):
        if run_status(run).get("status") != "certified":
            continue
        try:
            rows.append(sealed("recheck", recheck_run, run, Path(config_path) if config_path else None))
        except FlowsError as error:
            rows.append({"run": run.name, "status": "unknown", "reason": str(error)})
    return _told("semilla-weekly-attack", rows, "holds")


def _told(key: str, rows: list[dict[str, Any]], good: str) -> State[Any]:
    bad = sum(row["status"] != good for row in rows)
    if rows:
        create_table_artifact(key=key, table=rows)
    if bad:
        names = ", ".join(row["run"] for row in rows if row["status"] != good)
        # Under its own name, `Failed`: Prefect names the event after it, and that is what automations wait for.
        return Failed(message=f"Halted: {bad} of {len(rows)}; see run.json of {names}")
    return Completed(message=f"{len(rows)} {good}")
