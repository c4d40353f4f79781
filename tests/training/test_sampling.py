from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from training.dataset import Record
from training.errors import TrainingCheckError
from training.sampling import Entropy, PhysicalBatches, PoissonSampler, check_poisson, make_loader


class Signals:
    def __init__(self) -> None:
        self.skips: list[bool] = []

    def signal_skip_step(self, do_skip: bool) -> None:
        self.skips.append(do_skip)


def records(*lengths: int) -> list[Record]:
    return [Record((tuple(range(length)),)) for length in sorted(lengths)]


@pytest.mark.parametrize("seed", [None, 1])
def test_every_unit_is_drawn_by_its_own_coin(seed: int | None) -> None:
    """Counts, pairs and batch sizes against the binomial; each bound is 6 sigma (false alarm below 1e-6 in all)."""
    units, rate, steps = 50, 0.2, 4000
    drawn = np.zeros((steps, units))
    for step, batch in enumerate(PoissonSampler(units, rate, steps, Entropy(seed))):
        drawn[step, batch] = 1
    sigma = (rate * (1 - rate) / steps) ** 0.5
    assert np.abs(drawn.mean(0) - rate).max() < 6 * sigma
    correlation = np.corrcoef(drawn.T) - np.eye(units)
    assert np.abs(correlation).max() < 6 / steps**0.5
    # Shuffled fixed batches would have no variance here; Poisson has n q (1 - q) = 8.
    assert 6.5 < drawn.sum(1).var() < 9.5


@pytest.mark.parametrize("seed", [None, 1])
def test_noise_is_standard_normal(seed: int | None) -> None:
    from scipy.stats import kstest

    noise = Entropy(seed).normal(100_001)
    assert len(noise) == 100_001
    assert kstest(noise, "norm").pvalue > 1e-6
    assert np.isfinite(noise).all()


def test_seeded_entropy_repeats_and_the_systems_does_not() -> None:
    assert (Entropy(1).uniform(5) == Entropy(1).uniform(5)).all()
    assert (Entropy(None).uniform(5) != Entropy(None).uniform(5)).any()


def test_pieces_hold_each_unit_once_fit_and_signal_the_last() -> None:
    made, signals = records(*[3] * 20, *[9] * 10), Signals()
    sampler = PoissonSampler(30, 1.0, 2, Entropy(1))
    pieces = list(PhysicalBatches(sampler, made, 30, signals))
    assert all(len(piece) * made[piece[-1]].longest <= 30 for piece in pieces)
    ends = [i for i, skip in enumerate(signals.skips) if not skip]
    assert len(ends) == 2
    assert [i for piece in pieces[: ends[0] + 1] for i in piece] == list(range(30))


def test_a_record_wider_than_memory_still_comes() -> None:
    pieces = list(PhysicalBatches(PoissonSampler(2, 1.0, 1, Entropy(1)), records(100, 200), 10, Signals()))
    assert pieces == [[0], [1]]


def test_empty_batches_are_steps() -> None:
    signals = Signals()
    pieces = list(PhysicalBatches(PoissonSampler(1, 1e-12, 3, Entropy(1)), records(4), 10, signals))
    assert pieces == [[], [], []]
    assert signals.skips == [False] * 3


def loader(made: list[Record], rate: float, steps: int) -> Any:
    sampler = PoissonSampler(len(made), rate, steps, Entropy(1))
    return make_loader(made, PhysicalBatches(sampler, made, 30, Signals()), Entropy(2))


def test_the_loader_in_use_is_checked() -> None:
    made = records(3, 4, 5, 6)
    assert check_poisson(loader(made, 0.5, 3), 4, 0.5, 3) == "poisson"
    for units, rate, steps in [(5, 0.5, 3), (4, 0.4, 3), (4, 0.5, 4)]:
        with pytest.raises(TrainingCheckError):
            check_poisson(loader(made, 0.5, 3), units, rate, steps)


def test_shuffled_batches_are_refused() -> None:
    from torch.utils.data import DataLoader

    with pytest.raises(TrainingCheckError):
        check_poisson(DataLoader([1, 2, 3, 4], batch_size=2, shuffle=True), 4, 0.5, 2)

    class Shuffled(PoissonSampler):
        def __iter__(self) -> Any:
            yield from np.array_split(np.random.permutation(self.num_samples), self.steps)

    made = records(3, 4, 5, 6)
    batches = PhysicalBatches(Shuffled(4, 0.5, 2, Entropy(1)), made, 30, Signals())
    with pytest.raises(TrainingCheckError):
        check_poisson(make_loader(made, batches, Entropy(2)), 4, 0.5, 2)
