"""Train an adapter on conversations with a stated privacy loss, audit it, and write its folder."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex

import numpy as np

from seed_engine.atomic import atomic_text
from seed_engine.conversation import Conversation
from training.accountants import Mechanism, epsilons, noise_multiplier_for
from training.accounting import claimed_epsilon, delta_for
from training.adapter import adapter_sha256, attach_lora, base_sha256, load_base, save_adapter
from training.audit import Audit, audit_one_run
from training.canaries import CanarySet, make_canaries
from training.card import model_card
from training.checkpoint import Checkpoints, identity
from training.config import MEMORY_ONLY, TrainingConfig
from training.curve import public_windows
from training.dataset import UNIT, UNIT_BOUND, make_records
from training.dpsgd import Fitted, Schedule, fit
from training.errors import AccountingError, OutOfMemory, TrainingDataError
from training.ledger import book
from training.record import TrainingRun
from training.scoring import AdapterModel
from training.state import BOOKING, COINS

ENGINES = ("torch", "opacus", "peft", "transformers", "dp-accounting")


def train(
    conversations: Iterable[Conversation],
    config: TrainingConfig,
    output: Path,
    progress: Callable[[int, int], None] | None = None,
    state: Path | None = None,
) -> TrainingRun:
    """Train, audit, and write `output`: PEFT's files, canaries.json and, last, training.json.

    Args:
        conversations: what to learn from.
        config: every choice; none is made by looking at the data.
        output: folder to write into, made if it is missing; a staging folder, as it is not whole before the end.
        progress: called with noisy steps done and in all.
        state: folder in which the training is kept and gone on with after an interruption; None keeps nothing.

    Raises:
        TrainingDataError: there is nothing to train on.
        AccountingError: no honest epsilon can be stated: delta is too large, or the accountants disagree.
        CheckpointError: what `state` holds is of other data or settings.
        OutOfMemory: a step does not fit; `state` is kept.
        BudgetError: the ledger does not allow it; nothing was trained.
        TrainingCheckError: the training broke one of its own promises.
    """
    if config.private and config.canary_repeats > 1:
        raise AccountingError("a canary that stands more than once is more than one unit; only with epsilon inf")
    model, tokenizer = load_base()
    canaries = make_canaries(config.canaries, config.canary_controls, config.seed, _coins(config, state))
    planted = canaries.members * config.canary_repeats
    records = make_records(conversations, planted, tokenizer, config.max_length)
    if len(records) == len(planted):
        raise TrainingDataError("there is no conversation to train on")
    # What is settled by the number of units, which is public, is settled here once for account, ledger and audit.
    delta = delta_for(config.delta, len(records))
    config = config.model_copy(update={"delta": delta})
    schedule, accountants = plan(len(records), config)
    spent = _book(schedule, config, delta, state)
    settings = (config.told(apart=MEMORY_ONLY), asdict(schedule), base_sha256())
    checkpoints = Checkpoints(state, identity(records, *settings))
    adapted = attach_lora(model, config)
    public = public_windows(tokenizer, config.max_length)
    fitted = _fitted(partial(fit, adapted, records, schedule, config, progress, checkpoints, public))
    output.mkdir(parents=True, exist_ok=True)
    save_adapter(adapted, output)
    atomic_text(output / "canaries.json", canaries.model_dump_json(indent=2) + "\n")
    run = TrainingRun(
        private=config.private,
        epsilon=claimed_epsilon(accountants) if config.private else math.inf,
        delta=delta,
        noise_multiplier=schedule.noise_multiplier,
        sample_rate=schedule.sample_rate,
        steps=fitted.steps,
        max_grad_norm=config.max_grad_norm,
        unit=UNIT,
        unit_bound=UNIT_BOUND,
        clipping=config.clipping,
        epsilon_spent=spent,
        epsilon_ceiling=config.ceiling if config.ledger else None,
        units=len(records),
        member_canaries=len(planted),
        sampler=fitted.sampler,
        noise_generator=fitted.noise_generator,
        accountants=accountants,
        audit=audit_canaries(AdapterModel(adapted, tokenizer, config.precision), canaries, delta, config),
        tokens_per_second=float(f"{fitted.tokens / fitted.seconds:.2g}"),
        base_sha256=base_sha256(),
        frozen_sha256=fitted.frozen_sha256,
        adapter_sha256=adapter_sha256(output),
        config=config.told(),
        loss_curve=fitted.losses,
        versions={name: version(name) for name in ENGINES},
    )
    atomic_text(output / "README.md", model_card(run).rstrip("\n") + "\n")
    atomic_text(output / "training.json", run.model_dump_json(indent=2) + "\n")
    return run


def plan(units: int, config: TrainingConfig) -> tuple[Schedule, dict[str, float]]:
    """Sampling and noise for so many units, and what the accountants say of them (nothing, without privacy).

    Raises:
        AccountingError: delta >= 1 / units, or no noise reaches the target.
    """
    sample_rate = min(1.0, config.batch_size / units)
    steps = max(1, math.ceil(config.epochs / sample_rate))
    if not config.private:
        return Schedule(sample_rate, steps, 0.0), {}
    delta = delta_for(config.delta, units)
    noise = noise_multiplier_for(config.epsilon, delta, sample_rate, steps)
    return Schedule(sample_rate, steps, noise), epsilons(Mechanism(noise, sample_rate, steps), delta)


def _fitted(fitting: Callable[[], Fitted]) -> Fitted:
    try:
        return fitting()
    except (MemoryError, RuntimeError) as error:
        # The processor's allocator raises a plain RuntimeError; the GPU's a class of its own, with the same words.
        if not isinstance(error, MemoryError) and not re.search("out of memory|can't allocate memory", str(error)):
            raise
    raise OutOfMemory


def _coins(config: TrainingConfig, state: Path | None) -> str | None:
    """What decides which canaries are members; the same when the training is gone on with."""
    if not config.secure_rng:
        return None
    return token_hex(16) if state is None else _kept(state / COINS)


def _kept(file: Path) -> str:
    """The 32 hex digits in a file, drawn when it is first asked for."""
    if not file.exists():
        atomic_text(file, token_hex(16))
    return file.read_text("ascii").strip()


def _book(schedule: Schedule, config: TrainingConfig, delta: float, state: Path | None) -> float | None:
    if config.ledger is None:
        return None
    if not config.private:
        raise AccountingError("a training without privacy overspends every ledger")
    # Known before it is booked: killed in between, the training finds its own entry or books it now.
    own = token_hex(16) if state is None else _kept(state / BOOKING)
    mechanism = Mechanism(schedule.noise_multiplier, schedule.sample_rate, schedule.steps)
    return book(config.ledger, own, mechanism, delta, config.ceiling)


def audit_canaries(model: AdapterModel, canaries: CanarySet, delta: float, config: TrainingConfig) -> Audit:
    """Audit by how likely the adapter finds each canary's secret; controls, which no coin decided, stay out."""
    sides = (canaries.members, canaries.nonmembers[: canaries.flipped_nonmembers])
    members, nonmembers = (
        np.asarray(model.log_likelihoods([c.prefix for c in side], [c.secret for c in side])) for side in sides
    )
    return audit_one_run(members, nonmembers, delta, config.audit_confidence)
