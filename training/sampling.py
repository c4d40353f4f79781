"""Poisson batches: every unit is in every batch by its own coin, and the accountant counts on exactly that."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.dataset import Record
from training.errors import TrainingCheckError


class Entropy:
    """Random numbers from the operating system, or from a seed for tests.

    Attributes:
        name: `os` or `seeded`, as recorded in training.json.
    """

    def __init__(self, seed: int | None) -> None:
        self._seeded = None if seed is None else np.random.Generator(np.random.PCG64(seed))
        self.name = "os" if seed is None else "seeded"

    def uniform(self, count: int) -> NDArray[np.float64]:
        """`count` numbers, uniform on the 2^52 midpoints in (0, 1), all of which a float holds exactly."""
        if self._seeded is not None:
            bits = self._seeded.integers(0, 2**52, size=count, dtype=np.uint64)
        else:
            bits = np.frombuffer(os.urandom(8 * count), dtype=np.uint64) >> np.uint64(12)
        return (bits.astype(np.float64) + 0.5) / 2**52

    def below(self, count: int) -> int:
        """A number from 0 to `count - 1`, all equally likely (to 2^-52)."""
        return int(self.uniform(1)[0] * count)

    def state(self) -> Any:
        """Where a seeded generator stands, for JSON; None of the operating system's, which never repeats."""
        return None if self._seeded is None else self._seeded.bit_generator.state

    def restore(self, state: Any) -> None:
        """Go on from a `state`."""
        if self._seeded is not None:
            self._seeded.bit_generator.state = state

    def normal(self, count: int) -> NDArray[np.float64]:
        """`count` standard normal numbers (Box-Muller)."""
        half = (count + 1) // 2
        radius = np.sqrt(-2 * np.log(self.uniform(half)))
        angle = 2 * np.pi * self.uniform(half)
        return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count]


class PoissonSampler:
    """Yields logical batches of unit indices, ascending; an empty one is a batch like any other.

    Attributes:
        num_samples: units.
        sample_rate: probability of each unit in each batch, in (0, 1].
        steps: batches of the whole training.
        done: of these, batches that were drawn before; they are not drawn again.
    """

    def __init__(self, num_samples: int, sample_rate: float, steps: int, entropy: Entropy, done: int = 0) -> None:
        self.num_samples, self.sample_rate, self.steps, self.done = num_samples, sample_rate, steps, done
        self._entropy = entropy

    def __len__(self) -> int:
        return self.steps - self.done

    def __iter__(self) -> Iterator[list[int]]:
        for _ in range(self.steps - self.done):
            yield np.flatnonzero(self._entropy.uniform(self.num_samples) < self.sample_rate).tolist()


class PhysicalBatches:
    """Cuts logical batches into pieces that fit in memory, and tells the optimizer which piece is the last.

    What Opacus's BatchMemoryManager does, by padded tokens instead of by records: sixteen canaries cost what one
    conversation costs, and count alone would make pieces either tiny or too large.
    """

    def __init__(self, sampler: PoissonSampler, records: Sequence[Record], tokens: int, optimizer: Any) -> None:
        self.sampler, self._records, self._tokens, self._optimizer = sampler, records, tokens, optimizer

    def __iter__(self) -> Iterator[list[int]]:
        for batch in self.sampler:
            pieces = list(self._cut(batch)) or [[]]
            for piece in pieces[:-1]:
                self._optimizer.signal_skip_step(do_skip=True)
                yield piece
            self._optimizer.signal_skip_step(do_skip=False)
            yield pieces[-1]

    def _cut(self, batch: Sequence[int]) -> Iterator[list[int]]:
        piece: list[int] = []
        for index in batch:
            # Records are sorted by length, so the newest is the widest, and all are padded to it.
            if piece and (len(piece) + 1) * self._records[index].longest > self._tokens:
                yield piece
                piece = []
            piece.append(index)
        if piece:
            yield piece


def make_loader(records: Sequence[Record], batches: PhysicalBatches, entropy: Entropy) -> Any:
    """The DataLoader that training reads: one window of each drawn unit, as a list of token tuples.

    The window is drawn from `entropy` too: by a generator that the published seed tells, one unit more would shift the
    windows of all others, and the clipped sum by more than one unit's share.
    """
    from torch.utils.data import DataLoader, Dataset

    class Windows(Dataset[tuple[int, ...]]):
        def __len__(self) -> int:
            return len(records)

        def __getitem__(self, index: int) -> tuple[int, ...]:
            windows = records[index].windows
            return windows[entropy.below(len(windows))]

    return DataLoader(Windows(), batch_sampler=batches, collate_fn=list)


def check_poisson(loader: Any, units: int, sample_rate: float, steps: int, done: int = 0) -> str:
    """Assert, on the loader that is about to be used, what the accountant assumes; returns the sampler's name.

    Raises:
        TrainingCheckError: batches do not come from a Poisson sampler with this rate over all units.
    """
    sampler = getattr(loader.batch_sampler, "sampler", None)
    # The type must be exact: a subclass could draw its batches in any way.
    if type(loader.batch_sampler) is not PhysicalBatches or type(sampler) is not PoissonSampler:
        raise TrainingCheckError("the loader does not draw Poisson batches")
    if (sampler.num_samples, sampler.sample_rate, sampler.steps, sampler.done) != (units, sample_rate, steps, done):
        raise TrainingCheckError("the loader's units, rate or steps are not those accounted for")
    if len(loader.dataset) != units:
        raise TrainingCheckError("the loader's data are not the units accounted for")
    return "poisson"
