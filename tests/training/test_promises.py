"""What a reviewer of privacy asks first: whose randomness, which precision, which delta, how many records."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from tests.training.test_train import CONFIG, conversations
from tests.training.tiny import tiny_base
from training.accounting import delta_for
from training.adapter import attach_lora
from training.card import model_card
from training.checks import check_only_lora
from training.config import TrainingConfig
from training.dpsgd import Schedule, fit
from training.errors import AccountingError, CheckpointError, OutOfMemory, TrainingCheckError
from training.sampling import Entropy
from training.train import plan, train

PLAIN = CONFIG.model_copy(update={"epsilon": float("inf")})


@pytest.mark.usefixtures("tiny")
def test_only_a_seeded_training_has_coins_that_its_seed_tells(tmp_path: Path) -> None:
    """24 coins: two trainings with secret coins agree in all of them with probability 6e-8."""
    secret = PLAIN.model_copy(update={"secure_rng": True})
    for name, config in (("a", PLAIN), ("b", PLAIN), ("c", secret), ("d", secret)):
        train(conversations(3), config, tmp_path / name)
    told = {name: json.loads((tmp_path / name / "canaries.json").read_text())["members"] for name in "abcd"}
    assert told["a"] == told["b"]
    assert told["c"] != told["d"]


@pytest.mark.usefixtures("tiny")
def test_nothing_that_is_published_repeats_the_noise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same seed, same data, same settings: with the system's generator another adapter, and the card says which."""
    planned = Schedule(0.9, 3, 1.0), {"prv": 8.0, "rdp": 9.0, "pld": 8.0}
    monkeypatch.setattr("training.train.plan", lambda *_: planned)
    secret = CONFIG.model_copy(update={"secure_rng": True, "canaries": 0})
    runs = [train(conversations(8), secret, tmp_path / name) for name in "ab"]
    assert runs[0].adapter_sha256 != runs[1].adapter_sha256
    assert "operating system's generator" in model_card(runs[0])
    seeded = runs[0].model_copy(update={"noise_generator": "seeded"})
    assert "anybody can subtract the noise" in model_card(seeded)


def test_uniform_numbers_never_touch_their_ends() -> None:
    """The largest and the smallest number there is: 1 would leave a unit out at rate 1, and 0 has no logarithm."""
    for bits, value in ((2**52 - 1, 1 - 2.0**-53), (0, 2.0**-53)):
        entropy = Entropy(0)
        entropy._seeded = type("Fixed", (), {"integers": lambda *_, bits=bits, **__: np.array([bits], np.uint64)})()
        assert entropy.uniform(1)[0] == value
        assert math.isfinite(entropy.normal(1)[0])


def test_lora_in_bfloat16_is_refused() -> None:
    model = attach_lora(tiny_base()[0], PLAIN)
    check_only_lora(model)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.data = parameter.data.to(torch.bfloat16)
    with pytest.raises(TrainingCheckError, match="not float32"):
        check_only_lora(model)


@pytest.mark.parametrize(
    ("given", "units", "delta"),
    [(None, 100, 1e-5), (None, 99_999, 1e-5), (None, 100_000, 1e-6), (None, 10**7, 1e-8), (1e-9, 100, 1e-9)],
)
def test_delta_is_below_one_over_units_without_being_asked(given: float | None, units: int, delta: float) -> None:
    assert delta_for(given, units) == pytest.approx(delta)
    assert delta_for(given, units) * units < 1


def test_a_given_delta_is_never_changed() -> None:
    with pytest.raises(AccountingError, match="below 1 / units"):
        delta_for(1e-5, 100_000)


@pytest.mark.slow
@pytest.mark.parametrize(("units", "steps"), [(100, 2), (100_000, 1563)])
def test_a_plan_is_sane_from_a_hundred_records_to_a_hundred_thousand(units: int, steps: int) -> None:
    """The defaults: every unit is visited once, epsilon is used up to 1%, and more units need less noise."""
    schedule, accountants = plan(units, TrainingConfig())
    assert schedule.steps == steps
    assert schedule.sample_rate == 64 / units
    assert 0.3 < schedule.noise_multiplier < 1
    assert 7.92 < max(accountants["prv"], accountants["pld"]) <= 8


@pytest.mark.usefixtures("tiny")
def test_a_step_that_does_not_fit_can_be_gone_on_with_in_smaller_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    state.mkdir()

    def broken(done: int, total: int) -> None:
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes")

    with pytest.raises(OutOfMemory, match="physical_batch_tokens"):
        train(conversations(8), PLAIN, tmp_path / "a", broken, state)
    with pytest.raises(CheckpointError):
        train(conversations(8), PLAIN.model_copy(update={"r": 2}), tmp_path / "a", None, state)
    seen: list[int] = []
    smaller = PLAIN.model_copy(update={"physical_batch_tokens": 64, "gradient_checkpointing": True})
    run = train(conversations(8), smaller, tmp_path / "a", lambda done, _: seen.append(done), state)
    assert seen == list(range(2, run.steps + 1))
    with pytest.raises(RuntimeError, match="something else"):
        train(conversations(8), PLAIN, tmp_path / "b", lambda *_: (_ for _ in ()).throw(RuntimeError("something else")))


def test_recomputed_activations_give_the_same_adapter() -> None:
    from tests.training.test_broken_trainers import SCHEDULE
    from training.dataset import Record

    made = [Record((tuple(3 + (7 * i + j) % 60 for j in range(4 + i)),)) for i in range(12)]
    weights = []
    for checkpointing in (False, True):
        config = CONFIG.model_copy(update={"gradient_checkpointing": checkpointing})
        model = attach_lora(tiny_base()[0], config)
        fit(model, made, Schedule(SCHEDULE.sample_rate, SCHEDULE.steps, 1.0), config)
        assert not model.get_base_model().is_activation_checkpointing
        weights.append(torch.cat([p.detach().flatten() for p in model.parameters() if p.requires_grad]))
    assert torch.allclose(*weights, atol=1e-6)
    assert weights[0].abs().max() > 0


@pytest.mark.parametrize("mode", ["hooks", "ghost"])
def test_hooks_do_not_see_a_forward_pass_twice(mode: str) -> None:
    with pytest.raises(ValidationError, match="fused"):
        TrainingConfig.model_validate({"gradient_checkpointing": True, "clipping": mode})
