"""What run.json and the certificate's source commitment hold: figures, digests, names of stages; no text."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from seed_engine.conversation import Boundary

Status = Literal["running", "certified", "halted", "inconclusive"]
Verdict = Literal["pass", "fail", "inconclusive"]


class Figures(Boundary):
    """Base of records that hold figures: infinity and "not a number" are refused, since JSON cannot say them."""

    model_config = ConfigDict(allow_inf_nan=False)


class GateRecord(Figures):
    """One gate that a run went through.

    Attributes:
        name: `schema`, `privacy_score`, `leak`, `attacks.membership`, ...
        figure: the measured value that decided.
        threshold: what it was held against.
        verdict: `pass`, `fail`, or `inconclusive` when there was too little to see.
        detail: a fixed phrase or counts; never text of a conversation.
    """

    name: str
    figure: float
    threshold: float
    verdict: Verdict
    detail: str = ""


class StageRecord(Figures):
    """What one stage cost and counted.

    Attributes:
        name: the stage.
        seconds: wall time; None in a run whose seeds are differentially private: it follows the source's size.
        cpu_seconds: CPU time of this process and its children that ended; None likewise.
        counts: what went in, came out and was dropped, by reason.
    """

    name: str
    seconds: float | None
    cpu_seconds: float | None
    counts: dict[str, float] = Field(default_factory=dict)


class SourceCommitment(Boundary):
    """Commits to the inputs without telling anything about them.

    Attributes:
        algorithm: how each digest is made; the salt is drawn for the run.
        salt: hex; whoever holds it and a file can prove that the file was an input, so a certificate leaves it out.
        root: hex root of a Merkle tree over the conversations, see `flows.inclusion`; None in older runs.
        files: salted digests, in the order given.
        conversations: how many were read; None when seeds were released differentially private, and it would tell.
        subjects: how many privacy units they belong to; None likewise.
    """

    algorithm: Literal["sha256(salt || sha256(file))"] = "sha256(salt || sha256(file))"
    salt: str | None = None
    root: str | None = None
    files: tuple[str, ...]
    conversations: int | None
    subjects: int | None


class RunRecord(Figures):
    """run.json.

    Attributes:
        id: random; names the run in Prefect and on the certificate.
        status: where the run stands.
        halted_at: the gate or stage that stopped it, else None.
        reason: one line that gives the figure that decided, else None.
        exit_code: of the contract, or 128 and the signal's number; None while running.
        config_digest: SHA-256 of the canonical JSON of the whole configuration.
        versions: of Python, Semilla and the engines.
        models: what ran so far: digests of the model files by name, and under `provider` who was asked to write.
        limit: conversations read per file, or None for all.
        skip_bad: whether broken input lines were counted instead of stopping.
        started: ISO 8601, UTC.
        finished: ISO 8601, UTC, or None.
        stages: cost by stage, in order.
        gates: in the order they were passed.
        seconds: wall time since the command was started, imports and orchestration included.
        overhead_share: share of `seconds` outside the stages' own work, in [0, 1].
        peak_memory_mb: largest resident set of the process, in MiB.
    """

    schema_version: Literal["1"] = "1"
    id: str
    status: Status = "running"
    halted_at: str | None = None
    reason: str | None = None
    exit_code: int | None = None
    config_digest: str
    versions: dict[str, str]
    models: dict[str, str] = Field(default_factory=dict)
    limit: int | None = None
    skip_bad: bool = False
    started: str
    finished: str | None = None
    stages: tuple[StageRecord, ...] = ()
    gates: tuple[GateRecord, ...] = ()
    seconds: float = 0.0
    overhead_share: float = 0.0
    peak_memory_mb: float = 0.0
