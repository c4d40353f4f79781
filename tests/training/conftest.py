from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from tests.training.tiny import tiny_base


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    # Tiny matrices on many threads wait for each other longer than they compute.
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training and loading use the tiny base instead of the pinned one."""
    monkeypatch.setattr("training.adapter.load_base", tiny_base)
    monkeypatch.setattr("training.train.load_base", tiny_base)
