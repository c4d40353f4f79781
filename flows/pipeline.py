"""The pipeline as a Prefect flow: one task a stage, halting at the first gate that does not pass.

What Prefect sees and stores: paths and numbers as flow parameters, the stage names, and the name and figure of the gate
that halted the run. Text of an input reaches neither parameters, results, states nor logs: stages are sealed
(`flows.sealed`), results are not persisted, and the workspace is opaque to Prefect.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.certificate import certify
from flows.config import load_config
from flows.errors import FlowsError
from flows.progress import progress_bar
from flows.report import render_report
from flows.rundir import RunDirectory
from flows.runlog import RunLog
from flows.sealed import sealed
from flows.signing import SigningKey, load_or_create_key
from flows.stages import STAGES
from flows.workspace import StageResult, Workspace

# A provider may be back in a moment; every other stage would fail again in the same way.
RETRIES = {"generate": 2}
RETRY_DELAY_S = 5


@flow(name="semilla", persist_result=False, log_prints=False)
def pipeline(
    directory: str,
    inputs: list[str],
    config_path: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    resume: bool = False,
    skip_bad: bool = False,
) -> State[Any]:
    """Certify synthetic data and an adapter made from private conversations, or halt.

    Args:
        directory: the run's directory; must be free unless `resume`.
        inputs: files of conversations.
        config_path: semilla.toml; None for the defaults.
        limit: conversations read per file; None for all.
        seed: pseudo-random seed of generation and training; None for the configuration's.
        resume: go on from what an interrupted run left.
        skip_bad: count broken input lines instead of stopping.

    Returns:
        A completed state when certified; otherwise a failed one, named after the gate or stage. run.json has the rest.
        `Refused` when nothing was started.
    """
    fault: str
    try:
        return _open_and_run(directory, inputs, config_path, limit, seed, resume, skip_bad)
    except FlowsError as error:
        fault = str(error)
    return Failed(name="Refused", message=fault)


def _open_and_run(
    directory: str,
    inputs: list[str],
    config_path: str | None,
    limit: int | None,
    seed: int | None,
    resume: bool,
    skip_bad: bool,
) -> State[Any]:
    config = load_config(Path(config_path) if config_path else None)
    config = config if seed is None else config.with_seed(seed)
    run_directory = RunDirectory(Path(directory))
    with run_directory.open(resume=resume):
        # A key that cannot be used should be known before an hour of work, not after it.
        key = load_or_create_key(config.certificate.key_path)
        work = Workspace(run_directory.staging, tuple(map(Path, inputs)), config, limit, skip_bad)
        log = RunLog(config)
        try:
            return _run_stages(run_directory, work, log, key)
        finally:
            work.forget()


def _run_stages(run_directory: RunDirectory, work: Workspace, log: RunLog, key: SigningKey) -> State[Any]:
    for name in STAGES:
        try:
            result, fault = stage_task(name)(work), None
        except FlowsError as error:
            result, fault = None, str(error)
        if result is None:
            return _stopped(run_directory, log, name, str(fault))
        blocking = log.add(name, result)
        if blocking is not None:
            run = log.halted(blocking)
            run_directory.halt(run)
            render_report(run_directory.path, run, None)
            prefix = "Halted" if run.status == "halted" else "Inconclusive"
            return Failed(name=f"{prefix}: {blocking.name}", message=run.reason)
        run_directory.save(log.record)
    return _publish(run_directory, work, log, key)


def stage_task(name: str) -> Any:
    """The Prefect task of a stage: sealed, timed, never cached, its result never stored."""

    def body(work: Workspace) -> StageResult:
        wall, cpu = time.perf_counter(), time.process_time()
        with progress_bar(name) as advance:
            result = sealed(name, STAGES[name], work, advance)
        return result.timed(time.perf_counter() - wall, time.process_time() - cpu)

    return task(
        name=name,
        retries=RETRIES.get(name, 0),
        retry_delay_seconds=RETRY_DELAY_S,
        retry_condition_fn=_may_help,
        persist_result=False,
        cache_policy=NO_CACHE,
        log_prints=False,
    )(body)


def _may_help(_task: Any, _run: Any, state: State[Any]) -> bool:
    return "Provider" in (state.message or "")


def _stopped(run_directory: RunDirectory, log: RunLog, stage: str, fault: str) -> State[Any]:
    if not log.record.stages:
        run_directory.discard()  # nothing was read yet, so nothing is written; what a resumed run had stays
    else:
        run = log.stopped(stage, fault)
        run_directory.save(run)
        render_report(run_directory.path, run, None)
    return Failed(name=f"Stopped: {stage}", message=fault)


def _publish(run_directory: RunDirectory, work: Workspace, log: RunLog, key: SigningKey) -> State[Any]:
    assert work.source is not None
    running, run = log.record, log.certified()
    limits = {name: getattr(work.config.certificate, name) for name in ("max_epsilon", "max_attack_rate")}
    try:
        sealed("certify", certify, run_directory.staging, run, work.source, key, **limits)
        sealed("publish", run_directory.publish)
        return Completed(name="Certified", message=f"run {run.id}")
    except FlowsError as error:
        fault = str(error)
    log.record = running
    return _stopped(run_directory, log, "certify", fault)
