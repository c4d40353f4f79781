from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tests.training.tiny import tiny_base
from training.adapter import attach_lora
from training.clipping import CLIPPING, Clipping, clipping_for
from training.config import TrainingConfig
from training.dataset import Record
from training.dpsgd import Schedule, fit
from training.errors import TrainingCheckError
from training.sampling import Entropy

CONFIG = TrainingConfig(
    r=4, precision="float32", physical_batch_tokens=60, batch_size=8, secure_rng=False, learning_rate=0.01
)


def model(config: TrainingConfig = CONFIG) -> Any:
    made = attach_lora(tiny_base()[0], config)
    # B starts at zero, which would make the gradients of A zero and hide faults.
    torch.manual_seed(1)
    for name, parameter in made.named_parameters():
        if "lora_B" in name:
            parameter.data.normal_(std=0.1)
    return made


def windows(*lengths: int, seed: int = 0) -> list[tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    return [tuple(rng.integers(3, 60, length).tolist()) for length in lengths]


def clipping(config: TrainingConfig = CONFIG, noise: float = 0.0, seed: int = 1) -> Clipping:
    made = model(config)
    made.train()
    sgd = torch.optim.SGD([p for p in made.parameters() if p.requires_grad], lr=1.0)
    return clipping_for(made, sgd, noise, config, Entropy(seed))


def per_sample(batch: list[tuple[int, ...]], config: TrainingConfig = CONFIG) -> torch.Tensor:
    made = clipping(config)
    made.backward(batch)
    return torch.cat([p.grad_sample.flatten(1).float() for p in made.optimizer.params], dim=1)


def clipped_sum(batch: list[tuple[int, ...]], config: TrainingConfig) -> torch.Tensor:
    made = clipping(config)
    made.backward(batch)
    made.optimizer.step()
    return torch.cat([p.summed_grad.flatten() for p in made.optimizer.params])


def naive(window: tuple[int, ...]) -> torch.Tensor:
    """One record, alone, by plain autograd and transformers' own loss."""
    made = model()
    ids = torch.tensor([window])
    made(input_ids=ids, labels=ids).loss.backward()
    return torch.cat([p.grad.flatten() for p in made.parameters() if p.requires_grad])


def test_a_records_gradient_is_that_of_the_record_alone() -> None:
    batch = windows(3, 7, 20, 21)
    found = per_sample(batch)
    for row, window in zip(found, batch, strict=True):
        expected = naive(window)
        assert expected.norm() > 1e-3
        torch.testing.assert_close(row, expected, rtol=1e-4, atol=1e-6)


def test_neither_padding_nor_neighbours_change_a_gradient() -> None:
    mine = windows(5)[0]
    alone = per_sample([mine])[0]
    for other in (windows(5, seed=1), windows(40, seed=2), windows(2, 3, 60, seed=3)):
        torch.testing.assert_close(per_sample([mine, *other])[0], alone, rtol=1e-4, atol=1e-6)


def test_bfloat16_products_give_nearly_the_same_gradients() -> None:
    batch = windows(20, 30)
    exact, fast = per_sample(batch), per_sample(batch, CONFIG.model_copy(update={"precision": "bfloat16"}))
    assert torch.nn.functional.cosine_similarity(exact, fast).min() > 0.99


@pytest.mark.parametrize("mode", CLIPPING)
@pytest.mark.parametrize("bound", [0.05, 5.0, 1e9])
def test_each_way_of_clipping_gives_the_naive_sum(mode: str, bound: float) -> None:
    """The bounds clip every record, some, and none; the twin takes one record at a time by plain autograd."""
    batch = windows(3, 7, 20, 21)
    expected = torch.zeros_like(naive(batch[0]))
    for window in batch:
        gradient = naive(window)
        expected += gradient * min(1.0, bound / (float(gradient.norm()) + 1e-6))
    found = clipped_sum(batch, CONFIG.model_copy(update={"clipping": mode, "max_grad_norm": bound}))
    assert (found - expected).norm() <= 1e-5 * expected.norm()


@pytest.mark.parametrize("mode", CLIPPING)
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_one_record_moves_the_sum_by_no_more_than_the_bound(mode: str, precision: str) -> None:
    """Sensitivity, measured: the clipped sums with and without a record differ by at most max_grad_norm."""
    config = CONFIG.model_copy(update={"precision": precision, "max_grad_norm": 0.05, "clipping": mode})
    batch = windows(9, 9, 9)
    moved = (clipped_sum(batch, config) - clipped_sum(batch[:2], config)).norm().item()
    assert 0.045 < moved <= 0.05 * 1.0001


@pytest.mark.parametrize("mode", CLIPPING)
def test_noise_has_the_variance_accounted_for(mode: str) -> None:
    """An empty batch leaves the noise alone: std = multiplier x bound / batch; 11,000 numbers, 6 sigma."""
    made = clipping(CONFIG.model_copy(update={"max_grad_norm": 0.5, "clipping": mode}), noise=2.0, seed=7)
    made.backward([])
    made.optimizer.step()
    noise = torch.cat([p.grad.flatten() for p in made.optimizer.params])
    assert noise.std().item() == pytest.approx(2.0 * 0.5 / 8, rel=6 / (2 * len(noise)) ** 0.5)
    assert abs(noise.mean().item()) < 6 * 0.125 / len(noise) ** 0.5


def test_a_closed_model_is_as_it_was() -> None:
    for mode in CLIPPING:
        made = model()
        adam = torch.optim.Adam([p for p in made.parameters() if p.requires_grad])
        opened = clipping_for(made, adam, 1.0, CONFIG.model_copy(update={"clipping": mode}), Entropy(1))
        opened.close()
        ids = torch.tensor(windows(9))
        made(input_ids=ids, labels=ids).loss.backward()
        assert all(p.grad is not None for p in made.parameters() if p.requires_grad)
        assert all(getattr(p, "grad_sample", None) is None for p in made.parameters())


def records(count: int) -> list[Record]:
    return [Record((window,)) for window in windows(*([6] * count + [18] * 4))]


def trained(physical: int, schedule: Schedule) -> tuple[list[torch.Tensor], Any]:
    made = model()
    config = CONFIG.model_copy(update={"physical_batch_tokens": physical})
    fitted = fit(made, records(12), schedule, config)
    return [p.detach().clone() for p in made.parameters() if p.requires_grad], fitted


def test_physical_batches_do_not_change_the_result() -> None:
    schedule = Schedule(0.5, 6, 0.5)
    (small, first), (large, second) = trained(20, schedule), trained(100_000, schedule)
    assert first.tokens == second.tokens
    for a, b in zip(small, large, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4)


def test_empty_batches_are_steps_with_noise() -> None:
    calls: list[tuple[int, int]] = []
    made = model()
    before = [p.detach().clone() for p in made.parameters() if p.requires_grad]
    fitted = fit(made, records(2), Schedule(1e-9, 3, 1.0), CONFIG, lambda done, total: calls.append((done, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    assert fitted.tokens == 0
    after = [p.detach() for p in made.parameters() if p.requires_grad]
    assert all((a != b).any() for a, b in zip(before, after, strict=True))


def test_seeded_runs_repeat_and_others_do_not() -> None:
    schedule = Schedule(0.5, 2, 0.5)
    first, second = trained(60, schedule)[0], trained(60, schedule)[0]
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    made = model()
    fitted = fit(made, records(12), schedule, CONFIG.model_copy(update={"secure_rng": True}), None)
    assert fitted.noise_generator == "os"
    other = [p.detach() for p in made.parameters() if p.requires_grad]
    assert not all(torch.equal(a, b) for a, b in zip(first, other, strict=True))


def test_a_trainable_base_is_refused() -> None:
    made = model()
    next(p for name, p in made.named_parameters() if "embed" in name).requires_grad = True
    with pytest.raises(TrainingCheckError, match="LoRA matrices alone"):
        fit(made, records(2), Schedule(0.5, 1, 1.0), CONFIG)


def test_lora_that_does_not_move_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.optim.Adam, "step", lambda self: None)
    with pytest.raises(TrainingCheckError, match="did not move"):
        fit(model(), records(2), Schedule(0.9, 1, 1.0), CONFIG)


def test_a_base_that_moves_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    made, step = model(), torch.optim.Adam.step
    frozen = next(p for p in made.parameters() if not p.requires_grad)

    def leak(self: Any, *args: Any) -> None:
        frozen.data[0, 0] += 1e-6
        step(self)

    monkeypatch.setattr(torch.optim.Adam, "step", leak)
    with pytest.raises(TrainingCheckError, match="base model changed"):
        fit(made, records(2), Schedule(0.9, 1, 1.0), CONFIG)
