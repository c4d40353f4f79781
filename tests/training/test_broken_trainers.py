"""Trainers that break one promise each, and what catches them: an assertion of the trainer, or the one-run audit.

The first half breaks the real trainer, on a tiny model. The second is DP-SGD on a linear model whose every coordinate
is one canary's direction: the worst case, in which the audit sees all that the noise lets through, at no cost.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.tiny import tiny_base
from training.accountants import noise_multiplier_for
from training.adapter import attach_lora
from training.audit import audit_one_run
from training.config import TrainingConfig
from training.dataset import Record
from training.dpsgd import Schedule, fit
from training.errors import TrainingCheckError
from training.sampling import Entropy, PoissonSampler
from training.train import train

CONFIG = TrainingConfig(r=4, precision="float32", batch_size=8, max_grad_norm=0.05)
SCHEDULE = Schedule(0.9, 3, 1.0)
CANARIES, RATE, STEPS, DELTA = 1000, 0.2, 10, 1e-5


def fitted(config: TrainingConfig = CONFIG) -> None:
    model = attach_lora(tiny_base()[0], config)
    made = [Record((tuple(3 + (7 * i + j) % 60 for j in range(4 + i)),)) for i in range(12)]
    fit(model, made, SCHEDULE, config)


def unclipped(monkeypatch: pytest.MonkeyPatch) -> None:
    from opacus.optimizers import DPOptimizer

    def plain_sum(self: Any) -> None:
        for p in self.params:
            total = p.grad_sample.sum(0)
            p.summed_grad = total if p.summed_grad is None else p.summed_grad + total

    monkeypatch.setattr(DPOptimizer, "clip_and_accumulate", plain_sum)


def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    normal = Entropy.normal
    monkeypatch.setattr(Entropy, "normal", lambda self, count: normal(self, count) / 10)


def quiet_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    normal, asked = Entropy.normal, []

    def late(self: Entropy, count: int) -> Any:
        asked.append(count)
        # Sixteen matrices, four draws each, are the first step.
        return normal(self, count) * (len(asked) > 64)

    monkeypatch.setattr(Entropy, "normal", late)


def shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shuffled(PoissonSampler):
        def __iter__(self) -> Any:
            yield from (part.tolist() for part in np.array_split(np.arange(self.num_samples), self.steps))

    monkeypatch.setattr("training.dpsgd.PoissonSampler", Shuffled)


def wrong_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "training.dpsgd.PoissonSampler", lambda units, rate, *rest: PoissonSampler(units, rate / 2, *rest)
    )


def one_step_more(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = PoissonSampler.__iter__

    def more(self: PoissonSampler) -> Any:
        yield from drawn(self)
        yield [0]

    monkeypatch.setattr(PoissonSampler, "__iter__", more)


def averaged_over_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    import training.clipping

    loss = training.clipping.record_loss

    def over_tokens(model: Any) -> Any:
        inner = loss(model)

        class Mean(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.inner = inner

            def forward(self, ids: Any, lengths: Any) -> Any:
                return self.inner(ids, lengths) * (lengths - 1) / (lengths - 1).sum()

        return Mean()

    monkeypatch.setattr("training.clipping.record_loss", over_tokens)


@pytest.mark.parametrize("mode", ["fused", "hooks"])
@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (unclipped, "exceed their bound"),
        (quiet, "not the noise accounted for"),
        (quiet_at_first, "not the noise accounted for"),
        (shuffled, "does not draw Poisson batches"),
        (wrong_rate, "not those accounted for"),
        (one_step_more, "4 steps were taken, 3 accounted for"),
        (averaged_over_the_batch, "depends on the other records"),
    ],
)
def test_a_broken_trainer_is_stopped_by_itself(
    monkeypatch: pytest.MonkeyPatch, mode: str, broken: Callable[[pytest.MonkeyPatch], None], words: str
) -> None:
    config = CONFIG.model_copy(update={"clipping": mode})
    fitted(config)
    broken(monkeypatch)
    with pytest.raises(TrainingCheckError, match=words):
        fitted(config)


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_the_honest_trainer_stops_for_nothing_in_forty_runs(tmp_path: Path) -> None:
    """Whole trainings with audit. The noise check errs with 3e-12 a step; the audit in at most 5% of runs, and of 40 at
    that rate 8 or more with 7e-4: this test's false-alarm rate. No alarm in 40 bounds the true rate by 7.2% (95%)."""
    from tests.training.test_train import CONFIG as WHOLE
    from tests.training.test_train import conversations

    alarms = 0
    for seed in range(40):
        run = train(
            conversations(10), WHOLE.model_copy(update={"seed": seed, "secure_rng": True}), tmp_path / str(seed)
        )
        alarms += run.audit.epsilon_lower_bound > run.epsilon
    assert alarms == 0


def run(noise: float, seed: int, *, clip: float = 1.0, scale: float = 1.0, copies: int = 1) -> float:
    """Epsilon that the audit of one training proves; `scale` is the size of a raw gradient."""
    rng = np.random.default_rng(seed)
    member = rng.random(CANARIES) < 0.5
    weights = np.zeros(CANARIES)
    for _ in range(STEPS):
        drawn = sum((rng.random(CANARIES) < RATE).astype(float) for _ in range(copies))
        weights += member * drawn * min(clip, scale) + rng.normal(0, noise, CANARIES)
    return audit_one_run(weights[member], weights[~member], DELTA, 0.95).epsilon_lower_bound


@pytest.fixture(scope="module")
def noise() -> float:
    return noise_multiplier_for(1.0, DELTA, RATE, STEPS)


def test_the_honest_trainer_raises_no_alarm_in_forty_runs(noise: float) -> None:
    """A valid bound exceeds epsilon in at most 5% of runs; 8 or more of 40 would happen with probability 7e-4."""
    assert sum(run(noise, seed) > 1.0 for seed in range(40)) < 8


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"clip": np.inf, "scale": 20.0}, id="no clipping"),
        pytest.param({"copies": 12}, id="one subject repeated as twelve units"),
    ],
)
def test_the_audit_refutes_a_broken_claim(noise: float, fault: dict[str, float]) -> None:
    assert run(noise, 0, **fault) > 1.0  # type: ignore[arg-type]


def test_the_audit_refutes_noise_ten_times_too_small(noise: float) -> None:
    assert run(noise / 10, 0) > 1.0
