"""The pipeline as a Prefect flow: one task a stage, halting at the first gate that does not pass.

What Prefect sees and stores: paths and numbers as flow parameters, the stage names, and the name and figure of the gate
that halted the run. Text of an input reaches neither parameters, results, states nor logs: stages are sealed
(`flows.sealed`), results are not persisted, and the workspace is opaque to Prefect.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.context import SettingsContext, get_settings_context
from prefect.settings import PREFECT_CLIENT_MAX_RETRIES
from prefect.states import Completed, Failed

from flows.blocks import provide_secrets, signing_key
from flows.certificate import certify
from flows.config import RunConfig, load_config
from flows.errors import FlowsError
from flows.interrupts import held_back, signal_of
from flows.offline import keep_private
from flows.progress import progress_bar
from flows.records import GateRecord
from flows.report import render_report
from flows.rundir import RunDirectory
from flows.runlog import RunLog
from flows.sealed import fault_words, sealed
from flows.signing import SigningKey
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
    started: float | None = None,
    domain: str | None = None,
    engine: str | None = None,
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
        started: `time.monotonic()` of this machine when the command was started; None: now.
        domain: profile of conversations that name none; None for the configuration's.
        engine: where conversations are worked on, see `flows.engine_config`; None for the configuration's.

    Returns:
        A completed state when certified; otherwise a failed one, named after the gate or stage. run.json has the rest.
        `Refused` when nothing was started.
    """
    fault: str
    try:
        config = load_config(Path(config_path) if config_path else None)
        config = config if seed is None else config.with_seed(seed)
        config = config if domain is None else config.with_domain(domain)
        config = config if engine is None else config.with_engine(engine)
        log = RunLog(config, limit=limit, skip_bad=skip_bad, started=started)
        return _open_and_run(Path(directory), tuple(map(Path, inputs)), config, log, resume)
    except FlowsError as error:
        fault = str(error)
    return Failed(name="Refused", message=fault)


def _open_and_run(
    directory: Path, inputs: tuple[Path, ...], config: RunConfig, log: RunLog, resume: bool
) -> State[Any]:
    keep_private()
    run_directory = RunDirectory(directory)
    with run_directory.open(resume=resume):
        # A key or secret that cannot be used should be known before an hour of work, not after it.
        key = signing_key(config.certificate)
        provide_secrets(config.provider.secret_blocks)
        work = Workspace(run_directory.staging, inputs, config, log.record.limit, log.record.skip_bad)
        try:
            return _run_stages(run_directory, work, log, key)
        except BaseException as error:
            note_interrupt(error, run_directory, log)
            # Whatever else it is, of Prefect's server for one: run.json must not go on saying that the run works.
            if not isinstance(error, Exception) or log.record.status != "running":
                raise
            fault = fault_words(error)
        finally:
            work.forget()
        return _stopped(run_directory, log, log.stage, fault)


def _run_stages(run_directory: RunDirectory, work: Workspace, log: RunLog, key: SigningKey) -> State[Any]:
    for name in STAGES:
        log.stage = name
        try:
            result, fault = stage_task(name, lambda error: note_interrupt(error, run_directory, log))(work), None
        except FlowsError as error:
            result, fault = None, str(error)
        if result is None:
            return _stopped(run_directory, log, name, str(fault))
        work.forget_after(name)
        blocking = log.add(name, result)
        if blocking is not None:
            return _halted(run_directory, log, blocking)
        run_directory.save(log.record)
    log.stage = "certify"
    with held_back():
        return _publish(run_directory, work, log, key)


def stage_task(name: str, note: Callable[[BaseException], None] = lambda error: None) -> Any:
    """The Prefect task of a stage: sealed, timed, never cached, its result never stored.

    Args:
        name: of the stage.
        note: told of whatever ends the stage early, before Prefect is: its server may be gone by then.
    """

    def body(work: Workspace) -> StageResult:
        wall, cpu = time.perf_counter(), time.process_time() + work.spread.cpu_seconds
        try:
            with progress_bar(name) as advance:
                result = sealed(name, STAGES[name], work, advance)
        except BaseException as error:
            note(error)
            raise
        return result.timed(time.perf_counter() - wall, time.process_time() + work.spread.cpu_seconds - cpu)

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


def note_interrupt(error: BaseException, run_directory: RunDirectory, log: RunLog) -> None:
    """Write down that a signal ended the run, once; run.json then names the stage, and what can be resumed stays."""
    ended_by = signal_of(error)
    if ended_by is None:
        return
    _ask_server_once()
    if log.record.status != "running":
        return
    with held_back():
        run = log.interrupted(ended_by)
        run_directory.interrupt(run)
        render_report(run_directory.path, run, None)


def _ask_server_once() -> None:
    """Retry no more to tell Prefect: Ctrl-C in a terminal ends its server together with us, and retries take a minute.

    The setting stays for what Prefect does on the way out, after this function has returned.
    """
    context = get_settings_context()
    settings = context.settings.copy_with_update(updates={PREFECT_CLIENT_MAX_RETRIES: 0})
    SettingsContext(profile=context.profile, settings=settings).__enter__()


def _halted(run_directory: RunDirectory, log: RunLog, blocking: GateRecord) -> State[Any]:
    with held_back():
        run = log.halted(blocking)
        run_directory.halt(run)
        render_report(run_directory.path, run, None)
    prefix = "Halted" if run.status == "halted" else "Inconclusive"
    return Failed(name=f"{prefix}: {blocking.name}", message=run.reason)


def _stopped(run_directory: RunDirectory, log: RunLog, stage: str, fault: str) -> State[Any]:
    if not log.record.stages:
        run_directory.discard()  # nothing was read yet, so nothing is written; what a resumed run had stays
    else:
        run = log.stopped(stage, fault)
        try:
            run_directory.save(run)
            render_report(run_directory.path, run, None)
        except OSError as error:  # of a full disk: the run can be resumed all the same
            fault += f"; run.json could not be written: {error.strerror}"
    return Failed(name=f"Stopped: {stage}", message=fault)


def _publish(run_directory: RunDirectory, work: Workspace, log: RunLog, key: SigningKey) -> State[Any]:
    assert work.source is not None
    running, run = log.record, log.certified()
    work.drop_kept()
    limits = {name: getattr(work.config.certificate, name) for name in ("max_epsilon", "max_attack_rate", "valid_days")}
    try:
        sealed("certify", certify, run_directory.staging, run, work.source, key, **limits)
        sealed("publish", run_directory.publish)
        return Completed(name="Certified", message=f"run {run.id}")
    except FlowsError as error:
        fault = str(error)
    log.record = running
    return _stopped(run_directory, log, "certify", fault)
